import HaloCapture
import HaloProtocol
import HaloTraffic

/// A file that is read in pieces, with progress: `-` is standard input.
struct InputFile {
    let path: FilePath
    /// The name of the log in an archive, or `nil` for the only one.
    private let entry: String?

    private let source = Source()

    /// The opened file, if it cannot be opened again for the next pass.
    private final class Source {
        var file: OpenFile?
    }

    init(_ path: FilePath, entry: String? = nil) {
        self.path = path
        self.entry = entry
    }

    /// The path in quotation marks, safe for a terminal.
    var name: String { path.quoted }

    /// Reads all pieces, and shows progress under a title.
    func read<Thrown>(
        _ title: String, printsLines: Bool = false, _ console: inout Console,
        _ body: (Span<UInt8>, inout Console) throws(Thrown) -> Void
    ) throws(FileReadingError<Thrown>) {
        var file = try open(Thrown.self)
        var progress = console.progress("\(title) \(name)", printsLines: printsLines)
        defer { progress.end() }
        while try file.readPiece({ (piece) throws(Thrown) in try body(piece, &console) }) {
            progress.show(file.consumedFraction)
        }
    }

    /// Reads a capture, and hands each line to `body`, also those before an error.
    func readCapture<Thrown>(
        _ title: String, printsLines: Bool = false, _ console: inout Console,
        _ body: (TimedLine, inout Console) throws(Thrown) -> Void
    ) throws(Thrown) -> ConversationFile.End {
        var end = ConversationFile.End()
        let input: TrafficFile
        do throws(FileError) {
            input = try open()
        } catch {
            end.problem = Failure(error)
            return end
        }
        var file = input
        var reader = CaptureLineReader()
        var progress = console.progress("\(title) \(name)", printsLines: printsLines)
        defer { progress.end() }
        var damage: CaptureError?
        do throws(FileReadingError<Thrown>) {
            var isOpen = true
            while isOpen, damage == nil {
                isOpen = try file.readPiece { (piece) throws(Thrown) in
                    damage = try reader.read(piece) { (line) throws(Thrown) in
                        end.lineCount += 1
                        try body(line, &console)
                    }
                }
                end.byteCount = file.offset
                progress.show(file.consumedFraction)
            }
        } catch {
            switch error {
            case .file(let error): end.problem = Failure(error)
            case .content(let error): throw error
            }
            return end
        }
        if damage == nil, end.byteCount == 0 {
            end.problem = Failure(.unusable, "\(name): \(TrafficError.Kind.empty)")
            return end
        }
        do throws(CaptureError) {
            if damage == nil { end.leftOutCount = try reader.finishCutOff() }
        } catch {
            damage = error
        }
        if let damage { end.problem = end.failure("\(CaptureFileError(damage, in: path))") }
        return end
    }

    /// The format of the file by its first bytes, or `nil` if it is in none.
    func detectedFormat() throws(FileReadingError<TrafficError>) -> TrafficFormat? {
        var file = try open(TrafficError.self)
        var format: TrafficFormat?
        _ = try file.readPiece { (piece: Span<UInt8>) throws(TrafficError) in
            let count = min(piece.count, TrafficFormat.detectionLength)
            format = TrafficFormat.detect(piece.extracting(0..<count))
        }
        return format
    }

    /// The reason why options for traffic cannot be used for a capture, if there are some.
    func refusal(of options: ImportOptions) -> String? {
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

    /// Opens the file for one pass.
    private func open() throws(FileError) -> TrafficFile {
        if source.file == nil {
            source.file =
                path.isStandard ? try OpenFile(standardInput: path) : try OpenFile(pipe: path)
        }
        let input = if let file = source.file { try FileInput(file) } else { try FileInput(path) }
        return try TrafficFile(input, entry: entry)
    }
}

extension TrafficFile {
    /// The fraction of the file that is consumed.
    fileprivate var consumedFraction: Double {
        length == 0 ? 1 : Double(consumedLength) / Double(length)
    }
}

/// A file with a conversation, read line by line: a capture, or traffic in another format, which
/// is imported while it is read.
struct ConversationFile {
    /// The end of a reading.
    struct End {
        /// The error that stopped the reading, with its position.
        var problem: Failure?
        /// The number of lines before that.
        var lineCount = 0
        /// The number of bytes at the end of a recording that are not a whole line.
        var leftOutCount = 0
        /// The number of bytes of a capture that were read.
        var byteCount = 0

        /// An error in the content of a file. A file of which nothing can be read cannot be used.
        func failure(_ message: String) -> Failure {
            Failure(lineCount == 0 ? .unusable : .difference, message)
        }

        /// A remark on a recording that was cut off, which is not a fault.
        func remark(on path: FilePath) -> String? {
            guard leftOutCount > 0 else { return nil }
            let bytes = TextLayout.count(leftOutCount, "byte")
            return "\(path.quoted): the recording was cut off; \(bytes) at its "
                + "end \(leftOutCount == 1 ? "is" : "are") no whole line"
        }
    }

    private let file: InputFile
    private let options: ImportOptions
    /// The report on traffic of an earlier reading, which is not made again.
    private var report: TrafficReport?

    /// The reason why traffic is not read further.
    private enum Interruption<Thrown: Error>: Error {
        case traffic(TrafficError)
        case body(Thrown)
    }

    /// A file, and the options for its import.
    init(_ file: InputFile, _ options: ImportOptions) {
        self.file = file
        self.options = options
    }

