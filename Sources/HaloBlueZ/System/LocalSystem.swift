#if os(Linux)
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

internal import HaloDBus

/// What this computer has besides the bus: files, variables, who runs the program. The only place
/// of this target that asks the system; everything is read, nothing waited for.
enum LocalSystem {
    /// Whether a file can be used by this program.
    enum Access: Hashable, Sendable { case missing, forbidden, usable }

    /// Whether a kind of socket can be made; in the system's words if not.
    enum SocketKind: Hashable, Sendable {
        case available
        /// The kernel has no such kind, or not in this container: outside of the first network
        /// namespace the kernel refuses all of Bluetooth's in this way.
        case unknown
        case refused(String)
    }

    /// The most that is read of a file; a setting of the daemon lies further to the front.
    private static let lengthLimit = 1 << 16
    private static let nameLimit = 256

    /// Asks the system on a thread of its own: a disk that does not answer keeps no other task
    /// waiting.
    static func asked<Answer: Sendable>(
        _ question: @escaping @Sendable () -> Answer
    ) async -> Answer {
        await withCheckedContinuation { continuation in
            let isBegun = SystemThread.start { continuation.resume(returning: question()) }
            if !isBegun { continuation.resume(returning: question()) }
        }
    }

    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    static var userID: UInt32 { geteuid() }

    /// The groups that the program acts for.
    static var groupIDs: [UInt32] {
        let count = getgroups(0, nil)
        guard count > 0 else { return [getegid()] }
        var groups = [gid_t](repeating: 0, count: Int(count))
        let filled = getgroups(count, &groups)
        return groups.prefix(Int(max(0, filled))) + [getegid()]
    }

    /// Whether something lies there that can be read, and written if it is a socket or a device.
    static func access(_ path: String, writes: Bool = false) -> Access {
        let way = writes ? R_OK | W_OK : R_OK
        if systemAccess(path, way) == 0 { return .usable }
        return errno == EACCES || errno == EPERM || errno == EROFS ? .forbidden : .missing
    }

    /// The beginning of a file, if it can be read.
    static func content(_ path: String) -> String? {
        // A pipe that lies there must not be waited for.
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

    /// What is in a folder, in order; nothing if there is none, or it may not be read.
    static func names(in folder: String) -> [String]? {
        guard let stream = opendir(folder) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count < nameLimit, let entry = readdir(stream) {
            // An entry has only as many bytes as its name needs: it is not to be copied as a whole.
            guard let start = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
            let place = UnsafeRawPointer(entry).advanced(by: start)
            let name = String(cString: place.assumingMemoryBound(to: UInt8.self))
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Whether the kernel lets this program speak Bluetooth: what a daemon here would need.
    static var bluetoothSockets: SocketKind {
        // Linux has the same numbers on all processors; the C library does not name them.
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
