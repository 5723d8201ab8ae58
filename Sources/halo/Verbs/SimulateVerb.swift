import HaloProtocol
import HaloSimulator

/// `halo simulate`: runs made-up apps against virtual rings with faults, and checks rules.
struct SimulateVerb: Verb {
    private var seed: UInt64 = 1
    private var sweep: Int?
    private var onlyFaults: Set<Int>?
    private var isJSON = false

    static let name = "simulate"
    static let summary = "simulates a device for other programs, or checks rules with virtual ones"

    static let synopsis = """
        halo simulate [--seed S] [--only-faults LIST] [--json]
               halo simulate --sweep N [--seed S] [--json]
               halo simulate ring|strap …
        """

    static let details = """
        The last form is a device for other programs: 'halo simulate ring --help' says more.

        The others make up an app that sends requests, a ring that replies, and faults of the link
        between them, and run them on virtual time. They check rules: each request ends exactly
        once; a reply is what the ring holds; no request is lost or done twice; every wait has a
        deadline. The same seed is the same run.

          --seed S            the seed of the run; 1 if left out
          --sweep N           N runs, with the seeds from S on, until one breaks a rule; then finds
                              the fewest faults that still break one
          --only-faults LIST  only these faults of the run, by their numbers, as 3,17, or none
          --json              one JSON object a line. A run has: seed, status (kept, broken),
                              violations, faults, requests, digest and trace. A sweep has its
                              runs and their rate; its broken run also has: reproduce

        Exit status: 0 if every rule was kept; 1 if one was broken; 2 for wrong usage.
        """

    /// `halo simulate ring` and `halo simulate strap` have options of their own.
    static func variant(for arguments: [Argument]) -> any Verb.Type {
        SimulatedDeviceVerb.isMeant(by: arguments) ? SimulatedDeviceVerb.self : Self.self
    }

    init(_ arguments: inout ArgumentReader) throws(ArgumentError) {
        while let option = try arguments.next() {
            switch option {
            case "--seed": seed = try arguments.seed(of: option)
            case "--sweep": sweep = try arguments.number(of: option, in: 1 ... .max)
            case "--only-faults": onlyFaults = try Self.faults(arguments.value(of: option))
            case "--json": isJSON = true
            default: throw .unknown(option)
            }
        }
        try arguments.refuseWordsAndCommand()
        if sweep != nil, onlyFaults != nil {
            throw .wrongUsage("--only-faults is for one run, --sweep for many")
        }
    }

    private static func faults(_ text: String) throws(ArgumentError) -> Set<Int> {
        if text == "none" { return [] }
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        let faults = words.compactMap { Int($0) }.filter { $0 >= 0 }
        guard faults.count == words.count else {
            throw .wrongUsage("--only-faults takes numbers like 3,17, or none, not '\(text)'")
        }
        return Set(faults)
    }

    func run(_ console: inout Console) -> ExitStatus {
        let printer = SimulationPrinter(isJSON: isJSON, style: console.style)
        if let sweep { return run(sweep, printer, &console) }
        var simulation = Simulation<RingSession>(seed: seed, onlyFaults: onlyFaults)
        simulation.isTraced = true
        let report = simulation.run()
        console.write(printer.text(of: report))
        return report.violations.isEmpty ? .success : .foundFault
    }

    private func run(
        _ count: Int, _ printer: SimulationPrinter, _ console: inout Console
    ) -> ExitStatus {
        let clock = ContinuousClock()
        let begun = clock.now
        var sweep = Sweep<RingSession>(from: seed)
        let failure = sweep.run(count)
        console.write(printer.text(of: sweep, from: seed, in: clock.now - begun, failure))
        return failure == nil ? .success : .foundFault
    }
}

/// The reports of simulated runs, as text for people or as lines of JSON.
struct SimulationPrinter {
    let isJSON: Bool
    var style = TerminalStyle(isOn: false)

