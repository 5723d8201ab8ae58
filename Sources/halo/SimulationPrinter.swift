import HaloProtocol
import HaloSimulator

/// Prints runs of simulations, as text or as lines of JSON.
struct SimulationPrinter {
    let isJSON: Bool

    /// Prints one run.
    func print(_ report: SimulationReport, to console: inout Console) {
        if isJSON {
            console.write(JSONText.text(.object(Self.members(report, withTrace: true))) + "\n")
            return
        }
        let style = TerminalStyle(isOn: console.usesColour)
        for line in report.trace { console.write(line + "\n") }
        console.write("\n\(style.strong("seed \(report.seed)"))\n")
        let counts = report.requests
        console.write(
            "  \(counts.total) requests: \(counts.answered) answered, "
                + "\(counts.refused) refused, \(counts.withoutData) without data, "
                + "\(counts.failed) failed\n")
        console.write(
            "  \(report.streams) streams, \(report.faults.count) faults, "
                + "\(Self.time(report.elapsed)) of virtual time, digest \(Self.hex(report.digest))\n"
        )
        printFaults(report, style, to: &console)
        if report.violations.isEmpty { console.write("  every rule was kept\n") }
        for violation in report.violations {
            console.write("  \(style.bad("rule broken: \(violation)"))\n")
        }
    }

    /// Prints what came of many runs.
    func print(
        _ sweep: Sweep<RingSession>, from seed: UInt64, in duration: Duration,
        _ failure: SweepFailure?, to console: inout Console
    ) {
        let rate = Self.rate(sweep.runs, in: duration)
        if isJSON {
            if let failure {
                var members = Self.members(failure.smallest, withTrace: true)
                members.append(("reproduce", .string(failure.reproduction)))
                console.write(JSONText.text(.object(members)) + "\n")
            }
            console.write(
                JSONText.text(
                    .object([
                        ("first", .number(seed)), ("runs", .number(UInt64(sweep.runs))),
                        ("status", .string(failure == nil ? "kept" : "broken")),
                        ("requests", .number(UInt64(sweep.requests.total))),
                        ("faults", .number(UInt64(sweep.faults))),
                        ("runsPerSecond", .number(rate)),
                    ])) + "\n")
            return
        }
        let style = TerminalStyle(isOn: console.usesColour)
        console.write(
            "\(sweep.runs) runs from seed \(seed), \(rate) a second: "
                + "\(sweep.requests.total) requests, \(sweep.faults) faults, "
                + "\(Self.time(sweep.elapsed)) of virtual time\n")
        if let failure {
            printFailure(failure, style, to: &console)
        } else {
            console.write("every rule was kept\n")
        }
    }

    private func printFailure(
        _ failure: SweepFailure, _ style: TerminalStyle, to console: inout Console
    ) {
        console.write("\n\(style.strong("seed \(failure.first.seed) breaks a rule"))\n")
        for violation in failure.smallest.violations {
            console.write("  \(style.bad("rule broken: \(violation)"))\n")
        }
        let faults = failure.smallest.faults.count
        console.write(
            "  \(faults) of its \(failure.first.faults.count) faults are enough\n")
        printFaults(failure.smallest, style, to: &console)
        console.write("\(failure.reproduction)\n")
    }

    private func printFaults(
        _ report: SimulationReport, _ style: TerminalStyle, to console: inout Console
    ) {
        let width = report.faults.map { "\($0.index)".count }.max() ?? 0
        for fault in report.faults {
            let number = "\(fault.index)"
            let padding = String(repeating: " ", count: width - number.count)
            console.write("  fault \(padding)\(number)  \(style.faint(fault.description))\n")
        }
    }

    private static func members(
        _ report: SimulationReport, withTrace: Bool
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
