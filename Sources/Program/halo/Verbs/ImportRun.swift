import HaloCapture
import HaloProtocol
import HaloTraffic

/// The passes of `halo import` over a file, and their reports.
struct ImportRun {
    /// The reason why a capture was not written.
    private enum Obstacle: Error {
        case traffic(TrafficError)
        case output(FileError)
    }

    private let output: FilePath?
    private let replaces: Bool
    private let options: ImportOptions
    private let file: InputFile
    private let path: FilePath

    /// The most connections that the last line names.
    private static let mostNumbers = 8

    init(path: FilePath, output: FilePath?, replaces: Bool, options: ImportOptions) {
        self.path = path
        self.output = output
        self.replaces = replaces
        self.options = options
        file = InputFile(path, entry: options.entry)
    }

    func run(_ console: inout Console) throws(Failure) -> ExitStatus {
        if output?.isStandard == true { console.leaveOutputToFile() }
        try mapError(Failure.init) { () throws(FileError) in
            if let output { try OutputFile.check(output, replaces: replaces) }
        }
        let printer = TrafficPrinter(isJSON: console.isJSON, path: path)
        let format = try? options.format ?? file.detectedFormat()
        if format == .capture { return try runCapture(printer, &console) }
        var survey = try mapError({ Failure(.wrongUsage, "\($0)") }) {
            () throws(TrafficError) in try TrafficSurvey(options)
        }
        var problem: Failure?
        do throws(FileReadingError<TrafficError>) {
            try file.read(into: &survey, &console)
        } catch {
            problem = file.failure(error)
        }
        let report = survey.report
        if let problem, report.recordCount == 0 {
            reportKept(&console)
            throw problem
        }
        printer.print(report, to: &console)
        var status = ExitStatus.success
        if !report.connections.contains(where: \.hasConversation) {
            status = .unusable
            if problem == nil { self.report(missing: .all, in: report, &console) }
            reportKept(&console)
        } else if let output {
            status = write(report, output, &console)
        } else {
            if options.device != .only, self.report(missing: options.device, in: report, &console) {
                status = .unusable
            }
            count(report, printer, &console)
        }
        guard let problem else { return status }
        return console.report(
            Failure(status < .unusable ? .difference : .unusable, problem.message))
    }

    // MARK: Passes

    /// Counts the packets. An error stopped the first pass as well, which reported it.
    private func count(
        _ report: TrafficReport, _ printer: TrafficPrinter, _ console: inout Console
    ) {
        guard var counter = try? PacketCounter(report, options) else { return }
        try? file.read("decoding", &console) { (piece, _) throws(TrafficError) in
            try counter.read(piece)
        }
        try? counter.finish()
        printer.print(counter.counts, to: &console)
    }

    /// Writes the capture, as far as the file can be read.
    private func write(
        _ report: TrafficReport, _ path: FilePath, _ console: inout Console
    ) -> ExitStatus {
        do throws(Obstacle) {
            var importer = try mapError(Obstacle.traffic) {
                () throws(TrafficError) in try CaptureImporter(report, options)
            }
            var output = try mapError(Obstacle.output) {
                () throws(FileError) in try OutputFile(path, replaces: replaces, &console)
            }
            var scan = PacketLineScan()
            let isWhole = try copy(&importer, &scan, to: &output, &console)
            try mapError(Obstacle.output) { () throws(FileError) in
                try Self.drain(&importer, &scan, to: &output)
            }
            let connections = (try? report.conversations(options.device)) ?? []
            let end = try mapError(Obstacle.output) { () throws(FileError) in
                try output.commit(
                    packetCount: scan.packetCount, connectionCount: connections.count)
            }
            switch end {
            case .written(let file):
                reportWritten(file, connections.map(\.number), isWhole: isWhole, &console)
            case .keptOther: return console.report(Failure(.unusable, path.keptSentence))
            }
            return isWhole ? .success : .difference
        } catch {
            switch error {
            case .traffic(let error):
                reportKept(&console)
                return console.report(file.failure(.content(error)))
            case .output(let error): return console.report(Failure(error))
            }
        }
    }

    /// Imports piece by piece. Returns `false` if an error in the file ended that: the first pass
    /// reported it, and the text before it counts.
    private func copy(
        _ importer: inout CaptureImporter, _ scan: inout PacketLineScan,
        to output: inout OutputFile, _ console: inout Console
    ) throws(Obstacle) -> Bool {
        do throws(FileReadingError<Obstacle>) {
            try file.read("writing", &console) { (piece, _) throws(Obstacle) in
                try mapError(Obstacle.traffic) { () throws(TrafficError) in
                    try importer.read(piece)
                }
                try mapError(Obstacle.output) { () throws(FileError) in
                    try Self.drain(&importer, &scan, to: &output)
                }
            }
        } catch {
            if case .content(.output(let error)) = error { throw .output(error) }
            if case .file = error { try? importer.finish() }
            return false
        }
        return (try? importer.finish()) != nil
    }

    private static func drain(
        _ importer: inout CaptureImporter, _ scan: inout PacketLineScan,
        to output: inout OutputFile
    ) throws(FileError) {
        try importer.drain { (text) throws(FileError) in
            scan.read(text)
            try output.write(text)
        }
    }

    private func runCapture(
        _ printer: TrafficPrinter, _ console: inout Console
    ) throws(Failure) -> ExitStatus {
        if output != nil {
            throw Failure(.unusable, "\(file.name): this is a capture already; it needs no import")
        }
        if let problem = file.refusal(of: options) { throw Failure(.wrongUsage, problem) }
        let held = HeldConversation(file, options, &console)
        let counts = PacketCounts(of: held.capture)
        if !held.capture.lines.isEmpty {
            printer.print(held.capture, byteCount: held.end.byteCount, to: &console)
            printer.print(counts, to: &console)
        }
        if let remark = held.end.remark(on: path) { console.remark(remark) }
        if let problem = held.end.problem { throw problem }
        guard counts.count > 0 else { throw Failure(.unusable, "\(file.name): it has no packet") }
        return .success
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
            console.report(file.failure(.content(error)))
            return true
        }
    }

    private func reportWritten(
        _ file: WrittenFile, _ connections: [Int], isWhole: Bool, _ console: inout Console
    ) {
        if console.isJSON {
            let more: JSONValue.Members = [
                ("numbers", .array(connections.map { .number($0) })),
                ("isWhole", .boolean(isWhole)),
            ]
            return console.write(type: "written", file.members + more)
        }
        let numbers = connections.prefix(Self.mostNumbers).map { "\($0)" }
        let more = connections.count > Self.mostNumbers ? ", …" : ""
        let noun = connections.count == 1 ? "connection" : "connections"
        let limit = isWhole ? "" : ", as far as the file can be read"
        console.write(
            "\n\(file.path.quoted) is written, \(file.byteCount) bytes: "
                + "\(noun) \(numbers.joined(separator: ", "))\(more)\(limit)\n")
    }

    /// Remarks that a file of the output's name stays, if there is one.
    private func reportKept(_ console: inout Console) {
        guard let output, !output.isStandard, output.isFile else { return }
        console.remark(output.keptSentence)
    }
}
