/// A file that appears under its name once it is complete, and not before.
///
/// The file is written in the same folder under a temporary name ending in `.part`, and removed
/// without ``commit()``. A program that is killed leaves the `.part` behind, and no file under the
/// name. If the name is a link, the destination is replaced, and the link stays. Only the owner may
/// read the file (mode 0600), also before it is complete, and also if it replaces a file that
/// others could read.
public struct FileOutput: ~Copyable {
    /// The path of the file after ``commit()``; escaped if it is not UTF-8.
    public var path: String { file.path.text }
    /// The number of bytes written so far.
    public private(set) var length = 0

    private let file: SystemFile
    /// The file with a temporary name; `nil` for standard output.
    private let draft: SystemFile.Draft?
    private var isCommitted = false

    /// Begins a file. An existing file of that name stays until the new one is complete. A folder,
    /// a pipe or a device is refused.
    public init(_ path: String) throws(FileError) {
        try self.init(FilePath(path))
    }

    package init(_ path: FilePath) throws(FileError) {
        let draft = try SystemFile.createDraft(of: path)
        (file, self.draft) = (draft.file, draft)
    }

    /// Writes to standard output, which has this path in errors.
    package init(standardOutput path: FilePath) throws(FileError) {
        file = try SystemFile.standardOutput(path)
        draft = nil
    }

    deinit {
        if let draft, !isCommitted { draft.temporary.remove() }
    }

    package var temporary: FilePath? { draft?.temporary }

    /// Appends bytes.
    public mutating func write(_ bytes: Span<UInt8>) throws(FileError) {
        try file.writeAll(bytes, at: length)
        length += bytes.count
    }

    /// Appends the bytes of a sequence.
    public mutating func write(_ bytes: some Sequence<UInt8>) throws(FileError) {
        try write(ContiguousArray(bytes).span)
    }

    /// Gives the complete file its name.
    public mutating func commit() throws(FileError) { _ = try commit(replacing: true) }

    /// Gives the complete file its name. If it may not replace another file, and there is one of
    /// the name by now, returns `false`, and the other file stays.
    package mutating func commit(replacing: Bool) throws(FileError) -> Bool {
        guard let draft, !isCommitted else { return true }
        isCommitted = try SystemFile.finish(draft, length, replacing: replacing)
        return isCommitted
    }
}
