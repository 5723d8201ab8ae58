import HaloCapture
import HaloProtocol

/// `halo scrub`: makes a capture that can be published.
struct ScrubVerb: Verb {
    private let input: String
    private let output: String
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

    static let synopsis = "halo scrub FILE.halo [--out FILE] [--seed S] [--keep LIST] [--json]"

    static let details = """
        Writes FILE.scrubbed.halo beside a capture. Replaces addresses, names, serial numbers,
        dates, health values, and bytes without a known meaning; drops comments. Packets keep their
        kinds, fields and times, and get new checksums. The capture itself is not changed. Traffic
        in another format is imported on the way, as 'halo import' does.

          --out FILE   the file to write
          --seed S     the seed of all random values; a new one each time if left out. Keep it
                       secret: with it, some values can be computed back
          --keep LIST  the data that is not replaced, with commas between:
                       \(kinds.joined(separator: " "))
          --json       one JSON object: input, output, lines, packets, replaced, kept, obscured
                       (packets that cannot be decoded), remains, error

        Read the result before you publish it: the times of packets and measurements, the model
        and its settings are not replaced.

        Exit status: 0 if everything was scrubbed; 1 if the file could not be read to its end, or
        the result could not be written; 2 for wrong usage.
        """

    init(_ arguments: inout ArgumentReader) throws(ArgumentError) {
        var output: String?
        while let option = try arguments.next() {
            switch option {
            case "--out": output = try arguments.value(of: option)
            case "--seed": seed = try arguments.seed(of: option)
            case "--keep":
                let list = try arguments.repeatedValue(of: option)
                for word in list.split(separator: ",", omittingEmptySubsequences: false) {
                    kept.insert(
                        try ArgumentReader.value(
                            String(word), of: option, from: Self.kinds, ScrubKind.init(named:)))
                }
            case "--json": isJSON = true
            default: throw .unknown(option)
            }
        }
        input = try arguments.file()
        let hasSuffix = input.hasSuffix(Self.suffix)
        let stem = hasSuffix ? String(input.dropLast(Self.suffix.count)) : input
        self.output = output ?? "\(stem).scrubbed\(Self.suffix)"
        try ArgumentReader.check(self.output, differsFrom: input)
    }

    func run(_ console: inout Console) -> ExitStatus {
        let held = HeldConversation(input, &console)
        let lines = held.capture.lines
        let problem = held.end.problem
        if let problem, lines.isEmpty {
            console.report(problem)
            return .foundFault
        }
        if let remark = held.end.remark(on: input) { console.report(remark) }
        var scrubber = Scrubber(seed: seed, ScrubOptions(keeping: kept))
        for line in lines { scrubber.learn(line) }
        do throws(FileError) {
            try write(lines, &scrubber)
        } catch {
            console.report("\(error)")
            return .foundFault
        }
        if let problem { console.report("\(problem) The lines before it were scrubbed.") }
        if isJSON {
            console.write(json(scrubber.report, problem))
        } else {
            console.write(text(scrubber.report))
        }
        return problem == nil ? .success : .foundFault
    }

    private func write(_ lines: [CaptureLine], _ scrubber: inout Scrubber) throws(FileError) {
        var file = try FileOutput(output)
        var writer = CaptureWriter()
        for line in lines {
            for new in scrubber.scrub(line) {
                do throws(CaptureError) {
                    try writer.write(new)
                } catch {
                    throw FileError(.write, output, at: file.length, reason: error.description)
                }
            }
            if writer.pendingCount > Self.pieceLength { try file.write(writer.drainBytes()) }
        }
        try file.write(writer.drainBytes())
        try file.commit()
    }

    // MARK: Reports

    private func text(_ report: ScrubReport) -> String {
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
        return text + "written: \(PrintableText.quoted(output.utf8))\n"
    }

    private func json(_ report: ScrubReport, _ problem: String?) -> JSONValue {
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
            ("input", .string(input)), ("output", .string(output)),
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
