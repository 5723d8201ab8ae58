/// A file that has its name from the beginning, and grows by whole pieces.
///
/// What was written is in the file when ``write(_:)`` returns, and stays there when the program
/// ends in whatever way; at most the last piece is cut off.
struct FileLog: ~Copyable {
    let path: String
    private(set) var length = 0

    private let descriptor: Int32

    /// Makes a file; one that is there is an error, unless it may be emptied.
    init(_ path: String, replacing: Bool) throws(FileError) {
        descriptor = try SystemFile.createLog(path, replacing: replacing)
        self.path = path
    }

    deinit {
        SystemFile.close(descriptor)
    }

    /// Writes bytes behind those that are there, at once if the system takes them at once.
    mutating func write(_ bytes: Span<UInt8>) throws(FileError) {
        try SystemFile.write(descriptor, bytes, path, length)
        length += bytes.count
    }

    /// Waits until everything is where no failing power can take it.
    func synchronise() throws(FileError) {
        try SystemFile.synchronise(descriptor, path, length)
    }
}
