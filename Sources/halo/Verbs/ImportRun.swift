import HaloCapture
import HaloProtocol
import HaloTraffic

/// The passes of `halo import` over a file, and their reports.
struct ImportRun {
    /// The reason why a capture was not written.
    private enum Failure: Error {
        case traffic(TrafficError)
        case output(FileError)
    }

    private let output: String?
    private let options: ImportOptions
    private let isJSON: Bool
    private let file: InputFile
    private let printer: TrafficPrinter

    /// The most connections that the last line names.
    private static let mostNumbers = 8

    init(path: String, output: String?, options: ImportOptions, isJSON: Bool) {
        self.output = output
        self.options = options
        self.isJSON = isJSON
        file = InputFile(path: path, entry: options.entry)
        printer = TrafficPrinter(isJSON: isJSON, path: path)
    }

    func run(_ console: inout Console) -> ExitStatus {
        let format = try? options.format ?? file.detectedFormat()
        if format == .capture { return runCapture(&console) }
        var survey: TrafficSurvey
        do throws(TrafficError) {
            survey = try TrafficSurvey(options)
        } catch {
            return fail("\(error)", &console)
        }
        var problem: String?
        do throws(FileReadingError<TrafficError>) {
            try file.read("reading", &console) { (piece, _) throws(TrafficError) in
                try survey.read(piece)
            }
            try mapError(FileReadingError.content) {
                () throws(TrafficError) in try survey.finish()
            }
        } catch {
            problem = file.describe(error)
        }
        let report = survey.report
        if let problem, report.recordCount == 0 { return fail(problem, &console) }
        printer.print(report, to: &console)
        var isDone = problem == nil
        if !report.connections.contains(where: \.hasConversation) {
            isDone = false
            if problem == nil { self.report(missing: .all, in: report, &console) }
        } else if let output {
            isDone = write(report, output, &console) && isDone
        } else {
            if options.device != .only, self.report(missing: options.device, in: report, &console) {
                isDone = false
            }
            count(report, &console)
        }
        if let problem { self.report(problem, &console) }
        return isDone ? .success : .foundFault
    }

    // MARK: Passes

    /// Counts the packets. An error stopped the first pass as well, which reported it.
    private func count(_ report: TrafficReport, _ console: inout Console) {
        guard var counter = try? PacketCounter(report, options) else { return }
        try? file.read("decoding", &console) { (piece, _) throws(TrafficError) in
            try counter.read(piece)
        }
        try? counter.finish()
        printer.print(counter.counts, to: &console)
    }

    /// Writes the capture, as far as the file can be read; returns `false` after an error.
    private func write(
        _ report: TrafficReport, _ path: String, _ console: inout Console
    ) -> Bool {
        do throws(Failure) {
            var importer = try mapError(Failure.traffic) {
                () throws(TrafficError) in try CaptureImporter(report, options)
            }
            var output = try mapError(Failure.output) {
                () throws(FileError) in try FileOutput(path)
            }
            let isWhole = try copy(&importer, to: &output, &console)
            try mapError(Failure.output) { () throws(FileError) in
                try importer.drainText { (text) throws(FileError) in try output.write(text) }
                try output.commit()
            }
            reportWritten(path, output.length, of: report, isWhole: isWhole, &console)
            return isWhole
        } catch {
            switch error {
            case .traffic(let error): self.report(file.describe(.content(error)), &console)
            case .output(let error): console.report("\(error)")
            }
            return false
        }
    }

    /// Imports piece by piece. Returns `false` if an error in the file ended that: the first pass
    /// reported it, and the text before it counts.
    private func copy(
        _ importer: inout CaptureImporter, to output: inout FileOutput, _ console: inout Console
    ) throws(Failure) -> Bool {
        do throws(FileReadingError<Failure>) {
            try file.read("writing", &console) { (piece, _) throws(Failure) in
                try mapError(Failure.traffic) { () throws(TrafficError) in
                    try importer.read(piece)
                }
                try mapError(Failure.output) { () throws(FileError) in
                    try importer.drainText { (text) throws(FileError) in try output.write(text) }
                }
            }
        } catch {
            if case .content(.output(let error)) = error { throw .output(error) }
            return false
        }
        return (try? importer.finish()) != nil
    }

    private func runCapture(_ console: inout Console) -> ExitStatus {
        if output != nil { return fail("this is a capture already; it needs no import", &console) }
        let held = HeldConversation(file.path, format: .capture, &console)
        let counts = PacketCounts(of: held.capture)
        if held.end.problem == nil || !held.capture.lines.isEmpty {
            printer.print(held.capture, to: &console)
            printer.print(counts, to: &console)
        }
        if let problem = held.end.problem { report(problem, &console) }
        return counts.count > 0 && held.end.problem == nil ? .success : .foundFault
    }

    // MARK: Reports

    /// Reports that the file has no conversation of a selection, if it has none; returns `true`
    /// then.
    @discardableResult
    private func report(
        missing device: DeviceSelection, in report: TrafficReport, _ console: inout Console
    ) -> Bool {
        do throws(TrafficError) {
            _ = try report.conversations(device)
            return false
        } catch {
            self.report(file.describe(.content(error)), &console)
            return true
        }
    }

    private func reportWritten(
        _ path: String, _ length: Int, of report: TrafficReport, isWhole: Bool,
        _ console: inout Console
    ) {
        if isJSON { return }
        let imported = (try? report.conversations(options.device)) ?? []
        let numbers = imported.prefix(Self.mostNumbers).map { "\($0.number)" }
        let more = imported.count > Self.mostNumbers ? ", …" : ""
        let noun = imported.count == 1 ? "connection" : "connections"
        let limit = isWhole ? "" : ", as far as the file can be read"
        console.write(
            "\n\(PrintableText.quoted(path.utf8)) is written, \(length) bytes: "
                + "\(noun) \(numbers.joined(separator: ", "))\(more)\(limit)\n")
    }

    private func report(_ problem: String, _ console: inout Console) {
        if isJSON {
            console.write(.object([("what", .string("error")), ("reason", .string(problem))]))
        }
        console.report(problem)
    }

    private func fail(_ problem: String, _ console: inout Console) -> ExitStatus {
        report(problem, &console)
        return .foundFault
    }
}
