import HaloProtocol
import HaloSimulator

/// Tells of runs of simulations, as text or as lines of JSON.
struct SimulationPrinter {
    let isJSON: Bool
    var style = TerminalStyle(isOn: false)

    /// What there is to say of one run.
    func text(of report: SimulationReport) -> String {
        if isJSON { return JSONText.text(.object(Self.members(report))) + "\n" }
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

    /// What there is to say of many runs.
    func text<Session>(
        of sweep: Sweep<Session>, from seed: UInt64, in duration: Duration,
        _ failure: SweepFailure?
    ) -> String {
        let rate = Self.rate(sweep.runs, in: duration)
        if isJSON {
            let broken = failure.map { JSONText.text(.object(Self.members($0))) + "\n" } ?? ""
            return broken + JSONText.text(.object(Self.members(sweep, seed, rate, failure))) + "\n"
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
            let number = "\(fault.index)"
            let padding = String(repeating: " ", count: width - number.count)
            return "  fault \(padding)\(number)  \(style.faint(fault.description))"
        }
    }

    private static func members(
        _ failure: SweepFailure
    ) -> [(key: String, value: JSONText.Value)] {
        members(failure.smallest) + [("reproduce", .string(failure.reproduction))]
    }

    private static func members<Session>(
        _ sweep: Sweep<Session>, _ seed: UInt64, _ rate: UInt64, _ failure: SweepFailure?
    ) -> [(key: String, value: JSONText.Value)] {
        [
            ("first", .string("\(seed)")), ("runs", .number(UInt64(sweep.runs))),
            ("status", .string(failure == nil ? "kept" : "broken")),
            ("requests", .number(UInt64(sweep.requests.total))),
            ("faults", .number(UInt64(sweep.faults))),
            ("runsPerSecond", .number(rate)),
        ]
    }

    private static func members(
        _ report: SimulationReport
    ) -> [(key: String, value: JSONText.Value)] {
        let counts = report.requests
        return [
            // A seed may be larger than what every reader of JSON keeps exactly.
            ("seed", .string("\(report.seed)")),
            ("status", .string(report.violations.isEmpty ? "kept" : "broken")),
            (
                "violations",
                .array(
                    report.violations.map {
                        .object([
                            ("rule", .string($0.kind.name)),
                            ("microseconds", .number(UInt64(clamping: $0.moment.microseconds))),
                            ("details", .string($0.details)),
                        ])
                    })
            ),
            (
                "faults",
                .array(
                    report.faults.map {
                        .object([
                            ("index", .number(UInt64(clamping: $0.index))),
                            ("description", .string($0.description)),
                        ])
                    })
            ),
            (
                "requests",
                .object([
                    ("answered", .number(UInt64(counts.answered))),
                    ("refused", .number(UInt64(counts.refused))),
                    ("withoutData", .number(UInt64(counts.withoutData))),
                    ("failed", .number(UInt64(counts.failed))),
                ])
            ),
            ("streams", .number(UInt64(report.streams))),
            ("virtualSeconds", .number(UInt64(clamping: report.elapsed.components.seconds))),
            ("digest", .string(hex(report.digest))),
            ("trace", .array(report.trace.map { .string($0) })),
        ]
    }

    private static func rate(_ runs: Int, in duration: Duration) -> UInt64 {
        let microseconds = max(duration.wholeMicroseconds, 1)
        return UInt64(
            clamping: Int64(clamping: runs).multipliedReportingOverflow(by: 1_000_000)
                .partialValue / microseconds)
    }

    private static func time(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60)
        if days > 0 { return "\(days) d \(hours) h" }
        if hours > 0 { return "\(hours) h \(minutes) min" }
        return minutes > 0 ? "\(minutes) min \(seconds % 60) s" : "\(seconds) s"
    }

    private static func hex(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
