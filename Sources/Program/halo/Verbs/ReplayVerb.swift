import HaloCapture
import HaloProtocol
import HaloSimulator
import HaloTraffic
import HaloTransport

struct ReplayVerb: Verb {
    private let file: InputFile
    private let profile: RingProfile?

    private static let against = Option.profile(
        "against",
        """
        also sends the recorded requests to a virtual ring, and compares the kinds of its replies \
        with the recorded ones
        """)
    private static let importing = ImportArguments(withoutDevice: "all devices")

    static let syntax = VerbSyntax(
        "replay", "checks a capture against decoders, sessions and virtual rings",
        forms: ["FILE"], takesFiles: true, options: [against] + importing.all,
        json: """
            one JSON object a line: each finding, then a summary; with --against also each \
            exchange that differs, and a comparison
            """,
        difference: "there is a difference",
        examples: [
            "halo replay ring.halo",
            "halo replay ring.halo --json",
        ],
        """
        Decodes and encodes every packet of a capture, and compares the results with the bytes and
        with the = and ! lines of the file. Hands the recorded requests and replies to sessions,
        and reports which requests complete. Prints each difference with its line. A difference
        that the file declares with '# exception:' does not count. Traffic in another format is
        imported first, as 'halo import' does; line numbers are those of the capture.
        \(ImportArguments.fileHelp)
        """)

    init(_ arguments: ParsedArguments) throws(Failure) {
        file = InputFile(
            try FileArguments.input(arguments),
            try Self.importing.options(arguments, device: .all))
        profile = try arguments.value(of: Self.against)
    }

    func run(_ console: inout Console) async throws(Failure) -> ExitStatus {
        let held = HeldConversation(file, &console)
        if let remark = held.end.remark(on: file.path) { console.remark(remark) }
        var status = ExitStatus.success
        if let problem = held.end.problem {
            if held.end.isUnreadable { throw problem }
            status = console.report(problem)
            let count = held.capture.lines.count
            let lines = TextLayout.count(count, "line")
            console.remark("\(lines) before that \(count == 1 ? "is" : "are") replayed")
        }
        let check = CaptureCheck(held.capture)
        print(check, to: &console)
        if !check.isClean { status = max(status, .difference) }
        if let profile {
            let comparison: ReplayComparison
            do throws(BLEError) {
                comparison = try await Self.compare(held.capture, profile)
            } catch {
                throw Failure(.unusable, "\(error)")
            }
            print(comparison, profile, to: &console)
            if !comparison.isSame { status = max(status, .difference) }
        }
        return status
    }

    /// Sends the requests to a virtual ring: also dangerous ones, because it has no hardware.
    nonisolated(nonsending) private static func compare(
        _ capture: Capture, _ profile: RingProfile
    ) async throws(BLEError) -> ReplayComparison {
        let clock = RecordedConversations(capture).clock
        let air = VirtualBluetooth(
            seed: 1, startingAt: clock?.local ?? VirtualBluetooth.defaultStart,
            secondsFromUTC: clock?.secondsFromUTC ?? 0)
        let ring = air.add(VirtualRing(profile, days: 3))
        var options = ReplayClientOptions()
        options.permissions = [.unknown, .dangerous]
        return try await ReplayClient(capture, options).run(over: air, to: ring.identity)
    }

    private func print(_ check: CaptureCheck, to console: inout Console) {
        if console.isJSON { return writeJSON(check, &console) }
        let style = console.style
        for finding in check.findings {
            // Seconds with six decimals, as precise as a capture.
            let text = "+\(finding.moment.description.dropLast(2))s \(finding)".printable
            let isWrong = finding.severity == .difference && finding.exception == nil
            console.write((isWrong ? style.bad(text) : text) + "\n")
            if isWrong, let packet = finding.packet { explain(packet, to: &console) }
        }
        if check.droppedCount > 0 {
            console.write("further findings: \(check.droppedCount)\n")
        }
        console.write(style.strong(check.summary) + "\n")
        if check.counts.packets > 0, check.counts.packets == check.counts.unknown {
            console.remark("no packet comes from a device that this program knows")
        }
    }

    private func explain(_ packet: CapturePacket, to console: inout Console) {
        let explanation = Explanation(
            of: packet.bytes, as: packet.channel.packetKind, direction: packet.direction)
        var printer = ExplanationPrinter()
        printer.print("", .explained(explanation), to: &console)
    }

    private func print(
        _ comparison: ReplayComparison, _ profile: RingProfile, to console: inout Console
    ) {
        if console.isJSON { return writeJSON(comparison, profile, &console) }
        for line in "against a virtual \(profile): \(comparison)".split(separator: "\n") {
            console.write(String(line).printable + "\n")
        }
    }

    private func writeJSON(_ check: CaptureCheck, _ console: inout Console) {
        for finding in check.findings {
            console.write(
                type: "finding",
                [
                    "line": finding.line, "microseconds": finding.moment.microseconds,
                    "severity": finding.severity == .note ? "note" : "difference",
                    "kind": "\(finding.kind)", "text": finding.text,
                    "bytes": finding.packet.map { HexText.bytes($0.bytes) },
                    "exception": finding.exception,
                ])
        }
        let counts = check.counts
        console.write(
            type: "summary",
            [
                "packets": counts.packets, "decoded": counts.decoded, "refused": counts.refused,
                "unknown": counts.unknown, "longReplies": counts.longReplies,
                "connections": counts.connections, "requests": counts.requests,
                "completed": counts.completed, "refusals": counts.refusals,
                "unanswered": counts.unanswered, "incomplete": counts.incomplete,
                "reports": counts.reports, "unsolicited": counts.unsolicited,
                "measurements": counts.measurements, "beats": counts.beats,
                "differences": check.differenceCount, "declared": check.declaredCount,
                "notes": check.noteCount,
            ])
    }

    private func writeJSON(
        _ comparison: ReplayComparison, _ profile: RingProfile, _ console: inout Console
    ) {
        for exchange in comparison.differences {
            console.write(
                type: "exchange",
                [
                    "line": exchange.request.line, "request": "\(exchange.request)",
                    "recorded": exchange.recorded.map { "\($0)" },
                    "heard": exchange.heard.map { "\($0)" },
                ])
        }
        console.write(
            type: "comparison",
            [
                "against": profile.model, "sent": comparison.exchanges.count,
                "skipped": comparison.skipped.map { "\($0)" },
                "differences": comparison.differences.count,
                "connectionsLeftOut": comparison.leftOutConnectionCount,
                "interruption": comparison.interruption.map { "\($0)" },
            ])
    }
}
