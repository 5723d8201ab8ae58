#if os(Linux)
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// What the system does with sockets, threads and time: this folder alone asks it.
///
/// Every descriptor that is made here is closed in other programs that are started, and nothing
/// waits but ``SystemPoll``.
enum SystemSocket {
    /// What may come at once: as many descriptors as the system lets pass with one message.
    static let descriptorsAtOnce = 253

    static func close(_ descriptor: Int32) { _ = systemClose(descriptor) }

    static func duplicate(_ descriptor: Int32) throws(DBusError) -> Int32 {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy != -1 else { throw lastError() }
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

    static func listen(
        at place: DBusAddress.Socket, waiting backlog: Int32 = 128, forEveryone: Bool = false
    ) throws(DBusError) -> Int32 {
        let descriptor = socket(AF_UNIX, stream, 0)
        guard descriptor != -1 else { throw lastError() }
        let result = try withAddress(place, closing: descriptor) {
            guard bind(descriptor, $0, $1) == 0 else { return -1 }
            // Whoever may write a file may connect to it.
            if case .path(let path) = place, chmod(path, forEveryone ? 0o666 : 0o600) != 0 {
                return -1
            }
            return systemListen(descriptor, backlog)
        }
        if result == 0 { return descriptor }
        let error = lastError()
        close(descriptor)
        throw error
    }

    /// Who has come to a socket that listens.
    enum Arrival: Hashable {
        case socket(Int32)
        /// Nobody, or one who has gone again.
        case nobody
        /// There are no descriptors or no memory left: whoever it is goes on waiting.
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
        var credentials = (process: UInt32(), user: UInt32(), group: UInt32())
        var length = socklen_t(MemoryLayout.size(ofValue: credentials))
        let result = getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length)
        return result == 0 ? (credentials.process, credentials.user) : nil
    }

    /// Whether it is a socket that keeps packets apart.
    static func keepsPackets(_ descriptor: Int32) -> Bool {
        var kind = Int32()
        var length = socklen_t(MemoryLayout.size(ofValue: kind))
        let result = getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &kind, &length)
        return result == 0 && kind == Int32(kinds.1)
    }

    /// Tells the other side that nothing more comes, and nothing is read.
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
#endif
