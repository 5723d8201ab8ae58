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

    private let output: FilePath?
    private let options: ImportOptions
    private let isJSON: Bool
    private let file: InputFile
    private let printer: TrafficPrinter

    /// The most connections that the last line names.
    private static let mostNumbers = 8

    init(path: FilePath, output: FilePath?, options: ImportOptions, isJSON: Bool) {
        self.output = output
        self.options = options
        self.isJSON = isJSON
        file = InputFile(path, entry: options.entry)
        printer = TrafficPrinter(isJSON: isJSON, path: path)
    }

    func run(_ console: inout Console) -> ExitStatus {
        if output?.isStandard == true { console.leaveOutputToFile() }
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
        if let problem, report.recordCount == 0 {
            reportKept(&console)
            return fail(problem, &console)
        }
        printer.print(report, to: &console)
        var isDone = problem == nil
        if !report.connections.contains(where: \.hasConversation) {
            isDone = false
            if problem == nil { self.report(missing: .all, in: report, &console) }
            reportKept(&console)
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
        _ report: TrafficReport, _ path: FilePath, _ console: inout Console
    ) -> Bool {
        do throws(Failure) {
            var importer = try mapError(Failure.traffic) {
                () throws(TrafficError) in try CaptureImporter(report, options)
            }
            var output = try mapError(Failure.output) {
                () throws(FileError) in try OutputFile(path, &console)
            }
            var scan = PacketLineScan()
            let isWhole = try copy(&importer, &scan, to: &output, &console)
            try mapError(Failure.output) { () throws(FileError) in
                try Self.drain(&importer, &scan, to: &output)
            }
            let connections = (try? report.conversations(options.device)) ?? []
            let end = try mapError(Failure.output) { () throws(FileError) in
                try output.commit(
                    packetCount: scan.packetCount, connectionCount: connections.count)
            }
            switch end {
            case .written(let file):
                reportWritten(file, connections.map(\.number), isWhole: isWhole, &console)
            case .keptOther: console.report(path.keptSentence)
            }
            return isWhole
        } catch {
            switch error {
            case .traffic(let error):
                self.report(file.describe(.content(error)), &console)
                reportKept(&console)
            case .output(let error): self.report("\(error)", &console)
            }
            return false
        }
    }

    /// Imports piece by piece. Returns `false` if an error in the file ended that: the first pass
    /// reported it, and the text before it counts.
    private func copy(
        _ importer: inout CaptureImporter, _ scan: inout PacketLineScan,
        to output: inout OutputFile, _ console: inout Console
    ) throws(Failure) -> Bool {
        do throws(FileReadingError<Failure>) {
            try file.read("writing", &console) { (piece, _) throws(Failure) in
                try mapError(Failure.traffic) { () throws(TrafficError) in
                    try importer.read(piece)
                }
                try mapError(Failure.output) { () throws(FileError) in
                    try Self.drain(&importer, &scan, to: &output)
                }
            }
        } catch {
            if case .content(.output(let error)) = error { throw .output(error) }
            return false
        }
        return (try? importer.finish()) != nil
    }

    private static func drain(
        _ importer: inout CaptureImporter, _ scan: inout PacketLineScan,
        to output: inout OutputFile
    ) throws(FileError) {
        try importer.drainText { (text) throws(FileError) in
            scan.read(text)
            try output.write(text)
        }
    }

    private func runCapture(_ console: inout Console) -> ExitStatus {
        if output != nil { return fail("this is a capture already; it needs no import", &console) }
        if let problem = file.refusal(of: options) { return fail(problem, &console) }
        var captureOptions = options
        captureOptions.format = .capture
        let held = HeldConversation(file, captureOptions, &console)
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
        _ file: WrittenFile, _ connections: [Int], isWhole: Bool, _ console: inout Console
    ) {
        if isJSON {
            let what: JSONValue.Members = [("what", .string("written"))]
            let more: JSONValue.Members = [
                ("numbers", .array(connections.map { .number($0) })),
                ("isWhole", .boolean(isWhole)),
            ]
            return console.write(.object(what + file.members + more))
        }
        let numbers = connections.prefix(Self.mostNumbers).map { "\($0)" }
        let more = connections.count > Self.mostNumbers ? ", …" : ""
        let noun = connections.count == 1 ? "connection" : "connections"
        let limit = isWhole ? "" : ", as far as the file can be read"
        console.write(
            "\n\(file.path.quoted) is written, \(file.byteCount) bytes: "
                + "\(noun) \(numbers.joined(separator: ", "))\(more)\(limit)\n")
    }

    /// Reports that a file of the output's name stays, if there is one.
    private func reportKept(_ console: inout Console) {
        guard let output, !output.isStandard, output.isFile else { return }
        console.report(output.keptSentence)
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
