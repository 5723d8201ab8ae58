import HaloProtocol
import HaloSimulator

/// `halo selftest`: runs made-up apps against virtual rings with faults, and checks rules.
struct SelfTestVerb: Verb {
    private let seed: UInt64
    private let sweep: Int?
    private let onlyFaults: Set<Int>?

    private static let seedOption = Option.seed("the seed of the first run; 1 if left out")
    private static let sweepOption = Option.number(
        "sweep", "N", in: 1 ... .max,
        """
        N runs, with the seeds from the first on, until one breaks a rule; then finds the fewest \
        faults that still break one
        """)
    private static let faultsOption = Option<Set<Int>>(
        "only-faults", .text("LIST"),
        "only these faults of the run, by their numbers, as 3,17, or none"
    ) { (argument) throws(ArgumentError) in try faults(argument.text) }

    static let syntax = VerbSyntax(
        "selftest", "checks the package: made-up apps, virtual rings, and faults",
        options: [seedOption, sweepOption, faultsOption],
        json: """
            one JSON object a line. A run has: type (run), seed, status (kept, broken), \
            violations, faults, requests, digest and trace; a broken run of a sweep also has: \
            reproduce. A sweep has: type (sweep), its runs and their rate
            """,
        difference: "a rule was broken",
        """
        Makes up an app that sends requests, a ring that replies, and faults of the link between
        them, and runs them on virtual time. Checks rules: each request ends exactly once; a reply
        is what the ring holds; no request is lost or done twice; every wait has a deadline. The
        same seed is the same run.
        """)

    init(_ arguments: ParsedArguments) throws(ArgumentError) {
        try arguments.refuseWords()
        seed = try arguments.value(of: Self.seedOption) ?? 1
        sweep = try arguments.value(of: Self.sweepOption)
        onlyFaults = try arguments.value(of: Self.faultsOption)
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
        let printer = SimulationPrinter(isJSON: console.isJSON, style: console.style)
        if let sweep { return run(sweep, printer, &console) }
        var simulation = Simulation<RingSession>(seed: seed, onlyFaults: onlyFaults)
        simulation.isTraced = true
        let report = simulation.run()
        console.write(printer.text(of: report))
        return report.violations.isEmpty ? .success : .difference
    }

    private func run(
        _ count: Int, _ printer: SimulationPrinter, _ console: inout Console
    ) -> ExitStatus {
        let clock = ContinuousClock()
        let begun = clock.now
        var sweep = Sweep<RingSession>(from: seed)
        let failure = sweep.run(count)
        console.write(printer.text(of: sweep, from: seed, in: clock.now - begun, failure))
        return failure == nil ? .success : .difference
    }
}

/// The reports of simulated runs, as text for people or as lines of JSON.
struct SimulationPrinter {
    let isJSON: Bool
    var style = TerminalStyle(isOn: false)

    /// The report of one run.
    func text(of report: SimulationReport) -> String {
        if isJSON { return JSONValue.row("run", Self.members(report)) }
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
            return (broken.map { JSONValue.row("run", $0) } ?? "") + JSONValue.row("sweep", summary)
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
