import HaloCapture
import HaloProtocol
import HaloSimulator
import HaloTraffic
import HaloTransport

/// `halo replay`: checks a capture against decoders, sessions and virtual rings.
struct ReplayVerb: Verb {
    private let path: FilePath
    private let options: ImportOptions
    private var profile: RingProfile?
    private var isJSON = false

    static let name = "replay"
    static let summary = "checks a capture against decoders, sessions and virtual rings"

    static let synopsis = """
        halo replay FILE [--against RING] [--json]
                           \(ImportArguments.synopsis)
        """

    static let details = """
        Decodes and encodes every packet of a capture, and compares the results with the bytes and
        with the = and ! lines of the file. Hands the recorded requests and replies to sessions,
        and reports which requests complete. Prints each difference with its line. A difference
        that the file declares by '# exception:' does not count. Traffic in another format is
        imported on the way, as 'halo import' does; line numbers are those of the capture.
        \(InputFile.help)

          --against RING    also sends the recorded requests to a virtual ring, and compares the
                            kinds of its replies with the recorded ones. One of:
                            \(RingProfile.modelNames.joined(separator: " "))
          \(ImportArguments.details(withoutDevice: "all devices"))
          --json            one JSON object a line: each finding, then a summary; with --against
                            also each exchange that differs, and a summary of those

        Exit status: 0 without a difference; 1 with one, or if the file could not be read; 2 for
        wrong usage.
        """

    init(_ arguments: inout ArgumentReader) throws(ArgumentError) {
        var importing = ImportArguments(device: .all)
        while let option = try arguments.next() {
            switch option {
            case "--against":
                profile = try arguments.value(
                    of: option, from: RingProfile.modelNames, RingProfile.named)
            case "--json": isJSON = true
            case _ where try importing.read(option, &arguments): break
            default: throw .unknown(option)
            }
        }
        path = try arguments.file()
        options = importing.options
    }

    func run(_ console: inout Console) async -> ExitStatus {
        let held = HeldConversation(InputFile(path, entry: options.entry), options, &console)
        if let remark = held.end.remark(on: path) { console.report(remark) }
        if let problem = held.end.problem {
            console.report(problem)
            let count = held.capture.lines.count
            guard count > 0 else { return .foundFault }
            let lines = TextLayout.count(count, "line")
            console.report("\(lines) before that \(count == 1 ? "is" : "are") replayed")
        }
        let check = CaptureCheck(held.capture)
        print(check, to: &console)
        var isClean = held.end.problem == nil && check.isClean
        if let profile {
            do throws(BLEError) {
                let comparison = try await Self.compare(held.capture, profile)
                print(comparison, profile, to: &console)
                isClean = isClean && comparison.isSame
            } catch {
                console.report("\(error)")
                isClean = false
            }
        }
        return isClean ? .success : .foundFault
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
        options.permission = [.unknown, .dangerous]
        return try await ReplayClient(capture, options).run(over: air, to: ring.identity)
    }

    // MARK: For people

    private func print(_ check: CaptureCheck, to console: inout Console) {
        if isJSON { return writeJSON(check, &console) }
        let style = console.style
        for finding in check.findings {
            let text = "\(Self.time(finding.moment)) \(finding)".printable
            let isWrong = finding.severity == .difference && finding.exception == nil
            console.write((isWrong ? style.bad(text) : text) + "\n")
            if isWrong, let packet = finding.packet { explain(packet, to: &console) }
        }
        if check.droppedCount > 0 {
            console.write("and \(check.droppedCount) more findings\n")
        }
        console.write(style.strong(check.summary) + "\n")
    }

    private func explain(_ packet: CaptureReading.WholePacket, to console: inout Console) {
        let explanation = Explanation(
            of: packet.bytes, as: packet.channel.packetKind, direction: packet.direction)
        var printer = ExplanationPrinter(isJSON: false)
        printer.print("", .success(explanation), to: &console)
    }

    private func print(
        _ comparison: ReplayComparison, _ profile: RingProfile, to console: inout Console
    ) {
        if isJSON { return writeJSON(comparison, profile, &console) }
        for line in "against a virtual \(profile): \(comparison)".split(separator: "\n") {
            console.write(String(line).printable + "\n")
        }
    }

    /// Seconds with six decimals, as precise as a capture.
    private static func time(_ moment: Moment) -> String {
        let digits = String(moment.microseconds % 1_000_000).rightAligned(6, filler: "0")
        return "+\(moment.microseconds / 1_000_000).\(digits)s"
    }

    // MARK: JSON

    private func writeJSON(_ check: CaptureCheck, _ console: inout Console) {
        for finding in check.findings {
            console.write(
                .object([
                    ("type", .string("finding")), ("line", .number(finding.line)),
                    ("microseconds", .number(finding.moment.microseconds)),
                    ("severity", .string(finding.severity == .note ? "note" : "difference")),
                    ("kind", .string(finding.kind.name)), ("text", .string(finding.text)),
                    ("bytes", .text(finding.packet.map { HexText.bytes($0.bytes) })),
                    ("exception", .text(finding.exception)),
                ]))
        }
        let counts = check.counts
        console.write(
            .object([
                ("type", .string("summary")), ("packets", .number(counts.packets)),
                ("decoded", .number(counts.decoded)), ("refused", .number(counts.refused)),
                ("unknown", .number(counts.unknown)),
                ("longReplies", .number(counts.longReplies)),
                ("connections", .number(counts.connections)),
                ("requests", .number(counts.requests)), ("completed", .number(counts.completed)),
                ("refusals", .number(counts.refusals)),
                ("unanswered", .number(counts.unanswered)),
                ("incomplete", .number(counts.incomplete)), ("reports", .number(counts.reports)),
                ("unsolicited", .number(counts.unsolicited)),
                ("measurements", .number(counts.measurements)), ("beats", .number(counts.beats)),
                ("differences", .number(check.differenceCount)),
                ("declared", .number(check.declaredCount)), ("notes", .number(check.noteCount)),
            ]))
    }

    private func writeJSON(
        _ comparison: ReplayComparison, _ profile: RingProfile, _ console: inout Console
    ) {
        for exchange in comparison.differences {
            console.write(
                .object([
                    ("type", .string("exchange")), ("line", .number(exchange.request.line)),
                    ("request", .string("\(exchange.request)")),
                    ("recorded", .strings(exchange.recorded.map { "\($0)" })),
                    ("heard", .strings(exchange.heard.map { "\($0)" })),
                ]))
        }
        console.write(
            .object([
                ("type", .string("comparison")), ("against", .string(profile.model)),
                ("sent", .number(comparison.exchanges.count)),
                ("skipped", .strings(comparison.skipped.map { "\($0)" })),
                ("differences", .number(comparison.differences.count)),
                ("interruption", .text(comparison.interruption.map { "\($0)" })),
            ]))
    }
}
