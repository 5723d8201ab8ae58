import HaloCapture
import HaloProtocol
import HaloSimulator
import HaloTransport

/// `halo replay`: a capture against the program of today.
enum ReplayVerb: Verb {
    static let name = "replay"
    static let summary = "runs a capture against decoders, sessions and virtual rings"

    static var usage: String {
        """
        usage: halo replay FILE [--against RING] [--json]

        Decodes every packet of a capture and encodes it again, and compares both with the file:
        with the bytes, and with the = and ! lines. Lets sessions ask what was asked, gives them
        what was answered, and says which requests complete. What differs is said with its line;
        what the file declares by '# exception:' does not count. Traffic in another format is
        imported on the way, as 'halo import' does, and lines are those of the capture.

          --against RING  also asks a virtual ring what was asked, and compares the kinds of its
                          answers with those recorded. One of:
                          \(ReplayArguments.models.joined(separator: " "))
          --json          one JSON object a line: each finding, then a summary; with --against
                          also each exchange that differs, and a summary of those

        Exit status: 0 if nothing differs, 1 if something does or the file could not be read, 2
        for wrong usage.

        """
    }

    static func run(_ arguments: [String], console: inout Console) async -> ExitStatus {
        let options: ReplayArguments
        do throws(UsageError) {
            options = try ReplayArguments(arguments)
        } catch {
            console.complain(
                """
                halo replay: \(console.safe(error.reason))
                usage: halo replay FILE [--against RING] [--json]
                'halo help replay' says more.
                """)
            return .wrongUsage
        }
        if options.wantsHelp {
            console.write(usage)
            return .success
        }
        var status = ExitStatus.success
        let held = HeldConversation(options.path, for: "reading", &console)
        if let remark = held.end.remark(on: options.path) {
            console.complain("halo replay: \(remark)")
        }
        if let problem = held.end.problem {
            status = .foundFault
            console.complain("halo replay: \(console.safe(problem))")
            guard !held.capture.lines.isEmpty else { return status }
            let count = held.capture.lines.count
            let lines = TrafficWords.number(count, "line")
            console.complain(
                "halo replay: \(lines) before that \(count == 1 ? "is" : "are") replayed")
        }
        let capture = held.capture
        let printer = ReplayPrinter(isJSON: options.isJSON)
        let check = CaptureCheck(capture)
        printer.print(check, to: &console)
        if !check.isClean { status = .foundFault }
        guard let profile = options.profile else { return status }
        do throws(BLEError) {
            let comparison = try await compare(capture, profile)
            printer.print(comparison, profile, to: &console)
            if !comparison.isSame { status = .foundFault }
        } catch {
            console.complain("halo replay: \(console.safe(error.description))")
            status = .foundFault
        }
        return status
    }

    /// Asks a ring that does not exist: nothing can be destroyed, so everything is sent.
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
}
