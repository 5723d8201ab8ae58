#if os(Linux)
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

internal import HaloDBus

/// This computer without the bus: files, variables, users. Only this file of the target calls the
/// system; all calls but one only read, and none of them waits.
enum LocalSystem {
    enum Access: Hashable, Sendable { case missing, forbidden, usable }

    /// The availability of a kind of socket; with the system's error text if it is refused.
    enum SocketKind: Hashable, Sendable {
        case available
        /// The kernel has no such kind, or refuses it in this container: outside of the first
        /// network namespace it refuses all Bluetooth sockets in this way.
        case unknown
        case refused(String)
    }

    /// The maximum number of bytes read from a file; the daemon's settings are in the first part.
    private static let lengthLimit = 1 << 16
    private static let nameLimit = 256

    /// Calls the system on a separate thread, so that a disk that hangs blocks no task.
    static func onThread<Answer: Sendable>(
        _ question: @escaping @Sendable () -> Answer
    ) async -> Answer {
        await withCheckedContinuation { continuation in
            let isBegun = SystemThread.start { continuation.resume(returning: question()) }
            if !isBegun { continuation.resume(returning: question()) }
        }
    }

    /// Reports a fault of this package: an input of its own code that cannot come. A debug build
    /// stops; a release build goes on without the input, and says so on standard error.
    static func reportFault(_ text: String) {
        assertionFailure(text)
        var line = "HaloBlueZ: a fault, please report it: \(text)\n"
        line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    static var userID: UInt32 { geteuid() }

    static var groupIDs: [UInt32] {
        let count = getgroups(0, nil)
        guard count > 0 else { return [getegid()] }
        var groups = [gid_t](repeating: 0, count: Int(count))
        let filled = getgroups(count, &groups)
        return groups.prefix(Int(max(0, filled))) + [getegid()]
    }

    /// Returns the access to a path: reading, and with `writes` also writing, as sockets need.
    static func access(_ path: String, writes: Bool = false) -> Access {
        let way = writes ? R_OK | W_OK : R_OK
        if systemAccess(path, way) == 0 { return .usable }
        return errno == EACCES || errno == EPERM || errno == EROFS ? .forbidden : .missing
    }

    /// Returns the beginning of a file; `nil` if it cannot be read.
    static func content(_ path: String) -> String? {
        // A named pipe must not block.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { _ = close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while bytes.count < lengthLimit {
            let count = read(descriptor, &piece, piece.count)
            guard count >= 0 else {
                return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
            }
            if count == 0 { break }
            bytes += piece.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the sorted names in a folder, or `nil` if it is missing or unreadable.
    static func names(in folder: String) -> [String]? {
        guard let stream = opendir(folder) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count < nameLimit, let entry = readdir(stream) {
            // An entry is only as long as its name: it must not be copied as a whole.
            guard let start = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
            let place = UnsafeRawPointer(entry).advanced(by: start)
            let name = String(cString: place.assumingMemoryBound(to: UInt8.self))
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// The availability of Bluetooth sockets, which a daemon here would need.
    static var bluetoothSockets: SocketKind {
        // Linux has the same numbers on all processors; the C library has no names for them.
        let (family, raw, hci): (Int32, Int32, Int32) = (31, 3, 1)
        let descriptor = socket(family, raw, hci)
        guard descriptor < 0 else {
            _ = close(descriptor)
            return .available
        }
        let number = errno
        return number == EAFNOSUPPORT || number == EPROTONOSUPPORT
            ? .unknown : .refused(String(cString: strerror(number)))
    }
}

private func systemAccess(_ path: String, _ way: Int32) -> Int32 { access(path, way) }
#endif
