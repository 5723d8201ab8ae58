import HaloCapture
import HaloProtocol
import HaloTraffic

/// `halo scrub`: makes a capture that can be published.
struct ScrubVerb: Verb {
    private let input: FilePath
    private let output: FilePath
    private let options: ImportOptions
    private var seed = UInt64.random(in: .min ... .max)
    private var kept: Set<ScrubKind> = []
    private var isJSON = false

    private static let suffix = ".halo"
    private static let pieceLength = 1 << 18
    /// The most packets that are named for people.
    private static let mostNamed = 8
    private static let kinds = ScrubKind.all.map(\.name)

    static let name = "scrub"
    static let summary = "replaces personal data in a capture, and keeps its structure"

    static let synopsis = """
        halo scrub FILE.halo [--out FILE] [--seed S] [--keep LIST] [--json]
                          \(ImportArguments.synopsis)
        """

    static let details = """
        Writes FILE.scrubbed.halo beside a capture. Replaces addresses, names, serial numbers,
        dates, health values, and bytes without a known meaning; drops comments. Packets keep their
        kinds, fields and times, and get new checksums. The capture itself is not changed. Traffic
        in another format is imported on the way, as 'halo import' does.
        \(InputFile.help)

          --out FILE        the file to write; with -, it is standard output, and the report goes to
                            standard error. - if left out for standard input
          --seed S          the seed of all random values; a new one each time if left out. Keep it
                            secret: with it, some values can be computed back
          --keep LIST       the data that is not replaced, with commas between:
                            \(kinds.joined(separator: " "))
          \(ImportArguments.details(withoutDevice: "all devices"))
          --json            one JSON object: input, output (null if nothing was written), written
                            (its path, bytes and connections), lines, packets, replaced, kept,
                            obscured (packets that cannot be decoded), remains, error

        Read the result before you publish it: the times of packets and measurements, the model
        and its settings are not replaced.

        Exit status: 0 if everything was scrubbed; 1 if the file could not be read to its end, or
        the result could not be written; 2 for wrong usage.
        """

    init(_ arguments: inout ArgumentReader) throws(ArgumentError) {
        var output: FilePath?
        var importing = ImportArguments(device: .all)
        while let option = try arguments.next() {
            switch option {
            case "--out": output = try arguments.file(of: option)
            case "--seed": seed = try arguments.seed(of: option)
            case "--keep":
                let list = try arguments.repeatedValue(of: option)
                for word in list.split(separator: ",", omittingEmptySubsequences: false) {
                    kept.insert(
                        try ArgumentReader.value(
                            String(word), of: option, from: Self.kinds, ScrubKind.init(named:)))
                }
            case "--json": isJSON = true
            case _ where try importing.read(option, &arguments): break
            default: throw .unknown(option)
            }
        }
        input = try arguments.file()
        options = importing.options
        let beside = input.removing(suffix: Self.suffix).appending(".scrubbed\(Self.suffix)")
        self.output = output ?? (input.isStandard ? input : beside)
        try ArgumentReader.check(self.output, differsFrom: input)
    }

    func run(_ console: inout Console) -> ExitStatus {
        if output.isStandard { console.leaveOutputToFile() }
        let held = HeldConversation(InputFile(input, entry: options.entry), options, &console)
        let lines = held.capture.lines
        let problem = held.end.problem
        if let problem, lines.isEmpty {
            console.report(problem)
            if !output.isStandard, output.isFile { console.report(output.keptSentence) }
            return .foundFault
        }
        if let remark = held.end.remark(on: input) { console.report(remark) }
        var scrubber = Scrubber(seed: seed, ScrubOptions(keeping: kept))
        for line in lines { scrubber.learn(line) }
        var written: WrittenFile?
        do throws(FileError) {
            switch try write(lines, &scrubber, &console) {
            case .written(let file): written = file
            case .keptOther: console.report(output.keptSentence)
            }
        } catch {
            console.report("\(error)")
            return .foundFault
        }
        if let problem { console.report("\(problem) The lines before it were scrubbed.") }
        if isJSON {
            console.write(json(scrubber.report, written, problem))
        } else {
            console.write(text(scrubber.report, written))
        }
        return problem == nil ? .success : .foundFault
    }

    private func write(
        _ lines: [CaptureLine], _ scrubber: inout Scrubber, _ console: inout Console
    ) throws(FileError) -> OutputFile.End {
        var file = try OutputFile(output, &console)
        var writer = CaptureWriter()
        var counts = LineCounts()
        for line in lines {
            for new in scrubber.scrub(line) {
                do throws(CaptureError) {
                    try writer.write(new)
                } catch {
                    throw FileError(.write, output, at: file.length, reason: error.description)
                }
                counts.add(new)
            }
            if writer.pendingCount > Self.pieceLength { try file.write(writer.drainBytes()) }
        }
        try file.write(writer.drainBytes())
        return try file.commit(
            packetCount: counts.packetCount, connectionCount: counts.connectionCount)
    }

    // MARK: Reports

    private func text(_ report: ScrubReport, _ written: WrittenFile?) -> String {
        let lines = TextLayout.count(report.lineCount, "line")
        var text = "\(lines), \(TextLayout.count(report.packetCount, "packet"))\n"
        for kind in ScrubKind.all {
            let count = report.replaced[kind] ?? 0
            let value = kept.contains(kind) ? "kept" : count == 0 ? "none" : "\(count)"
            text += "  \(TextColumns.padded(kind.name, 11))\(value)\n"
        }
        if report.obscuredCount > 0 {
            let packets = TextLayout.count(report.obscuredCount, "packet")
            text += "not decoded, and replaced as a whole: \(packets)\n"
            for packet in report.obscured.prefix(Self.mostNamed) {
                text += "  line \(packet.line), \(packet.channel.words): \(packet.reason)\n"
            }
            if report.obscuredCount > Self.mostNamed { text += "  …\n" }
        }
        text += "not replaced:\n"
        for remains in ScrubReport.remains { text += "  \(remains)\n" }
        return text + (written.map { "written: \($0.path.quoted)\n" } ?? "")
    }

    private func json(
        _ report: ScrubReport, _ written: WrittenFile?, _ problem: String?
    ) -> JSONValue {
        let replaced = ScrubKind.all.filter { !kept.contains($0) }.map { kind in
            (key: kind.name, value: JSONValue.number(report.replaced[kind] ?? 0))
        }
        let packets = JSONValue.objects(report.obscured) { packet in
            [
                ("line", .number(packet.line)), ("channel", .string(packet.channel.words)),
                ("reason", .string(packet.reason)),
            ]
        }
        return .object([
            ("input", .string(input.text)), ("output", .text(written?.path.text)),
            ("written", written.map { .object($0.members) } ?? .null),
            ("lines", .number(report.lineCount)), ("packets", .number(report.packetCount)),
            ("replaced", .object(replaced)),
            ("kept", .strings(ScrubKind.all.filter(kept.contains).map(\.name))),
            (
                "obscured",
                .object([("count", .number(report.obscuredCount)), ("first", packets)])
            ),
            ("remains", .strings(ScrubReport.remains)), ("error", .text(problem)),
        ])
    }
}