    /// The report of one run.
    func text(of report: SimulationReport) -> String {
        if isJSON { return JSONValue.object(Self.members(report)).line + "\n" }
        let counts = report.requests
        var lines = report.trace
        lines.append("")
        lines.append(style.strong("seed \(report.seed)"))
        lines.append(
            "  \(counts.total) requests: \(counts.answered) answered, \(counts.refused) refused, "
                + "\(counts.withoutData) without data, \(counts.failed) failed")
        lines.append(
            "  \(report.streams) streams, \(report.faults.count) faults, "
                + "\(Self.time(report.elapsed)) of virtual time, digest \(Self.hex(report.digest))")
        lines += faultLines(report)
        lines +=
            report.violations.isEmpty ? ["  every rule was kept"] : violationLines(report)
        return lines.joined(separator: "\n") + "\n"
    }

    /// The report of many runs.
    func text<Session>(
        of sweep: Sweep<Session>, from seed: UInt64, in duration: Duration,
        _ failure: SweepFailure?
    ) -> String {
        let rate = Self.rate(sweep.runs, in: duration)
        if isJSON {
            let broken = failure.map {
                Self.members($0.smallest) + [("reproduce", .string($0.reproduction))]
            }
            let summary: JSONValue.Members = [
                ("first", .string("\(seed)")), ("runs", .number(sweep.runs)),
                ("status", .string(failure == nil ? "kept" : "broken")),
                ("requests", .number(sweep.requests.total)), ("faults", .number(sweep.faults)),
                ("runsPerSecond", .number(rate)),
            ]
            return [broken, summary].compactMap { $0 }
                .map { JSONValue.object($0).line + "\n" }.joined()
        }
        let first =
            "\(sweep.runs) runs from seed \(seed), \(rate) a second: \(sweep.requests.total) "
            + "requests, \(sweep.faults) faults, \(Self.time(sweep.elapsed)) of virtual time"
        let lines = [first] + (failure.map(failureLines) ?? ["every rule was kept"])
        return lines.joined(separator: "\n") + "\n"
    }

    private func failureLines(_ failure: SweepFailure) -> [String] {
        let enough = failure.smallest.faults.count
        return ["", style.strong("seed \(failure.first.seed) breaks a rule")]
            + violationLines(failure.smallest)
            + ["  \(enough) of its \(failure.first.faults.count) faults are enough"]
            + faultLines(failure.smallest) + [failure.reproduction]
    }

    private func violationLines(_ report: SimulationReport) -> [String] {
        report.violations.map { "  \(style.bad("rule broken: \($0)"))" }
    }

    private func faultLines(_ report: SimulationReport) -> [String] {
        let width = report.faults.map { "\($0.index)".count }.max() ?? 0
        return report.faults.map { fault in
            "  fault \("\(fault.index)".rightAligned(width))  \(style.faint(fault.description))"
        }
    }

    private static func members(_ report: SimulationReport) -> JSONValue.Members {
        let counts = report.requests
        return [
            // Not every reader of JSON keeps a large seed exactly.
            ("seed", .string("\(report.seed)")),
            ("status", .string(report.violations.isEmpty ? "kept" : "broken")),
            (
                "violations",
                .objects(report.violations) {
                    [
                        ("rule", .string($0.kind.name)),
                        ("microseconds", .number($0.moment.microseconds)),
                        ("details", .string($0.details)),
                    ]
                }
            ),
            (
                "faults",
                .objects(report.faults) {
                    [("index", .number($0.index)), ("description", .string($0.description))]
                }
            ),
            (
                "requests",
                .object([
                    ("answered", .number(counts.answered)), ("refused", .number(counts.refused)),
                    ("withoutData", .number(counts.withoutData)),
                    ("failed", .number(counts.failed)),
                ])
            ),
            ("streams", .number(report.streams)),
            ("virtualSeconds", .number(report.elapsed.components.seconds)),
            ("digest", .string(hex(report.digest))), ("trace", .strings(report.trace)),
        ]
    }

    /// The runs in a second.
    private static func rate(_ runs: Int, in duration: Duration) -> Int64 {
        let microseconds = max(duration.wholeMicroseconds, 1)
        return Int64(clamping: runs).multipliedReportingOverflow(by: 1_000_000).partialValue
            / microseconds
    }

    private static func time(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60)
        if days > 0 { return "\(days) d \(hours) h" }
        if hours > 0 { return "\(hours) h \(minutes) min" }
        return minutes > 0 ? "\(minutes) min \(seconds % 60) s" : "\(seconds) s"
    }

    private static func hex(_ number: UInt64) -> String {
        String(number, radix: 16).rightAligned(16, filler: "0")
    }
}
