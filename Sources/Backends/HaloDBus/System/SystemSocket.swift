#if os(Linux)
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// System calls for sockets, time and the environment. Only this folder imports the C library.
///
/// All descriptors are closed on `exec`, and no call blocks but ``SystemPoll`` and ``sleep(_:)``.
enum SystemSocket {
    /// The maximum number of descriptors in one message: the kernel's `SCM_MAX_FD`.
    static let descriptorsAtOnce = 253

    static func close(_ descriptor: Int32) { _ = systemClose(descriptor) }

    static func pair(keepingPackets: Bool = false) throws(DBusError) -> (Int32, Int32) {
        var ends: (Int32, Int32) = (-1, -1)
        let result = withUnsafeMutableBytes(of: &ends) {
            socketpair(
                AF_UNIX, keepingPackets ? packets : stream, 0,
                $0.assumingMemoryBound(to: Int32.self).baseAddress)
        }
        guard result == 0 else { throw lastError() }
        return ends
    }

    /// Connects; `nil` if the listener's queue is full.
    static func connect(to place: DBusAddress.Socket) throws(DBusError) -> Int32? {
        let descriptor = socket(AF_UNIX, stream, 0)
        guard descriptor != -1 else { throw lastError() }
        let result = try withAddress(place, closing: descriptor) {
            systemConnect(descriptor, $0, $1)
        }
        if result == 0 { return descriptor }
        let (number, error) = (errno, lastError())
        close(descriptor)
        guard number == EAGAIN || number == EINTR else { throw error }
        return nil
    }

    /// Listens. A file of a socket on which no program listens any more is replaced.
    static func listen(
        at place: DBusAddress.Socket, waiting backlog: Int32 = 128, forEveryone: Bool = false
    ) throws(DBusError) -> Int32 {
        let descriptor = socket(AF_UNIX, stream, 0)
        guard descriptor != -1 else { throw lastError() }
        // Between the two calls of another program its socket looks dead.
        let folder = place.path.flatMap { lockFolder(of: $0) }
        defer { if let folder { close(folder) } }
        let result = try withAddress(place, closing: descriptor) {
            if bind(descriptor, $0, $1) != 0 {
                guard errno == EADDRINUSE, folder != nil, let path = place.path else {
                    return -1
                }
                guard isDead(path, $0, $1), unlink(path) == 0 else {
                    errno = EADDRINUSE
                    return -1
                }
                guard bind(descriptor, $0, $1) == 0 else { return -1 }
            }
            // Write permission is permission to connect.
            if let path = place.path, chmod(path, forEveryone ? 0o666 : 0o600) != 0 {
                return -1
            }
            return systemListen(descriptor, backlog)
        }
        if result == 0 { return descriptor }
        let error = lastError()
        close(descriptor)
        throw error
    }

