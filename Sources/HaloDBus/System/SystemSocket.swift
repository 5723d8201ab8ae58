#if os(Linux)
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// What the system does with sockets, threads and time: the only place that asks it.
///
/// Every descriptor that is made here is closed in other programs that are started, and nothing
/// waits but ``poll(_:for:)``.
enum SystemSocket {
    /// What may come at once: as many descriptors as the system lets pass with one message.
    static let descriptorsAtOnce = 253

    static func close(_ descriptor: Int32) { _ = systemClose(descriptor) }

    static func duplicate(_ descriptor: Int32) throws(DBusError) -> Int32 {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw lastError() }
        return copy
    }

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

    /// A socket that is connected, or nil if the other side has no time just now.
    static func connect(to place: DBusAddress.Socket) throws(DBusError) -> Int32? {
        let descriptor = socket(AF_UNIX, stream, 0)
        guard descriptor >= 0 else { throw lastError() }
        let result = try withAddress(place, closing: descriptor) {
            systemConnect(descriptor, $0, $1)
        }
        if result == 0 { return descriptor }
        let (number, error) = (errno, lastError())
        close(descriptor)
        guard number == EAGAIN || number == EINTR else { throw error }
        return nil
    }

    static func listen(at place: DBusAddress.Socket) throws(DBusError) -> Int32 {
        let descriptor = socket(AF_UNIX, stream, 0)
        guard descriptor >= 0 else { throw lastError() }
        let result = try withAddress(place, closing: descriptor) {
            bind(descriptor, $0, $1) == 0 ? systemListen(descriptor, 128) : -1
        }
        if result == 0 { return descriptor }
        let error = lastError()
        close(descriptor)
        throw error
    }

    static func accept(_ descriptor: Int32) -> Int32? {
        let accepted = systemAccept(descriptor, nil, nil)
        guard accepted >= 0 else { return nil }
        _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
        _ = fcntl(accepted, F_SETFL, O_NONBLOCK)
        return accepted
    }

    /// Lets reading and writing say that they would have to wait.
    static func stopWaiting(_ descriptor: Int32) throws(DBusError) {
        let flags = fcntl(descriptor, F_GETFL)
        guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) >= 0 else {
            throw lastError()
        }
    }

    static func remove(_ path: String) { _ = unlink(path) }

    /// Who made the other end: process and user.
    static func peer(_ descriptor: Int32) -> (process: UInt32, user: UInt32)? {
        var credentials: (UInt32, UInt32, UInt32) = (0, 0, 0)
        var length = socklen_t(MemoryLayout.size(ofValue: credentials))
        let result = getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length)
        return result == 0 ? (credentials.0, credentials.1) : nil
    }

    /// Tells the other side that nothing more comes, and nothing is read.
    static func shutdown(_ descriptor: Int32) {
        _ = systemShutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Waits until a socket is ready, or time is up.
    static func poll(_ sockets: inout [Readiness], for microseconds: Int64?) {
        var entries = sockets.map { entry in
            pollfd(
                fd: entry.socket,
                events: Int16((entry.reads ? POLLIN : 0) | (entry.writes ? POLLOUT : 0)),
                revents: 0)
        }
        // Rounded up, so that nobody is woken just before time is up.
        let wait = microseconds.map { Int32(clamping: (max(0, min($0, 1 << 40)) + 999) / 1000) }
        let count = systemPoll(&entries, nfds_t(entries.count), wait ?? -1)
        for index in sockets.indices where entries.indices.contains(index) {
            let events = count > 0 ? Int32(entries[index].revents) : 0
            let isOver = events & Int32(POLLERR | POLLHUP | POLLNVAL) != 0
            sockets[index].isReadable = events & Int32(POLLIN) != 0 || isOver
            sockets[index].isWritable = events & Int32(POLLOUT) != 0 || isOver
        }
    }

    /// Microseconds of a clock that nobody sets.
    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }

    static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    static var userID: UInt32 { geteuid() }

    static var processID: UInt32 { UInt32(clamping: getpid()) }

    /// What this computer calls itself: 32 hexadecimal digits.
    static let machineID: String? = {
        for path in ["/etc/machine-id", "/var/lib/dbus/machine-id"] {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            var digits = [UInt8](repeating: 0, count: 32)
            guard systemRead(descriptor, &digits, digits.count) == digits.count else { continue }
            return String(decoding: digits, as: UTF8.self)
        }
        return nil
    }()

    /// Begins a thread; says whether it could.
    static func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
        let box = Unmanaged.passRetained(ThreadBody(body))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, 1 << 21)
        #if canImport(Glibc)
        var thread = pthread_t()
        #else
        var thread: pthread_t?
        #endif
        let result = pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument else { return nil }
                Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            }, box.toOpaque())
        if result != 0 { box.release() }
        return result == 0
    }

    private static func withAddress(
        _ place: DBusAddress.Socket, closing descriptor: Int32,
        _ use: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(DBusError) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = place.bytes
        let start = MemoryLayout.size(ofValue: address.sun_family)
        // A file's name ends with a zero byte; one that is no file begins with it.
        guard let name, name.count + 1 <= MemoryLayout.size(ofValue: address.sun_path) else {
            close(descriptor)
            throw DBusError(.unreachable, details: "no usable name of a socket")
        }
        withUnsafeMutableBytes(of: &address) { buffer in
            buffer[start...].copyBytes(from: place.isFile ? name + [0] : [0] + name)
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
}

extension SystemSocket {
    /// Reads what is there, and takes over what descriptors came with it.
    static func receive(
        _ descriptor: Int32, into buffer: inout [UInt8], control: inout [UInt8]
    ) -> (outcome: Outcome, descriptors: [Int32]) {
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
                    let length = min(control.count, Int(message.msg_controllen))
                    received = AncillaryDescriptors.decode(
                        UnsafeRawBufferPointer(
                            rebasing: UnsafeRawBufferPointer(control)[..<length]),
                        level: SOL_SOCKET, type: Int32(SCM_RIGHTS))
                    return count
                }
            }
        }
        if flags & Int32(MSG_CTRUNC) != 0 { return (.ended("descriptors were lost"), received) }
        return (count == 0 ? .ended(nil) : outcome(count), received)
    }

    /// Writes as much as goes without waiting; descriptors go with the first byte.
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

    private static func outcome(_ count: Int) -> Outcome {
        guard count < 0 else { return .bytes(count) }
        switch errno {
        case EAGAIN, EINTR: return .later
        default: return .ended(String(cString: strerror(errno)))
        }
    }
}

private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

private func systemConnect(
    _ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t
) -> Int32 { connect(descriptor, address, length) }

private func systemListen(_ descriptor: Int32, _ count: Int32) -> Int32 {
    listen(descriptor, count)
}

private func systemAccept(
    _ descriptor: Int32, _ address: UnsafeMutablePointer<sockaddr>?,
    _ length: UnsafeMutablePointer<socklen_t>?
) -> Int32 { accept(descriptor, address, length) }

private func systemShutdown(_ descriptor: Int32, _ how: Int32) -> Int32 {
    shutdown(descriptor, how)
}

private func systemPoll(_ entries: inout [pollfd], _ count: nfds_t, _ wait: Int32) -> Int32 {
    poll(&entries, count, wait)
}

private func systemRead(_ descriptor: Int32, _ bytes: inout [UInt8], _ count: Int) -> Int {
    read(descriptor, &bytes, count)
}

private final class ThreadBody {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }
}
#endif
