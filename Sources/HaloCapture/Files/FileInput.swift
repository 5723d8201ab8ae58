import HaloProtocol

/// A regular file that is read in pieces.
///
/// Reading ends at the length that the file has when it is opened, even if the file grows.
public struct FileInput: ~Copyable {
    /// The path of the file; escaped if it is no UTF-8.
    public var path: String { location.text }
    /// The length of the file at its opening, in bytes.
    public let length: Int
    /// The number of bytes read so far, and so the file offset of the next piece.
    public private(set) var offset = 0

    private let location: FilePath
    private let descriptor: Int32
    private var buffer: ContiguousArray<UInt8>

    /// The length of a piece, in bytes.
    package static let pieceLength = 1 << 18

    /// Opens a file for reading. A folder, a pipe or a device is refused.
    public init(_ path: String) throws(FileError) {
        try self.init(FilePath(path))
    }

    /// Opens a file for reading. A folder, a pipe or a device is refused.
    package init(_ path: FilePath) throws(FileError) {
        (descriptor, length) = try SystemFile.open(path)
        location = path
        buffer = ContiguousArray(repeating: 0, count: Self.pieceLength)
    }

    /// Reads an open file from its beginning.
    package init(_ file: OpenFile) throws(FileError) {
        descriptor = try SystemFile.duplicate(file.descriptor, file.path)
        (location, length) = (file.path, file.length)
        buffer = ContiguousArray(repeating: 0, count: Self.pieceLength)
    }

    deinit {
        SystemFile.close(descriptor)
    }

    /// Reads the next piece, and calls `body` with it; returns `false` at the end.
    public mutating func readPiece<Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Void
    ) throws(FileReadingError<Failure>) -> Bool {
        let wanted = min(Self.pieceLength, length - offset)
        guard wanted > 0 else { return false }
        let count: Int
        do throws(FileError) {
            count = try SystemFile.read(descriptor, &buffer, wanted, location, offset)
        } catch {
            throw .file(error)
        }
        guard count > 0 else { return false }
        offset += count
        do throws(Failure) {
            try body(buffer.span.extracting(0..<count))
        } catch {
            throw .content(error)
        }
        return true
    }

    /// Reads a range of the file, wherever the pieces are. Fewer bytes mean that the file has
    /// ended.
    package func read(_ range: Range<Int>) throws(FileError) -> ContiguousArray<UInt8> {
        let range = range.clamped(to: 0..<length)
        var bytes = ContiguousArray<UInt8>(repeating: 0, count: range.count)
        let count = try SystemFile.read(descriptor, &bytes, range, location)
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// Calls `body` with the pieces of a file, one after another.
    public static func readPieces<Failure: Error>(
        of path: String, _ body: (Span<UInt8>) throws(Failure) -> Void
    ) throws(FileReadingError<Failure>) {
        let input: FileInput
        do throws(FileError) {
            input = try FileInput(path)
        } catch {
            throw .file(error)
        }
        var file = input
        while try file.readPiece(body) {}
    }
}

/// An error that stops reading a file: of the file, or of its content.
public enum FileReadingError<Content: Error>: Error {
    /// The file cannot be read.
    case file(FileError)
    /// The content is invalid.
    case content(Content)
}

/// A file that appears under its name once it is complete, and not before.
///
/// The file is written in the same folder under a temporary name ending in `.part`, and removed
/// without ``commit()``. A program that is killed leaves the `.part` behind, and no file under the
/// name. If the name is a link, the destination is replaced, and the link stays. A file that
/// replaces another has the permissions of the old one.
public struct FileOutput: ~Copyable {
    /// The path of the file after ``commit()``; escaped if it is no UTF-8.
    public var path: String { location.text }
    /// The number of bytes written so far.
    public private(set) var length = 0

    private let location: FilePath
    private let descriptor: Int32
    /// The file with a temporary name; `nil` for standard output.
    private let draft: SystemFile.Draft?
    private var isCommitted = false

    /// Begins a file. An existing file of that name stays until the new one is complete. A folder,
    /// a pipe or a device is refused.
    public init(_ path: String) throws(FileError) {
        try self.init(FilePath(path))
    }

    /// Begins a file; see ``init(_:)-(String)``.
    package init(_ path: FilePath) throws(FileError) {
        let draft = try SystemFile.createDraft(of: path)
        (location, descriptor, self.draft) = (path, draft.descriptor, draft)
    }

    /// Writes to standard output, which has this path in errors.
    package init(standardOutput path: FilePath) throws(FileError) {
        descriptor = try SystemFile.standardOutput(path)
        (location, draft) = (path, nil)
    }

    deinit {
        SystemFile.close(descriptor)
        if let draft, !isCommitted { SystemFile.remove(draft.temporary) }
    }

    /// The temporary name; `nil` for standard output.
    package var temporary: FilePath? { draft?.temporary }

    /// Appends bytes.
    public mutating func write(_ bytes: Span<UInt8>) throws(FileError) {
        try SystemFile.write(descriptor, bytes, location, length)
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
        if let draft, !isCommitted {
            guard try SystemFile.finish(draft, location, length, replacing: replacing) else {
                return false
            }
        }
        isCommitted = true
        return true
    }
}

/// An error of a file.
public struct FileError: Error, Hashable, Sendable {
    /// A failed operation; a list that can grow.
    public struct Operation: Hashable, Sendable, CustomStringConvertible {
        /// The failure in words.
        public let description: String

        /// Opening the file for reading.
        public static let open = Operation(description: "cannot be opened")
        /// Reading the file.
        public static let read = Operation(description: "cannot be read")
        /// Creating the file.
        public static let create = Operation(description: "cannot be made")
        /// Writing the file.
        public static let write = Operation(description: "cannot be written")
    }

    /// The path of the file; escaped if it is no UTF-8.
    public var path: String { location.text }
    /// The operation that failed.
    public let operation: Operation
    /// The file offset of the failure, in bytes.
    public let offset: Int
    /// The reason, in the system's words or in this package's.
    public let reason: String

    /// The path of the file, as the system has it.
    let location: FilePath

    /// Creates an error of an operation.
    package init(_ operation: Operation, _ path: String, at offset: Int = 0, reason: String) {
        self.init(operation, FilePath(path), at: offset, reason: reason)
    }

    /// Creates an error of an operation.
    package init(_ operation: Operation, _ path: FilePath, at offset: Int = 0, reason: String) {
        location = path
        self.operation = operation
        self.offset = offset
        self.reason = reason
    }
}

extension FileError: CustomStringConvertible {
    /// One sentence, preceded by the file; safe for a terminal.
    public var description: String {
        let position = offset > 0 ? " at byte \(offset)" : ""
        return "\(location.quoted) \(operation)\(position): \(reason)"
    }
}
