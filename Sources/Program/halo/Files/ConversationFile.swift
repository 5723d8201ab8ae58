import HaloCapture
import HaloTraffic

/// A file with a conversation, read line by line: a capture, or traffic in another format, which
/// is imported while it is read.
struct ConversationFile {
    struct End {
        var problem: Failure?
        /// `true` if there are lines before that which are neither empty nor comments: only these
        /// tell a capture from another text.
        var hasContent = false
        /// The number of bytes at the end of a recording that are not a whole line.
        var leftOutCount = 0
        var byteCount = 0

        /// `true` if an error is before everything that could be read.
        var isUnreadable: Bool { problem != nil && !hasContent }

        /// An error in the content of a file. A file of which nothing can be read cannot be used.
        func failure(_ message: String, advice: String?) -> Failure {
            hasContent
                ? Failure(.difference, message) : Failure(.unusable, message, advice: advice)
        }

        /// A remark on a recording that was cut off, which is not a fault.
        func remark(on path: FilePath) -> String? {
            guard leftOutCount > 0 else { return nil }
            let bytes = TextLayout.count(leftOutCount, "byte")
            return "\(path.quoted): the recording was cut off; \(bytes) at its "
                + "end \(leftOutCount == 1 ? "is" : "are") not a whole line"
        }
    }

    private let file: InputFile
    /// The report on traffic of an earlier reading, which is not made again.
    private var report: TrafficReport?
    /// The error that ended that reading.
    private var surveyProblem: FileReadingError<TrafficError>?

    private enum Interruption<Thrown: Error>: Error {
        case damage(String)
        case body(Thrown)
    }

    init(_ file: InputFile) {
        self.file = file
    }

    /// Hands each line to `body`, also those before an error. Shows progress under a title.
    mutating func read<Thrown>(
        _ title: String, printsLines: Bool = false, _ console: inout Console,
        _ body: (TimedLine, inout Console) throws(Thrown) -> Void
    ) throws(Thrown) -> End {
        var importer: CaptureImporter?
        var format: TrafficFormat?
        if let problem = recognise(&format, &importer, &console) { return End(problem: problem) }
        // A few packed bytes can have lines without number.
        let isBounded = importer == nil && file.isPacked
        var lines = CaptureLineReader(limits: isBounded ? .standard : .streaming)
        var isTooLong = false
        var end = End()
        var damage: String?
        var advice: String? =
            format == nil
            ? "Not a capture. 'halo help import' lists the other formats." : nil
        do throws(FileReadingError<Interruption<Thrown>>) {
            try file.read(title, printsLines: printsLines, &console) {
                (piece, console) throws(Interruption<Thrown>) in
                end.byteCount += piece.count
                do throws(TrafficError) {
                    try importer?.read(piece)
                } catch {
                    throw .damage("\(file.name): \(error)")
                }
                let error = try mapError(Interruption<Thrown>.body) { () throws(Thrown) in
                    if importer == nil {
                        return try read(piece, &lines, &end, &console, body)
                    }
                    try drain(&importer, &lines, &end, &console, body)
                    return nil
                }
                if let error {
                    isTooLong = error.kind == .fileTooLong
                    throw .damage("\(CaptureFileError(error, in: file.path))")
                }
            }
        } catch {
            switch error {
            case .content(.body(let error)): throw error
            case .content(.damage(let words)): damage = words
            case .file(let error):
                // The importer may hold bytes that were unpacked before damaged ones.
                _ = try? importer?.finish()
                damage = "\(error)"
                advice = nil
            }
        }
        if damage == nil { damage = finish(&importer, &lines, &end) }
        try drain(&importer, &lines, &end, &console, body)
        if let damage {
            end.problem =
                isTooLong
                ? Failure(.unusable, damage) : end.failure(damage, advice: advice)
        }
        return end
    }

    /// Finds the format of the file, and makes the importer of a log. Returns the problem, if
    /// there is one.
    private mutating func recognise(
        _ format: inout TrafficFormat?, _ importer: inout CaptureImporter?,
        _ console: inout Console
    ) -> Failure? {
        do throws(FileReadingError<TrafficError>) {
            format = try file.format()
            // A fixture has no version and no other mark: text in no known format is read as one.
            if let format, format != .capture { importer = try self.importer(&console) }
        } catch {
            return file.failure(error)
        }
        guard importer == nil, let problem = file.refusal else { return nil }
        return Failure(.wrongUsage, problem)
    }

    /// Ends the reading of a whole file. Returns the error, if there is one.
    private func finish(
        _ importer: inout CaptureImporter?, _ lines: inout CaptureLineReader, _ end: inout End
    ) -> String? {
        do throws(TrafficError) {
            if importer != nil {
                try importer?.finish()
                return nil
            }
        } catch {
            return "\(file.name): \(error)"
        }
        if end.byteCount == 0 {
            end.problem = Failure(.unusable, "\(file.name): \(TrafficError.Kind.empty)")
            return nil
        }
        do throws(CaptureError) {
            end.leftOutCount = try lines.finishCutOff()
            return nil
        } catch {
            return "\(CaptureFileError(error, in: file.path))"
        }
    }

    /// Reads the file once, and returns the importer for the second pass. A file without a
    /// conversation before its damage has that fault, and no other.
    private mutating func importer(
        _ console: inout Console
    ) throws(FileReadingError<TrafficError>) -> CaptureImporter {
        let report = if let report { report } else { try survey(&console) }
        self.report = report
        do throws(TrafficError) {
            return try CaptureImporter(report, file.options)
        } catch {
            let isEmpty = !report.connections.contains(where: \.hasConversation)
            if isEmpty, let surveyProblem { throw surveyProblem }
            throw .content(error)
        }
    }

    private mutating func survey(
        _ console: inout Console
    ) throws(FileReadingError<TrafficError>) -> TrafficReport {
        var survey = try mapError(FileReadingError.content) {
            () throws(TrafficError) in try TrafficSurvey(file.options)
        }
        // If there is a second pass, it stops at the same error, and reports it.
        do throws(FileReadingError<TrafficError>) {
            try file.read(into: &survey, &console)
        } catch {
            surveyProblem = error
        }
        return survey.report
    }

    private func drain<Thrown>(
        _ importer: inout CaptureImporter?, _ lines: inout CaptureLineReader,
        _ end: inout End, _ console: inout Console,
        _ body: (TimedLine, inout Console) throws(Thrown) -> Void
    ) throws(Thrown) {
        // The text of the importer is a valid capture.
        try importer?.drain { (text) throws(Thrown) in
            _ = try read(text, &lines, &end, &console, body)
        }
    }

    private func read<Thrown>(
        _ text: Span<UInt8>, _ lines: inout CaptureLineReader, _ end: inout End,
        _ console: inout Console, _ body: (TimedLine, inout Console) throws(Thrown) -> Void
    ) throws(Thrown) -> CaptureError? {
        try lines.read(text) { (line) throws(Thrown) in
            switch line.line {
            case .blank, .comment: break
            default: end.hasContent = true
            }
            try body(line, &console)
        }
    }
}
