import HaloCapture
import HaloProtocol

/// Tells what `halo scrub` did.
struct ScrubPrinter {
    private let options: ScrubArguments
    /// Why the capture was not read to its end, if it was not.
    var problem: String?

    /// How many packets are named for people.
    private static let mostNamed = 8

    init(_ options: ScrubArguments) {
        self.options = options
    }

    func print(_ report: ScrubReport, to console: inout Console) {
        if let problem {
            console.complain("halo scrub: \(problem) What stands before it was scrubbed.")
        }
        console.write(options.isJSON ? JSONText.text(object(report)) + "\n" : text(report))
    }

    // MARK: For people

    private func text(_ report: ScrubReport) -> String {
        let lines = TrafficWords.number(report.lineCount, "line")
        var text = "\(lines), \(TrafficWords.number(report.packetCount, "packet"))\n"
        for kind in ScrubKind.all {
            let count = report.replaced[kind] ?? 0
            let word = options.kept.contains(kind) ? "kept" : count == 0 ? "none" : "\(count)"
            text += "  \(TextColumns.padded(kind.name, 11))\(word)\n"
        }
        if report.obscuredCount > 0 {
            let packets = TrafficWords.number(report.obscuredCount, "packet")
            text += "not understood, and replaced as a whole: \(packets)\n"
            for packet in report.obscured.prefix(Self.mostNamed) {
                text += "  line \(packet.line), \(packet.channel.words): \(packet.reason)\n"
            }
            if report.obscuredCount > Self.mostNamed { text += "  …\n" }
        }
        text += "still told:\n"
        for remains in ScrubReport.remains { text += "  \(remains)\n" }
        return text + "written: \(PrintableText.quoted(options.outputPath.utf8))\n"
    }

    // MARK: For programs

    private func object(_ report: ScrubReport) -> JSONText.Value {
        let replaced = ScrubKind.all.filter { !options.kept.contains($0) }.map { kind in
            (key: kind.name, value: JSONText.Value.number(number(report.replaced[kind] ?? 0)))
        }
        let kept = ScrubKind.all.filter(options.kept.contains).map {
            JSONText.Value.string($0.name)
        }
        let packets = report.obscured.map { packet in
            JSONText.Value.object([
                ("line", .number(number(packet.line))),
                ("channel", .string(packet.channel.words)), ("reason", .string(packet.reason)),
            ])
        }
        return .object([
            ("input", .string(options.input)), ("output", .string(options.outputPath)),
            ("lines", .number(number(report.lineCount))),
            ("packets", .number(number(report.packetCount))), ("replaced", .object(replaced)),
            ("kept", .array(kept)),
            (
                "obscured",
                .object([
                    ("count", .number(number(report.obscuredCount))), ("first", .array(packets)),
                ])
            ), ("remains", .array(ScrubReport.remains.map { .string($0) })),
            ("error", problem.map { .string($0) } ?? .null),
        ])
    }

    private func number(_ count: Int) -> UInt64 { UInt64(max(count, 0)) }
}
