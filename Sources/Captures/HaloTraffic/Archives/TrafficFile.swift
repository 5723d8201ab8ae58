public import HaloCapture
import HaloProtocol

/// A file of traffic that is read in pieces, and unpacked on the way: a file in gzip, or the log in
/// a ZIP archive. Any other file is read as it is.
public struct TrafficFile: ~Copyable {
    /// The path of the file.
    package let path: String

    private var plain: FileInput?
    private let plainLength: Int
    private var plainOffset = 0
    private var packed: PackedStream?

    /// Opens a file.
    ///
    /// - Parameter entry: The name of the log in an archive, or `nil` for the only one.
    public init(_ path: String, entry: String? = nil) throws(FileError) {
        try self.init(FileInput(path), entry: entry)
    }

    package init(_ file: consuming FileInput, entry: String? = nil) throws(FileError) {
        let path = file.path
        let length = file.length
        self.path = path
        plainLength = length
        let beginning = try file.read(0..<4)
        let isArchive = TrafficArchive.isArchive(beginning.span)
        guard isArchive || entry == nil else {
            throw FileError(.open, path, reason: "it is not an archive, and has no entries")
        }
        guard isArchive || beginning.starts(with: Unpacker.gzipMagic) else {
            plain = consume file
            return
        }
        let shared = SharedFile(file)
        if isArchive {
            packed = try mapError({ Self.fileError($0, path) }) {
                () throws(FileReadingError<TrafficError>) in
                try Self.log(of: TrafficArchive(length: length, read: shared.read), entry, path)
            }
        } else {
            packed = PackedStream(0..<length, Unpacker(.gzip), shared.read)
        }
    }

    private final class SharedFile {
        private let file: FileInput

        init(_ file: consuming FileInput) {
            self.file = file
        }

        func read(
            _ range: Range<Int>
        ) throws(FileReadingError<TrafficError>) -> ContiguousArray<UInt8> {
            try mapError(FileReadingError<TrafficError>.file) { () throws(FileError) in
                try file.read(range)
            }
        }
    }

    package var isPacked: Bool { packed != nil }
    /// The number of unpacked bytes read so far.
    package var offset: Int { packed?.count ?? plainOffset }
    /// The number of bytes of the file, or of the packed entry, read so far.
    package var consumedLength: Int { packed?.packedCount ?? plainOffset }
    /// The number of bytes of the file, or of the packed entry.
    package var length: Int { packed?.packedLength ?? plainLength }

    /// Reads the next piece, and calls `body` with it; returns `false` at the end.
    public mutating func readPiece<Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Void
    ) throws(FileReadingError<Failure>) -> Bool {
        guard packed != nil else {
            return try plain?.readPiece { (piece) throws(Failure) in
                plainOffset += piece.count
                try body(piece)
            } ?? false
        }
        let isFirst = offset == 0
        let piece: ContiguousArray<UInt8>?
        do throws(FileReadingError<TrafficError>) {
            piece = try packed?.nextPiece()
        } catch {
            throw .file(Self.fileError(error, path))
        }
        guard let piece else { return false }
        if isFirst, piece.starts(with: Unpacker.gzipMagic) {
            throw .file(
                FileError(.read, path, reason: "it is compressed twice; unpack it first"))
        }
        try mapError(FileReadingError.content) { () throws(Failure) in try body(piece.span) }
        return true
    }

    /// The log of an archive; an error for several logs names them.
    private static func log(
        of archive: TrafficArchive, _ entry: String?, _ path: String
    ) throws(FileReadingError<TrafficError>) -> PackedStream {
        do throws(FileReadingError<TrafficError>) {
            return try archive.stream(of: archive.log(named: entry))
        } catch {
            guard case .content(let reason) = error, reason.kind == .noEntry else { throw error }
            var logs = entry == nil ? try archive.logs() : []
            if logs.isEmpty { logs = archive.entries }
            let names = logs.prefix(mostNames).map { PrintableText.quoted($0.name.utf8) }
            let more = logs.count > mostNames ? ", …" : ""
            let list = names.isEmpty ? "" : ": " + names.joined(separator: ", ") + more
            throw .file(FileError(.open, path, reason: "\(reason.hint ?? "")\(list)"))
        }
    }

    private static let mostNames = 8

    private static func fileError(
        _ error: FileReadingError<TrafficError>, _ path: String
    ) -> FileError {
        switch error {
        case .file(let error): return error
        case .content(let error):
            let hint = error.hint.map { "; \($0)" } ?? ""
            return FileError(.read, path, at: error.offset, reason: "\(error.kind)\(hint)")
        }
    }
}
