/// A file that appears under its name when it is whole, and not before.
///
/// It is written beside its place under another name, which ends in `.part`; if nobody says
/// ``commit()``, it is gone. A program that is ended by force leaves the `.part` behind, and
/// nothing under the name. Where the name is a link, what it leads to is replaced, and the link
/// stays; a file that replaces another may be read by whom the other could be read.
public struct FileOutput: ~Copyable {
    /// Where it will be.
    public let path: String
    /// How much was written.
    public private(set) var length = 0

    private let draft: SystemFile.Draft
    private var isCommitted = false

    /// Begins a file; what lies under that name stays until the new one is whole. A folder, a
    /// pipe or a device is refused.
    public init(_ path: String) throws(FileError) {
        draft = try SystemFile.createDraft(of: path)
        self.path = path
    }

    deinit {
        SystemFile.close(draft.descriptor)
        if !isCommitted { SystemFile.remove(draft.temporary) }
    }

    /// Writes bytes behind those that are there.
    public mutating func write(_ bytes: Span<UInt8>) throws(FileError) {
        try SystemFile.write(draft.descriptor, bytes, path, length)
        length += bytes.count
    }

    /// Writes bytes behind those that are there.
    public mutating func write(_ bytes: some Sequence<UInt8>) throws(FileError) {
        try write(ContiguousArray(bytes).span)
    }

    /// Gives the file its name: it is whole.
    public mutating func commit() throws(FileError) {
        guard !isCommitted else { return }
        try SystemFile.finish(draft, path, length)
        isCommitted = true
    }
}