    /// The path in quotation marks, safe for a terminal.
    var name: String { file.name }

    /// Hands each line to `body`, also those before an error. Shows progress under a title.
    mutating func read<Thrown>(
        _ title: String, printsLines: Bool = false, _ console: inout Console,
        _ body: (TimedLine, inout Console) throws(Thrown) -> Void
    ) throws(Thrown) -> End {
        let importer: CaptureImporter?
        do throws(FileReadingError<TrafficError>) {
            var format = options.format
            if format == nil { format = try file.detectedFormat() }
            // A fixture has no version and no other mark: text in no known format is read as one.
            importer = (format ?? .capture) == .capture ? nil : try self.importer(&console)
        } catch {
            return End(problem: file.failure(error))
        }
        if let importer { return try readTraffic(importer, title, printsLines, &console, body) }
        if let problem = file.refusal(of: options) {
            return End(problem: Failure(.wrongUsage, problem))
        }
        return try file.readCapture(title, printsLines: printsLines, &console, body)
    }

    private func readTraffic<Thrown>(
        _ importer: CaptureImporter, _ title: String, _ printsLines: Bool,
        _ console: inout Console,
        _ body: (TimedLine, inout Console) throws(Thrown) -> Void
    ) throws(Thrown) -> End {
        var importer = importer
        var lines = CaptureLineReader()
        var end = End()
        var damage: TrafficError?
        do throws(FileReadingError<Interruption<Thrown>>) {
            try file.read(title, printsLines: printsLines, &console) {
                (piece, console) throws(Interruption<Thrown>) in
                try mapError(Interruption<Thrown>.traffic) {
                    () throws(TrafficError) in try importer.read(piece)
                }
                try mapError(Interruption<Thrown>.body) { () throws(Thrown) in
                    try drain(&importer, &lines, &end, &console, body)
                }
            }
        } catch {
            switch error {
            case .content(.body(let error)): throw error
            case .content(.traffic(let error)): damage = error
            case .file(let error): end.problem = Failure(error)
            }
        }
        do throws(TrafficError) {
            if end.problem == nil, damage == nil { try importer.finish() }
        } catch {
            damage = error
        }
        try drain(&importer, &lines, &end, &console, body)
        if let damage { end.problem = end.failure("\(file.name): \(damage)") }
        return end
    }

    /// Reads the file once, and returns the importer for the second pass.
    private mutating func importer(
        _ console: inout Console
    ) throws(FileReadingError<TrafficError>) -> CaptureImporter {
        let report = if let report { report } else { try survey(&console) }
        self.report = report
        return try mapError(FileReadingError.content) {
            () throws(TrafficError) in try CaptureImporter(report, options)
        }
    }

    private func survey(
        _ console: inout Console
    ) throws(FileReadingError<TrafficError>) -> TrafficReport {
        var survey = try mapError(FileReadingError.content) {
            () throws(TrafficError) in try TrafficSurvey(options)
        }
        // An error here stops the second pass as well, which reports it.
        do throws(FileReadingError<TrafficError>) {
            try file.read("reading", &console) { (piece, _) throws(TrafficError) in
                try survey.read(piece)
            }
            try? survey.finish()
        } catch {}
        return survey.report
    }

    private func drain<Thrown>(
        _ importer: inout CaptureImporter, _ lines: inout CaptureLineReader,
        _ end: inout End, _ console: inout Console,
        _ body: (TimedLine, inout Console) throws(Thrown) -> Void
    ) throws(Thrown) {
        // The text of the importer is a valid capture.
        try importer.drainText { (text) throws(Thrown) in
            _ = try lines.read(text) { (line) throws(Thrown) in
                end.lineCount += 1
                try body(line, &console)
            }
        }
    }
}

/// A conversation in memory, as far as its file can be read and memory allows.
struct HeldConversation {
    private(set) var capture = Capture()
    private(set) var end = ConversationFile.End()

    private var length = 0

    /// The least length of a line in text.
    private static let lineLength = 2
    /// The length of a byte of a packet in text.
    private static let byteLength = 3

    /// The line at which memory is used up.
    private struct Overflow: Error {
        let line: Int
    }

    /// Reads a capture, or traffic in another format. Nothing is read behind the limits.
    init(_ file: InputFile, _ options: ImportOptions, _ console: inout Console) {
        var conversation = ConversationFile(file, options)
        do throws(Overflow) {
            end = try conversation.read("reading", &console) { (line, _) throws(Overflow) in
                guard hold(line.line) else { throw Overflow(line: line.number) }
            }
        } catch {
            end.lineCount = capture.lines.count
            let error = CaptureError(.fileTooLong, line: error.line, column: 1)
            end.problem = Failure(.unusable, "\(CaptureFileError(error, in: file.path))")
        }
    }

    /// Adds a line; returns `false` if memory is used up.
    private mutating func hold(_ line: CaptureLine) -> Bool {
        let limits = CaptureReader.Limits.standard
        length += Self.lineLength + Self.textLength(line)
        guard capture.lines.count < limits.lineCount, length <= limits.length else { return false }
        return (try? capture.append(line)) != nil
    }

    /// Returns the length of the parts of a line in text that have no limit of their own.
    private static func textLength(_ line: CaptureLine) -> Int {
        switch line {
        case .packet(let packet): packet.bytes.count * byteLength
        case .comment(let text), .reading(let text), .error(let text): text.text.utf8.count
        case .version, .blank, .name, .event, .elapsed: 0
        }
    }
}
