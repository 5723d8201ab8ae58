/// A regular file, read in pieces.
///
/// It is read as long as it was when it was opened, also if it grows meanwhile.
public struct FileInput: ~Copyable {
    /// The file.
    public let path: String
    /// How long the file was when it was opened, in bytes.
    public let length: Int
    /// How much was read.
    public private(set) var offset = 0

    private let descriptor: Int32
    private var buffer: ContiguousArray<UInt8>

    /// How much is read at once.
    public static let pieceLength = 1 << 18

    /// Opens a file; a folder, a pipe or a device is refused.
    public init(_ path: String) throws(FileError) {
        (descriptor, length) = try SystemFile.open(path)
        self.path = path
        buffer = ContiguousArray(repeating: 0, count: Self.pieceLength)
    }

    deinit {
        SystemFile.close(descriptor)
    }

    /// Reads the next piece and hands it to `body`; answers false when there is none.
    public mutating func readPiece<Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Void
    ) throws(FileReadingError<Failure>) -> Bool {
        let wanted = min(Self.pieceLength, length - offset)
        guard wanted > 0 else { return false }
        let count: Int
        do throws(FileError) {
            count = try SystemFile.read(descriptor, &buffer, wanted, path, offset)
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
}

extension FileInput {
    /// Hands the pieces of a file to `body`, one after another.
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

/// Why a file was not read to its end: because of the file, or of what stands in it.
public enum FileReadingError<Content: Error>: Error {
    /// The file cannot be read.
    case file(FileError)
    /// Who read it found something wrong.
    case content(Content)
}
