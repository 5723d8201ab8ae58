#if os(Linux) || os(macOS)
import HaloDevices
import HaloHealth
import HaloProtocol
import TestSupport
import Testing

/// Exports as other people's packages read them: pandas, and a parser of line protocol.
@Suite(
    .passesTime,
    .enabled(if: PythonReader.hasPackages, "pandas and line_protocol_parser are not installed"))
struct PythonPackageTests {
    /// A week of all kinds, on a clock an hour ahead of UTC.
    private static let week: RingHistory = {
        var week = MadeHistory.full(days: 7)
        week[.workouts] = [
            WorkoutRecord(
                sport: .run, start: MadeHistory.time(MadeHistory.today, 1050),
                secondsFromUTC: 3600, duration: .seconds(1830), metres: 2400, kilocalories: 151.5,
                steps: 3100, averageBeatsPerMinute: 118, lowestBeatsPerMinute: 71,
                highestBeatsPerMinute: 140)
        ]
        week.totals = RingHistory.sample.totals
        return week
    }()

    /// Returns what the package pandas prints of each table as CSV.
    private static func pandas(_ history: RingHistory, ring: String?) async throws -> [String] {
        let tables = HistoryTable.stored.filter { $0 != .battery }.map { table in
            var exporter = HistoryExporter.csv(of: table, ring: ring)
            return "\(table.rawValue)\n\(exporter.text(of: history))\0"
        }
        return try await lines(PythonReader.pandas, tables.joined())
    }

    private static func lines(_ script: String, _ text: String) async throws -> [String] {
        try await PythonReader.run(script, Array(text.utf8))
            .split(separator: "\n").map(String.init)
    }

    /// Compares thousands of lines, and shows the first one that differs.
    private static func expect(_ lines: [String], _ expected: [String]) {
        #expect(lines.count == expected.count)
        let difference = zip(lines, expected).first { $0 != $1 }
        #expect(difference == nil)
    }

    @Test func pandasFindsNumbersAndDates() async throws {
        let dates = "time=datetime64[ns]|utc=datetime64[ns, UTC]"
        #expect(
            try await Self.pandas(.sample, ring: nil) == [
                // The heart rate and the workout have no offset from UTC.
                "heart_rate|time=datetime64[ns]|utc=datetime64[ns]|minutes=int64|bpm=int64",
                "heart_rate|bpm=62|minutes=5|missing",
                "stress|\(dates)|minutes=int64|score=int64",
                "stress|minutes=30|score=41|1767601800000000000",
                "heart_rate_variability|\(dates)|minutes=int64|milliseconds=int64",
                "heart_rate_variability|milliseconds=48|minutes=60|1767578400000000000",
                "activity|\(dates)|minutes=int64|steps=int64|metres=int64|kilocalories=float64",
                "activity|metres=403|minutes=15|steps=532|1767604500000000000",
                "blood_oxygen|\(dates)|minutes=int64|lowest_percent=int64|highest_percent=int64",
                "blood_oxygen|highest_percent=97|lowest_percent=95|minutes=60|1767582000000000000",
                "temperature|\(dates)|minutes=int64|celsius=float64",
                "temperature|celsius=35.75|minutes=30|1767583800000000000",
                "sleep|\(dates)|period=object|minutes=int64|minutes_asleep=int64"
                    + "|end=datetime64[ns]|end_utc=datetime64[ns, UTC]",
                "sleep|minutes=450|minutes_asleep=450|period='night'|1767565800000000000",
                "sleep_stages|\(dates)|stage=object|minutes=int64|sleep_start=datetime64[ns]",
                "sleep_stages|minutes=60|stage='light'|1767565800000000000",
                "sleep_stages|minutes=390|stage='deep'|1767569400000000000",
                "workouts|time=datetime64[ns]|utc=datetime64[ns]|sport=object|seconds=int64"
                    + "|metres=int64|kilocalories=float64|steps=int64|average_bpm=int64"
                    + "|lowest_bpm=float64|highest_bpm=int64",
                "workouts|average_bpm=118|highest_bpm=140|kilocalories=151.5|metres=2400"
                    + "|seconds=1830|sport='type 2, perhaps a walk'|steps=3100|missing",
                "totals|\(dates)|day=datetime64[ns]|steps=int64|running_steps=int64|metres=int64"
                    + "|kilocalories=float64|active_minutes=int64",
                "totals|active_minutes=18|kilocalories=119.538|metres=1549|running_steps=0"
                    + "|steps=2061|1767639630000000000",
            ])
    }

    @Test func pandasReadsAWeek() async throws {
        let text = try await Self.pandas(Self.week, ring: "R02_A1B2")
        Self.expect(text.filter { !$0.contains("|ring=object|") }, Self.week.points("R02_A1B2"))
    }

    @Test func lineProtocolOfAWeekIsParsed() async throws {
        var exporter = HistoryExporter.lineProtocol(ring: "R02_A1B2")
        let text = try await Self.lines(PythonReader.lines, exporter.text(of: Self.week))
        Self.expect(text, Self.week.points("R02_A1B2"))
    }

    @Test func namesInLineProtocolComeBack() async throws {
        let text = PythonReaderTests.names.map { name in
            var exporter = HistoryExporter.lineProtocol(
                of: [.workouts], ring: name, assumedSecondsFromUTC: 3600)
            return exporter.text(of: .sample)
        }
        let points = PythonReaderTests.names.map { name in
            let ring = PythonReaderTests.clean(name)
                .split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "/")
            return "workouts|average_bpm=118|highest_bpm=140|kilocalories=151.5|metres=2400|ring="
                + (ring.contains("'") ? "\"\(ring)\"" : "'\(ring)'")
                + "|seconds=1830|sport='type 2, perhaps a walk'|steps=3100|1767630612000000000"
        }
        #expect(try await Self.lines(PythonReader.lines, text.joined()) == points)
    }
}

