import HaloCapture
import HaloTraffic

/// A file that is read in pieces, with progress: `-` is standard input.
struct InputFile {
    let path: FilePath
    let options: ImportOptions

    private let source = Source()

    /// The opened file, if it cannot be opened again for the next pass.
    private final class Source {
        var file: OpenFile?
        var isPacked = false
    }

    init(_ path: FilePath, _ options: ImportOptions) {
        (self.path, self.options) = (path, options)
    }

    /// The path in quotation marks, safe for a terminal.
    var name: String { path.quoted }

    /// `true` if the file is unpacked while it is read; known once it was opened.
    var isPacked: Bool { source.isPacked }

    func read<Thrown>(
        _ title: String, printsLines: Bool = false, _ console: inout Console,
        _ body: (Span<UInt8>, inout Console) throws(Thrown) -> Void
    ) throws(FileReadingError<Thrown>) {
        var file = try open(Thrown.self)
        var progress = console.progress("\(title) \(name)", printsLines: printsLines)
        defer { progress.end() }
        while try file.readPiece({ (piece) throws(Thrown) in try body(piece, &console) }) {
            progress.show(Double(file.consumedLength) / Double(file.length))
        }
    }

    /// Surveys the whole file. The survey is ended after damage, too: it may hold bytes that were
    /// unpacked before it.
    func read(
        into survey: inout TrafficSurvey, _ console: inout Console
    ) throws(FileReadingError<TrafficError>) {
        do throws(FileReadingError<TrafficError>) {
            try read("reading", &console) { (piece, _) throws(TrafficError) in
                try survey.read(piece)
            }
        } catch {
            if case .file = error { try? survey.finish() }
            throw error
        }
        try mapError(FileReadingError.content) { () throws(TrafficError) in try survey.finish() }
    }

    /// The format of the file, given or by its first bytes, or `nil` if it is in none.
    func format() throws(FileReadingError<TrafficError>) -> TrafficFormat? {
        if let format = options.format { return format }
        var file = try open(TrafficError.self)
        var format: TrafficFormat?
        _ = try file.readPiece { (piece: Span<UInt8>) throws(TrafficError) in
            let count = min(piece.count, TrafficFormat.detectionLength)
            format = TrafficFormat.detect(piece.extracting(0..<count))
        }
        return format
    }

    /// The reason to refuse options that are only for other formats, for a file that is a capture;
    /// `nil` if there are none.
    var refusal: String? {
        let isPlain =
            options.handles.isEmpty && options.unnamed.isEmpty && options.role == nil
            && [.all, .only].contains(options.device)
        return isPlain
            ? nil : "\(name): this is a capture; --device, --map and --role are for other formats"
    }

    /// An error with the file before it; nothing could be read before it.
    func failure(_ error: FileReadingError<TrafficError>) -> Failure {
        switch error {
        case .file(let error): Failure(error)
        case .content(let error): Failure(.unusable, "\(name): \(error)")
        }
    }

    private func open<Thrown>(
        _ content: Thrown.Type
    ) throws(FileReadingError<Thrown>) -> TrafficFile {
        try mapError(FileReadingError<Thrown>.file) { () throws(FileError) in try open() }
    }

    private func open() throws(FileError) -> TrafficFile {
        if source.file == nil {
            source.file =
                path.isStandard ? try OpenFile(standardInput: path) : try OpenFile(pipe: path)
        }
        let input = if let file = source.file { FileInput(file) } else { try FileInput(path) }
        let opened = try TrafficFile(input, entry: options.entry)
        source.isPacked = opened.isPacked
        return opened
    }
}