    /// `true` if a path is that of a socket on which no program listens.
    private static func isDead(
        _ path: String, _ address: UnsafePointer<sockaddr>, _ length: socklen_t
    ) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return false }
        let descriptor = socket(AF_UNIX, stream, 0)
        guard descriptor != -1 else { return false }
        defer { close(descriptor) }
        return systemConnect(descriptor, address, length) != 0 && errno == ECONNREFUSED
    }

    /// Locks the folder of a file until the descriptor is closed; `nil` if that is not possible.
    private static func lockFolder(of path: String) -> Int32? {
        let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let folder = open(
            end == path.startIndex ? "." : String(path[..<end]),
            O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder != -1 else { return nil }
        // Others hold the lock for a moment only.
        for _ in 0..<lockAttempts {
            if flock(folder, LOCK_EX | LOCK_NB) == 0 { return folder }
            guard errno == EWOULDBLOCK || errno == EINTR else { break }
            sleep(lockPause)
        }
        close(folder)
        return nil
    }

    private static let lockAttempts = 200
    /// In microseconds.
    private static let lockPause: Int64 = 1000

    enum Arrival: Hashable {
        case socket(Int32)
        /// No client, or one that has disconnected again.
        case nobody
        /// No descriptor or memory is left; the client keeps waiting.
        case noRoom
    }

    static func accept(_ descriptor: Int32) -> Arrival {
        let accepted = systemAccept(descriptor, nil, nil)
        guard accepted != -1 else {
            return [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) ? .noRoom : .nobody
        }
        _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
        _ = fcntl(accepted, F_SETFL, O_NONBLOCK)
        return .socket(accepted)
    }

    /// Makes reading and writing return instead of blocking.
    static func stopWaiting(_ descriptor: Int32) throws(DBusError) {
        let flags = fcntl(descriptor, F_GETFL)
        guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) >= 0 else {
            throw lastError()
        }
    }

    static func remove(_ path: String) { _ = unlink(path) }

    static func peer(_ descriptor: Int32) -> (process: UInt32, user: UInt32)? {
        var credentials = (process: UInt32(), user: UInt32(), group: UInt32())
        var length = socklen_t(MemoryLayout.size(ofValue: credentials))
        let result = getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length)
        return result == 0 ? (credentials.process, credentials.user) : nil
    }

    static func shutdown(_ descriptor: Int32) {
        _ = systemShutdown(descriptor, Int32(SHUT_RDWR))
    }

    private static func withAddress(
        _ place: DBusAddress.Socket, closing descriptor: Int32,
        _ use: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(DBusError) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = place.bytes
        let start = MemoryLayout.size(ofValue: address.sun_family)
        // A path ends with NUL, an abstract name begins with it.
        guard let name, name.count + 1 <= MemoryLayout.size(ofValue: address.sun_path) else {
            close(descriptor)
            throw DBusError(.unreachable, details: "no usable name of a socket")
        }
        withUnsafeMutableBytes(of: &address) { buffer in
            buffer[start...].copyBytes(from: place.path != nil ? name + [0] : [0] + name)
        }
        let length = socklen_t(start + name.count + 1)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { use($0, length) }
        }
    }

    static func lastError() -> DBusError {
        DBusError(.unreachable, details: String(cString: strerror(errno)))
    }

    #if canImport(Glibc)
    private static let kinds = (SOCK_STREAM.rawValue, SOCK_SEQPACKET.rawValue)
    private static let ways = SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    #else
    private static let kinds = (SOCK_STREAM, SOCK_SEQPACKET)
    private static let ways = SOCK_CLOEXEC | SOCK_NONBLOCK
    #endif
    private static let stream = Int32(kinds.0 | ways)
    private static let packets = Int32(kinds.1 | ways)

    enum Outcome {
        case bytes(Int)
        case later
        /// The other side has closed the socket, or the system reports an error, with its text.
        case ended(String?)
    }

    // MARK: Bytes, packets and descriptors

    static func room(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    static func receive(
        _ descriptor: Int32, into buffer: inout [UInt8], control: inout [UInt8]
    ) -> (outcome: Outcome, descriptors: DBusDescriptors?) {
        var (flags, received): (Int32, [Int32]) = (0, [])
        let count = buffer.withUnsafeMutableBytes { bytes in
            control.withUnsafeMutableBytes { control in
                var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                return withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    message.msg_iov = part
                    message.msg_iovlen = 1
                    message.msg_control = control.baseAddress
                    message.msg_controllen = .init(control.count)
                    let count = recvmsg(descriptor, &message, Int32(MSG_CMSG_CLOEXEC))
                    guard count >= 0 else { return count }
                    flags = message.msg_flags
                    let length = Int(message.msg_controllen)
                    received = AncillaryDescriptors.decode(
                        UnsafeRawBufferPointer(
                            rebasing: UnsafeRawBufferPointer(control)[..<length]),
                        level: SOL_SOCKET, type: Int32(SCM_RIGHTS))
                    return count
                }
            }
        }
        let descriptors = received.isEmpty ? nil : DBusDescriptors(owning: received)
        if flags & Int32(MSG_CTRUNC) != 0 { return (.ended("descriptors were lost"), descriptors) }
        return (count == 0 ? .ended(nil) : outcome(count), descriptors)
    }

    /// Writes as many bytes as the socket accepts; descriptors are sent with the first byte.
    static func send(
        _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ descriptors: [Int32]
    ) -> Outcome {
        var control =
            descriptors.isEmpty
            ? []
            : AncillaryDescriptors.encode(
                descriptors, level: SOL_SOCKET, type: Int32(SCM_RIGHTS))
        var part = iovec(
            iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
        let count = control.withUnsafeMutableBytes { control in
            withUnsafeMutablePointer(to: &part) { part in
                var message = msghdr()
                message.msg_iov = part
                message.msg_iovlen = 1
                message.msg_control = control.isEmpty ? nil : control.baseAddress
                message.msg_controllen = .init(control.count)
                return sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL))
            }
        }
        return outcome(count)
    }

    static func send(
        _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, passing descriptors: DBusDescriptors?
    ) -> Outcome {
        descriptors?.withNumbers { send(descriptor, bytes, $0) } ?? send(descriptor, bytes, [])
    }

    /// Reads a packet. The result is its whole length, which may exceed the buffer's.
    static func receivePacket(_ descriptor: Int32, into buffer: inout [UInt8]) -> Outcome {
        let flags = Int32(MSG_DONTWAIT) | Int32(MSG_TRUNC)
        var count = recv(descriptor, &buffer, buffer.count, flags)
        // `ECONNRESET` is reported once, before the packets that are left: the other side closed
        // the socket before it had read all packets of this side.
        if count < 0, errno == ECONNRESET {
            count = recv(descriptor, &buffer, buffer.count, flags)
        }
        guard count == 0 else { return outcome(count) }
        // An empty packet and the end look the same. It is the end if the other side has hung up
        // and no packet is left.
        guard SystemPoll.hasHungUp(descriptor) else { return .bytes(0) }
        var left: Int32 = 0
        return ioctl(descriptor, UInt(FIONREAD), &left) == 0 && left > 0 ? .bytes(0) : .ended(nil)
    }

    static func send(_ descriptor: Int32, packet: [UInt8]) -> Outcome {
        let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
        return outcome(systemSend(descriptor, packet, packet.count, flags))
    }

    private static func outcome(_ count: Int) -> Outcome {
        guard count < 0 else { return .bytes(count) }
        switch errno {
        case EAGAIN, EINTR: return .later
        default: return .ended(String(cString: strerror(errno)))
        }
    }

    // MARK: Time, environment and identity

    /// Returns the monotonic clock in microseconds.
    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }

    /// Blocks for a number of microseconds, or less.
    static func sleep(_ microseconds: Int64) {
        var time = timespec()
        time.tv_sec = numericCast(max(0, microseconds) / 1_000_000)
        time.tv_nsec = numericCast(max(0, microseconds) % 1_000_000 * 1000)
        nanosleep(&time, nil)
    }

    static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    static var userID: UInt32 { geteuid() }

    static var processID: UInt32 { UInt32(clamping: getpid()) }

    static var machineID: String? {
        for path in ["/etc/machine-id", "/var/lib/dbus/machine-id"] {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor != -1 else { continue }
            defer { close(descriptor) }
            var digits = room(32)
            guard read(descriptor, &digits, digits.count) == digits.count else { continue }
            return String(decoding: digits, as: UTF8.self)
        }
        return nil
    }
}

