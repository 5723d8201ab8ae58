/// A regular file that is read in pieces.
///
/// Reading ends at the length that the file has when it is opened, even if the file grows.
public struct FileInput: ~Copyable {
    /// The path of the file; escaped if it is not UTF-8.
    package var path: String { location.text }
    /// The length of the file at its opening, in bytes.
    package let length: Int
    /// The number of bytes read so far, and so the file offset of the next piece.
    package private(set) var offset = 0

    private let location: FilePath
    private let file: SystemFile
    private var buffer = ContiguousArray<UInt8>(repeating: 0, count: pieceLength)

    package static let pieceLength = 1 << 18

    /// Opens a file for reading. A folder, a pipe or a device is refused.
    package init(_ path: String) throws(FileError) {
        try self.init(FilePath(path))
    }

    package init(_ path: FilePath) throws(FileError) {
        (file, length) = try SystemFile.openFile(path)
        location = path
    }

    package init(_ source: OpenFile) {
        (file, location, length) = (source.file, source.path, source.length)
    }

    /// Reads the next piece, and calls `body` with it; returns `false` at the end.
    package mutating func readPiece<Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Void
    ) throws(FileReadingError<Failure>) -> Bool {
        let end = min(offset + Self.pieceLength, length)
        let count = try mapError(FileReadingError<Failure>.file) { () throws(FileError) in
            try file.readRange(offset..<end, into: &buffer, location)
        }
        guard count > 0 else { return false }
        offset += count
        try mapError(FileReadingError.content) { () throws(Failure) in
            try body(buffer.span.extracting(0..<count))
        }
        return true
    }

    /// Reads a range of the file, wherever the pieces are. Fewer bytes mean that the file has
    /// ended.
    package func read(_ range: Range<Int>) throws(FileError) -> ContiguousArray<UInt8> {
        let range = range.clamped(to: 0..<length)
        var bytes = ContiguousArray<UInt8>(repeating: 0, count: range.count)
        let count = try file.readRange(range, into: &bytes, location)
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// Calls `body` with the pieces of a file, one after another.
    public static func readPieces<Failure: Error>(
        of path: String, _ body: (Span<UInt8>) throws(Failure) -> Void
    ) throws(FileReadingError<Failure>) {
        var file = try mapError(FileReadingError<Failure>.file) { () throws(FileError) in
            try FileInput(path)
        }
        while try file.readPiece(body) {}
    }
}
