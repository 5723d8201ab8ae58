import HaloCapture
import HaloProtocol
import HaloTraffic

struct ScrubVerb: Verb {
    private let file: InputFile
    private let output: FilePath
    private let seed: UInt64
    private let kept: Set<ScrubKind>

    private static let suffix = ".halo"
    private static let pieceLength = 1 << 18
    private static let mostNamed = 8
    private static let kinds = ScrubKind.all.map(\.name)

    private static let outputOption = FileArguments.output(
        """
        the file to write; with -, standard output, and the report goes to standard error. \
        For standard input, - is the default
        """)
    private static let seedOption = Option.seed(
        """
        the seed of all random values (default: a new one each time). Keep it secret: with it, \
        some values can be recovered
        """)
    private static let keepOption = Option<[ScrubKind]>(
        "keep", .text("LIST"),
        """
        the data to keep, separated by commas: \(kinds.joined(separator: " ")); can \
        be repeated
        """, isRepeatable: true
    ) { (argument) throws(Failure) in
        var kept: [ScrubKind] = []
        for word in argument.text.split(separator: ",", omittingEmptySubsequences: false) {
            kept.append(
                try Choice.value(
                    String(word), of: "--keep", from: kinds, ScrubKind.init(named:)))
        }
        return kept
    }

    private static let importing = ImportArguments(withoutDevice: "all devices")

    static let syntax = VerbSyntax(
        "scrub", "replaces personal data in a capture, and keeps its structure", forms: ["FILE"],
        takesFiles: true,
        options: [outputOption, CommonOptions.force, seedOption, keepOption] + importing.all,
        json: """
            one JSON object: type (scrub), input, output (null if nothing was written), written \
            (its path, bytes and connections), lines, packets, replaced, kept, obscured (packets \
            that cannot be decoded), remains
            """,
        difference: "the file could not be read to its end (the lines before are written)",
        examples: [
            "halo scrub ring.halo --out public.halo",
            "halo scrub ring.halo --keep health --out public.halo",
        ],
        """
        Writes FILE.scrubbed.halo beside a capture. Replaces addresses, names, serial numbers,
        dates, health values, and bytes without a known meaning, and drops comments, except for
        what --keep names. Packets keep their kinds, fields and times, and get new checksums. The
        capture itself is not changed. Traffic in another format is imported first, as
        'halo import' does. \(ImportArguments.fileHelp)

        Read the result before you publish it: the times of packets and measurements, the model
        and its settings are not replaced.
        """)

    init(_ arguments: ParsedArguments) throws(Failure) {
        let input = try FileArguments.input(arguments)
        file = InputFile(input, try Self.importing.options(arguments, device: .all))
        seed = try arguments.value(of: Self.seedOption) ?? .random(in: .min ... .max)
        kept = Set(try arguments.values(of: Self.keepOption).joined())
        let beside = input.removing(suffix: Self.suffix).appending(".scrubbed\(Self.suffix)")
        output =
            try arguments.value(of: Self.outputOption) ?? (input.isStandard ? input : beside)
        try FileArguments.check(output, differsFrom: input)
    }

    func run(_ console: inout Console) throws(Failure) -> ExitStatus {
        try OutputFile.prepare(output, &console)
        let held = HeldConversation(file, &console)
        let lines = held.capture.lines
        if let problem = held.end.problem, held.end.isUnreadable {
            output.remarkKept(&console)
            throw problem
        }
        if let remark = held.end.remark(on: file.path) { console.remark(remark) }
        var scrubber = Scrubber(seed: seed, ScrubOptions(keeping: kept))
        for line in lines { scrubber.learn(line) }
        let written = try write(lines, &scrubber, &console)
        let report = scrubber.report
        console.write(type: "scrub", members(report, written), or: text(report, written))
        if written == nil { throw Failure(.unusable, output.keptSentence) }
        if let problem = held.end.problem {
            let stop = problem.message.hasSuffix(".") ? "" : "."
            throw Failure(
                problem.status, "\(problem.message)\(stop) The lines before it were scrubbed.")
        }
        return .success
    }

    /// Writes the scrubbed lines; `nil` if there is no packet, and another file stays.
    private func write(
        _ lines: [CaptureLine], _ scrubber: inout Scrubber, _ console: inout Console
    ) throws(Failure) -> WrittenFile? {
        var file = try OutputFile(output, &console)
        var writer = CaptureWriter()
        var counts = LineCounts()
        for line in lines {
            for new in scrubber.scrub(line) {
                do throws(CaptureError) {
                    try writer.write(new)
                } catch {
                    throw Failure(
                        FileError(.write, output, at: file.length, reason: error.description))
                }
                counts.add(new)
            }
            if writer.pendingCount > Self.pieceLength { try file.write(writer.drainBytes()) }
        }
        try file.write(writer.drainBytes())
        return try file.commit(
            packetCount: counts.packetCount, connectionCount: counts.connectionCount)
    }

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
            let fate =
                kept.contains(.unknown)
                ? "kept but for known names and addresses" : "replaced as a whole"
            text += "not decoded, and \(fate): \(packets)\n"
            for packet in report.obscured.prefix(Self.mostNamed) {
                text += "  line \(packet.line), \(packet.channel.words), now: \(packet.reason)\n"
            }
            if report.obscuredCount > Self.mostNamed { text += "  …\n" }
        }
        text += "not replaced:\n"
        for remains in ScrubReport.remains { text += "  \(remains)\n" }
        return text + (written.map { "written: \($0.path.quoted)\n" } ?? "")
    }

    private func members(_ report: ScrubReport, _ written: WrittenFile?) -> JSONObject {
        let replaced = ScrubKind.all.filter { !kept.contains($0) }.map { kind in
            (key: kind.name, value: (report.replaced[kind] ?? 0) as any JSONValue)
        }
        let packets = JSONObject.list(report.obscured) { packet in
            ["line": packet.line, "channel": packet.channel.words, "reason": packet.reason]
        }
        return [
            "input": file.path.text, "output": written?.path.text, "written": written?.members,
            "lines": report.lineCount, "packets": report.packetCount,
            "replaced": JSONObject(replaced),
            "kept": ScrubKind.all.filter(kept.contains).map(\.name),
            "obscured": ["count": report.obscuredCount, "first": packets] as JSONObject,
            "remains": ScrubReport.remains,
        ]
    }
}
