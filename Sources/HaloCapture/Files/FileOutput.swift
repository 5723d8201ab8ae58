/// A file that appears under its name when it is whole, and not before.
///
/// It is written beside its place under another name; if nobody says ``commit()``, it is gone.
public struct FileOutput: ~Copyable {
    /// Where it will be.
    public let path: String
    /// How much was written.
    public private(set) var length = 0

    private let temporary: String
    private let descriptor: Int32
    private var isCommitted = false

    /// Begins a file; what lies under that name stays until the new one is whole.
    public init(_ path: String) throws(FileError) {
        (descriptor, temporary) = try SystemFile.createTemporary(beside: path)
        self.path = path
    }

    deinit {
        SystemFile.close(descriptor)
        if !isCommitted { SystemFile.remove(temporary) }
    }

    /// Writes bytes behind those that are there.
    public mutating func write(_ bytes: Span<UInt8>) throws(FileError) {
        try SystemFile.write(descriptor, bytes, path, length)
        length += bytes.count
    }

    /// Writes bytes behind those that are there.
    public mutating func write(_ bytes: some Sequence<UInt8>) throws(FileError) {
        try write(ContiguousArray(bytes).span)
    }

    /// Gives the file its name: it is whole.
    public mutating func commit() throws(FileError) {
        try SystemFile.rename(descriptor, temporary, to: path)
        isCommitted = true
    }
}
