import HaloCapture

/// `halo scrub`: a capture that can be given away.
enum ScrubVerb: Verb {
    static let name = "scrub"
    static let summary = "replaces what a capture says of a person, and keeps its shape"

    static var usage: String {
        """
        usage: halo scrub FILE.halo [--out FILE] [--seed S] [--keep LIST] [--json]

        Writes FILE.scrubbed.halo beside a capture: addresses, names, serial numbers, dates and
        health values are replaced, also bytes that nobody can name; comments are dropped. Packets
        keep their kinds, their fields and their times, and checksums are made anew. The capture
        itself is left as it is. Traffic in another format is imported on the way.

          --out FILE   where to write
          --seed S     a number that all that is drawn follows from; another one each time if left
                       out. Whoever knows it can undo a part, so keep it to yourself
          --keep LIST  what to leave as it is, with commas between: \(kinds)
          --json       one JSON object a line: input, output, lines, packets, replaced, kept,
                       obscured (packets that were not understood), remains, error

        Read the result before you give it away: it still tells when packets came, what the
        device is and how it is set, and when values were measured.

        Exit status: 0 if all of it was scrubbed, 1 if the file could not be read to its end or
        the other one not be written, 2 for wrong usage.

        """
    }

    private static var kinds: String { ScrubKind.all.map(\.name).joined(separator: " ") }

    static func run(_ arguments: [String], console: inout Console) -> ExitStatus {
        let options: ScrubArguments
        do throws(UsageError) {
            options = try ScrubArguments(arguments)
            if !options.wantsHelp {
                try FileIdentity.check(options.outputPath, isNot: options.input)
            }
        } catch {
            console.complain(
                """
                halo scrub: \(console.safe(error.reason))
                usage: halo scrub FILE.halo [--out FILE] [--seed S] [--keep LIST] [--json]
                'halo help scrub' says more.
                """)
            return .wrongUsage
        }
        if options.wantsHelp {
            console.write(usage)
            return .success
        }
        return scrub(options, &console)
    }

    private static func scrub(
        _ options: ScrubArguments, _ console: inout Console
    ) -> ExitStatus {
        var printer = ScrubPrinter(options)
        let held = HeldConversation(options.input, for: "reading", &console)
        let lines = held.capture.lines
        printer.problem = held.end.problem
        if let problem = held.end.problem, lines.isEmpty {
            console.complain("halo scrub: \(console.safe(problem))")
            return .foundFault
        }
        if let remark = held.end.remark(on: options.input) {
            console.complain("halo scrub: \(remark)")
        }
        var scrubber = Scrubber(
            seed: options.seed ?? .random(in: .min ... .max), ScrubOptions(keeping: options.kept))
        for line in lines { scrubber.learn(line) }
        do throws(FileError) {
            try write(lines, &scrubber, options.outputPath)
        } catch {
            console.complain("halo scrub: \(error)")
            return .foundFault
        }
        printer.print(scrubber.report, to: &console)
        return printer.problem == nil ? .success : .foundFault
    }

    private static let pieceLength = 1 << 18

    private static func write(
        _ lines: [CaptureLine], _ scrubber: inout Scrubber, _ path: String
    ) throws(FileError) {
        var file = try FileOutput(path)
        var writer = CaptureWriter()
        for line in lines {
            for new in scrubber.scrub(line) {
                do throws(CaptureError) {
                    try writer.write(new)
                } catch {
                    throw FileError(.write, path, at: file.length, reason: error.description)
                }
            }
            if writer.pendingCount > pieceLength { try file.write(writer.takeBytes()) }
        }
        try file.write(writer.takeBytes())
        try file.commit()
    }
}