extension RingHistory {
    /// Returns the values as the scripts print them: a table, the values in the order of their
    /// names, and the beginning in nanoseconds. The clock is an hour ahead of UTC.
    fileprivate func points(_ ring: String) -> [String] {
        func point(_ table: String, _ time: CivilDateTime?, _ values: [String: Any]) -> String {
            let values = values.merging(["ring": "'\(ring)'"]) { $1 }.sorted { $0.key < $1.key }
            let utc = Int(time?.secondsSince1970 ?? 0) - 3600
            return table + values.map { "|\($0)=\($1)" }.joined() + "|\(utc)000000000"
        }
        func points<Value>(
            _ table: String, _ samples: [TimedSample<Value>], _ values: (Value) -> [String: Any]
        ) -> [String] {
            samples.map { sample in
                let minutes = ["minutes": sample.minutes]
                return point(table, sample.time, values(sample.value).merging(minutes) { $1 })
            }
        }
        let stages = sleep.flatMap(\.stages)
        return points("heart_rate", heartRates) { ["bpm": $0] }
            + points("stress", stress) { ["score": $0] }
            + points("heart_rate_variability", heartRateVariability) { ["milliseconds": $0] }
            + points("activity", activity) {
                ["steps": $0.steps, "metres": $0.metres, "kilocalories": $0.kilocalories ?? 0]
            }
            + points("blood_oxygen", bloodOxygen) {
                ["lowest_percent": $0.lowestPercent, "highest_percent": $0.highestPercent]
            }
            + points("temperature", temperatures) { ["celsius": $0] }
            + sleep.map {
                // Cycles of 92 minutes, of which two are awake.
                point(
                    "sleep", $0.start, ["period": "'night'", "minutes": 460, "minutes_asleep": 450])
            }
            + points("sleep_stages", stages) { ["stage": "'\($0.rawValue)'"] }
            + workouts.map {
                point(
                    "workouts", $0.start,
                    [
                        "sport": "'run'", "seconds": 1830, "metres": 2400, "kilocalories": 151.5,
                        "steps": 3100, "average_bpm": 118, "lowest_bpm": 71, "highest_bpm": 140,
                    ])
            }
            + [
                point(
                    "totals", readAt,
                    [
                        "steps": 2061, "running_steps": 0, "metres": 1549, "kilocalories": 119.538,
                        "active_minutes": 18,
                    ])
            ]
    }
}
#endif
