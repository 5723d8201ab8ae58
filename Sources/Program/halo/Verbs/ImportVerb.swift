import HaloCapture
import HaloTraffic

struct ImportVerb: Verb {
    private let file: InputFile
    private let output: FilePath?

    private static let mostNumbers = 8

    private static let outputOption = FileArguments.output(
        """
        writes the conversation as a capture, without counting packets; 'halo decode \
        FILE.halo' prints them. With -, the capture goes to standard output, and the report to \
        standard error
        """)
    private static let advertisements = Flag(
        "advertisements", "keeps advertisements of the device before its connection")
    private static let importing = ImportArguments(
        withoutDevice: "the only device, or else the only ring")

    static let syntax = VerbSyntax(
        "import", "reports what a file of traffic holds, and makes a capture of it",
        forms: ["FILE"], takesFiles: true,
        options: [outputOption, CommonOptions.force, advertisements] + importing.all,
        json: """
            one JSON object a line; its type is one of: file, connection, attribute, packets, \
            finding, heard, written, error
            """,
        difference: """
            the traffic is cut off or damaged, or the capture has an error (what was read before \
            that is reported)
            """,
        examples: [
            "halo import btsnoop_hci.log",
            "halo import bugreport.zip --out ring.halo",
        ],
        """
        Reads the recording of a phone, a computer or a sniffer. Prints its devices, the times of
        their connections, their attributes and how the type of each is known, the number of
        packets of each type, and irregularities. \(ImportArguments.fileHelp)

        'halo sync --import' adds the values of another program's database: that of the Python
        client colmi_r02_client.
        """)

    init(_ arguments: ParsedArguments) throws(Failure) {
        var options = try Self.importing.options(arguments, device: .only)
        options.keepsAdvertisements = arguments.has(Self.advertisements)
        file = InputFile(try FileArguments.input(arguments), options)
        output = try arguments.value(of: Self.outputOption)
        if let output { try FileArguments.check(output, differsFrom: file.path) }
    }

    func run(_ console: inout Console) throws(Failure) -> ExitStatus {
        if let output { try OutputFile.prepare(output, &console) }
        let printer = TrafficPrinter(path: file.path)
        if (try? file.format()) == .capture { return try runCapture(printer, &console) }
        var survey = try mapError({ Failure(.wrongUsage, "\($0)") }) {
            () throws(TrafficError) in try TrafficSurvey(file.options)
        }
        var problem: Failure?
        do throws(FileReadingError<TrafficError>) {
            try file.read(into: &survey, &console)
        } catch {
            problem = file.failure(error)
        }
        let report = survey.report
        if let problem, report.recordCount == 0 {
            output?.remarkKept(&console)
            throw problem
        }
        printer.print(report, to: &console)
        var status = ExitStatus.success
        if !report.connections.contains(where: \.hasConversation) {
            status = .unusable
            if problem == nil { self.report(missing: .all, in: report, &console) }
            output?.remarkKept(&console)
        } else if let output {
            do throws(Failure) {
                status = try write(report, output, &console)
            } catch {
                status = console.report(error)
            }
        } else {
            let device = file.options.device
            if device != .only, self.report(missing: device, in: report, &console) {
                status = .unusable
            }
            count(report, printer, &console)
        }
        guard let problem else { return status }
        return console.report(
            Failure(status < .unusable ? .difference : .unusable, problem.message))
    }

    /// Counts the packets. An error stopped the first pass as well, which reported it.
    private func count(
        _ report: TrafficReport, _ printer: TrafficPrinter, _ console: inout Console
    ) {
        guard var counter = try? PacketCounter(report, file.options) else { return }
        try? file.read("decoding", &console) { (piece, _) throws(TrafficError) in
            try counter.read(piece)
        }
        try? counter.finish()
        printer.print(counter.counts, to: &console)
    }

    private func write(
        _ report: TrafficReport, _ path: FilePath, _ console: inout Console
    ) throws(Failure) -> ExitStatus {
        var importer: CaptureImporter
        do throws(TrafficError) {
            importer = try CaptureImporter(report, file.options)
        } catch {
            output?.remarkKept(&console)
            throw file.failure(.content(error))
        }
        var output = try OutputFile(path, &console)
        var scan = PacketLineScan()
        let isWhole = try copy(&importer, &scan, to: &output, &console)
        try Self.drain(&importer, &scan, to: &output)
        let connections = (try? report.conversations(file.options.device)) ?? []
        let written = try output.commit(
            packetCount: scan.packetCount, connectionCount: connections.count)
        guard let written else { throw Failure(.unusable, path.keptSentence) }
        reportWritten(written, connections.map(\.number), isWhole: isWhole, &console)
        return isWhole ? .success : .difference
    }

    /// Imports piece by piece. Returns `false` if an error in the file ended that: the first pass
    /// reported it, and the text before it counts.
    private func copy(
        _ importer: inout CaptureImporter, _ scan: inout PacketLineScan,
        to output: inout OutputFile, _ console: inout Console
    ) throws(Failure) -> Bool {
        do throws(FileReadingError<any Error>) {
            try file.read("writing", &console) { (piece, _) throws in
                try importer.read(piece)
                try Self.drain(&importer, &scan, to: &output)
            }
        } catch {
            if case .content(let error as Failure) = error { throw error }
            if case .file = error { try? importer.finish() }
            return false
        }
        return (try? importer.finish()) != nil
    }

    private static func drain(
        _ importer: inout CaptureImporter, _ scan: inout PacketLineScan,
        to output: inout OutputFile
    ) throws(Failure) {
        try importer.drain { (text) throws(Failure) in
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
        if let problem = file.refusal { throw Failure(.wrongUsage, problem) }
        let held = HeldConversation(file, &console)
        let counts = PacketCounts(of: held.capture)
        if !held.capture.lines.isEmpty {
            printer.print(held.capture, byteCount: held.end.byteCount, to: &console)
            printer.print(counts, to: &console)
        }
        if let remark = held.end.remark(on: file.path) { console.remark(remark) }
        if let problem = held.end.problem { throw problem }
        guard counts.count > 0 else { throw Failure(.unusable, "\(file.name): it has no packet") }
        return .success
    }

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
        let numbers = connections.prefix(Self.mostNumbers).map { "\($0)" }
        let more = connections.count > Self.mostNumbers ? ", …" : ""
        let noun = connections.count == 1 ? "connection" : "connections"
        let limit = isWhole ? "" : ", as far as the file can be read"
        console.write(
            type: "written", file.members + ["numbers": connections, "isWhole": isWhole],
            or: "\n\(file.path.quoted) is written, \(file.byteCount) bytes: "
                + "\(noun) \(numbers.joined(separator: ", "))\(more)\(limit)\n")
    }
}