// The functions of the C library whose names members of ``SystemSocket`` have, too.
private let systemClose: @Sendable (Int32) -> Int32 = close
private let systemConnect: @Sendable (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32 = connect
private let systemListen: @Sendable (Int32, Int32) -> Int32 = listen
private let systemShutdown: @Sendable (Int32, Int32) -> Int32 = shutdown
private let systemSend: @Sendable (Int32, UnsafeRawPointer?, Int, Int32) -> Int = send
private let systemAccept:
    @Sendable (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32 =
        accept

/// Control messages (`cmsghdr`), at words: length, level and type, then the descriptors.
enum AncillaryDescriptors {
    private static let word = MemoryLayout<UInt>.size
    private static let headerLength = word + 2 * MemoryLayout<Int32>.size

    /// Returns the length of a control message with a number of descriptors.
    static func length(_ count: Int) -> Int { aligned(headerLength + count * 4) }

    static func encode(_ numbers: [Int32], level: Int32, type: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        func put<Number: FixedWidthInteger>(_ number: Number) {
            withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
        }
        put(UInt(headerLength + numbers.count * 4))
        put(level)
        put(type)
        for number in numbers { put(number) }
        while bytes.count % word != 0 { bytes.append(0) }
        return bytes
    }

    /// Returns the descriptors of all control messages of a level and a type.
    static func decode(_ bytes: UnsafeRawBufferPointer, level: Int32, type: Int32) -> [Int32] {
        var numbers: [Int32] = []
        var start = 0
        while bytes.count - start >= headerLength {
            let length = Int(clamping: bytes.loadUnaligned(fromByteOffset: start, as: UInt.self))
            guard length >= headerLength, length <= bytes.count - start else { break }
            let place = start + word
            if bytes.loadUnaligned(fromByteOffset: place, as: Int32.self) == level,
                bytes.loadUnaligned(fromByteOffset: place + 4, as: Int32.self) == type
            {
                for index in 0..<(length - headerLength) / 4 {
                    numbers.append(
                        bytes.loadUnaligned(
                            fromByteOffset: start + headerLength + index * 4, as: Int32.self))
                }
            }
            start += aligned(length)
        }
        return numbers
    }

    private static func aligned(_ length: Int) -> Int { (length + word - 1) / word * word }
}
#endif
