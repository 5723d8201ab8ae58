import HaloTransport

/// A file that a recorder writes to, from one thread at a time.
final class RecordingFile: Sendable {
    private let path: String
    private let descriptor: Int32
    private let length = Locked(0)

    /// Makes the file; see ``SystemFile/createLog(_:replacing:)``.
    convenience init(_ path: String, replacing: Bool) throws(FileError) {
        self.init(path, try SystemFile.createLog(path, replacing: replacing))
    }

    init(_ path: String, _ descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        SystemFile.close(descriptor)
    }

    /// Writes whole lines behind those that are there; when it returns, the system has them, and
    /// they stay when the program ends in whatever way.
    func write(_ bytes: Span<UInt8>) throws(FileError) {
        let offset = length.withLock { $0 }
        try SystemFile.write(descriptor, bytes, path, offset)
        length.withLock { $0 += bytes.count }
    }

    /// Waits until everything is where no failing power can take it.
    func synchronise() throws(FileError) {
        try SystemFile.synchronise(descriptor, path, length.withLock { $0 })
    }
}
