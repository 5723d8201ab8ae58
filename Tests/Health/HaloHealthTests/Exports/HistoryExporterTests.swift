import HaloDevices
import HaloHealth
import HaloProtocol
import TestSupport
import Testing

/// Text for other programs, line by line.
@Suite(.passesTime) struct HistoryExporterTests {
    private var history = RingHistory(today: .day(5))

    @Test(arguments: [
        (HistoryTable.heartRate, "time,utc,minutes,bpm", "2026-01-05T09:00:00,,5,62"),
        (.stress, "time,utc,minutes,score", "2026-01-05T09:30:00,2026-01-05T08:30:00Z,30,41"),
        (
            .heartRateVariability, "time,utc,minutes,milliseconds",
            "2026-01-05T03:00:00,2026-01-05T02:00:00Z,60,48"
        ),
        (
            .activity, "time,utc,minutes,steps,metres,kilocalories",
            "2026-01-05T10:15:00,2026-01-05T09:15:00Z,15,532,403,"
        ),
        (
            .bloodOxygen, "time,utc,minutes,lowest_percent,highest_percent",
            "2026-01-05T04:00:00,2026-01-05T03:00:00Z,60,95,97"
        ),
        (
            .temperature, "time,utc,minutes,celsius",
            "2026-01-05T04:30:00,2026-01-05T03:30:00Z,30,35.75"
        ),
        (
            .sleep, "time,utc,period,minutes,minutes_asleep,end,end_utc",
            """
            2026-01-04T23:30:00,2026-01-04T22:30:00Z,night,450,450,2026-01-05T07:00:00,\
            2026-01-05T06:00:00Z
            """
        ),
        (
            .sleepStages, "time,utc,stage,minutes,sleep_start",
            "2026-01-04T23:30:00,2026-01-04T22:30:00Z,light,60,2026-01-04T23:30:00"
        ),
        (
            .workouts,
            """
            time,utc,sport,seconds,metres,kilocalories,steps,average_bpm,lowest_bpm,highest_bpm
            """,
            "2026-01-05T17:30:12,,\"type 2, perhaps a walk\",1830,2400,151.5,3100,118,,140"
        ),
        (
            .totals, "time,utc,day,steps,running_steps,metres,kilocalories,active_minutes",
            "2026-01-05T20:00:30,2026-01-05T19:00:30Z,2026-01-05,2061,0,1549,119.538,18"
        ),
    ])
    func csvHasTheColumnsOfATable(_ table: HistoryTable, _ header: String, _ row: String) {
        var exporter = HistoryExporter.csv(of: table)
        let lines = exporter.text(of: .sample).split(
            separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines.first.map(String.init) == header)
        #expect(lines.dropFirst().first.map(String.init) == row)
        #expect(lines.last == "")
        #expect(exporter.rowCount == lines.count - 2)
        #expect(exporter.omittedRowCount == 0)
    }

    private static let charges = [
        TimedSample(
            time: CivilDateTime.time(5, 20), minutes: 0, secondsFromUTC: 3600,
            value: BatteryCharge(percent: 83, isCharging: true)),
        TimedSample(time: .time(5, 21), minutes: 0, value: BatteryCharge(percent: 84)),
    ]

    @Test func chargesHaveATableOfTheirOwn() {
        for (exporter, text) in [
            (
                HistoryExporter.csv(of: .battery),
                "time,utc,percent,is_charging\r\n"
                    + "2026-01-05T20:00:00,2026-01-05T19:00:00Z,83,true\r\n"
                    + "2026-01-05T21:00:00,,84,\r\n"
            ),
            (
                .jsonLines(of: [.stress, .battery], ring: "a"),
                #"{"type":"battery","ring":"a","time":"2026-01-05T20:00:00","#
                    + #""utc":"2026-01-05T19:00:00Z","percent":83,"isCharging":true}"# + "\n"
                    + #"{"type":"battery","ring":"a","time":"2026-01-05T21:00:00","#
                    + #""utc":null,"percent":84,"isCharging":null}"# + "\n"
            ),
            (.lineProtocol(), "battery percent=83i,is_charging=true 1767639600000000000\n"),
        ] {
            var (exporter, bytes) = (exporter, [UInt8]())
            exporter.append(Self.charges, to: &bytes)
            #expect(String(decoding: bytes, as: UTF8.self) == text)
        }
    }

    /// The rows have the figures of each day, also of one without values; earlier days of the
    /// history are for figures that compare, and line protocol has none.
    @Test func aDayHasARow() {
        let days = CivilDate.day(3)...CivilDate.day(5)
        var exporter = HistoryExporter.csv(of: .day)
        var bytes: [UInt8] = []
        exporter.append(.sample, days: days, to: &bytes)
        let rows = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
            .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        #expect(rows.count == 4 && rows.allSatisfy { $0.count == 22 })
        #expect(rows[1].joined(separator: ",") == "2026-01-03" + String(repeating: ",", count: 21))
        let today = Dictionary(uniqueKeysWithValues: zip(rows[0], rows[3]))
        let figures = HealthFigures(.sample).day(.day(5))
        for (column, value) in [
            ("day", "2026-01-05"), ("until", "2026-01-05T20:00:30"),
            ("steps", "\(figures.steps.value ?? -1)"), ("minutes_asleep", "450"),
            ("minutes_deep", "390"), ("fell_asleep", "2026-01-04T23:30:00"), ("lowest_bpm", "62"),
            ("resting_bpm", ""), ("average_stress", "41"), ("night_variability_milliseconds", ""),
        ] { #expect(today[Substring(column)].map(String.init) == value, "\(column)") }
        var lines = HistoryExporter.lineProtocol(of: [.day])
        #expect(lines.text(of: .sample) == "")
        var objects = HistoryExporter.jsonLines(of: [.day], ring: "a")
        let object = #"{"type":"day","ring":"a","day":"2026-01-05","#
        #expect(objects.text(of: .sample).hasPrefix(object + #""until":"2026-01-05T20:00:30","#))
        // Of the other tables, a range of days has the rows that begin in it.
        var rates = HistoryExporter.csv(of: .heartRate)
        var none: [UInt8] = []
        rates.append(.sample, days: CivilDate.day(3)...CivilDate.day(4), to: &none)
        #expect(rates.rowCount == 0)
    }

    @Test func jsonLinesHaveAnObjectAValue() {
        var exporter = HistoryExporter.jsonLines(ring: "R02_A1B2")
        let lines = exporter.text(of: .sample).split(separator: "\n").map(String.init)
        #expect(
            lines == [
                #"{"type":"heartRate","ring":"R02_A1B2","time":"2026-01-05T09:00:00","#
                    + #""utc":null,"minutes":5,"bpm":62}"#,
                #"{"type":"stress","ring":"R02_A1B2","time":"2026-01-05T09:30:00","#
                    + #""utc":"2026-01-05T08:30:00Z","minutes":30,"score":41}"#,
                #"{"type":"heartRateVariability","ring":"R02_A1B2","#
                    + #""time":"2026-01-05T03:00:00","utc":"2026-01-05T02:00:00Z","#
                    + #""minutes":60,"milliseconds":48}"#,
                #"{"type":"activity","ring":"R02_A1B2","time":"2026-01-05T10:15:00","#
                    + #""utc":"2026-01-05T09:15:00Z","minutes":15,"steps":532,"metres":403,"#
                    + #""kilocalories":null}"#,
                #"{"type":"bloodOxygen","ring":"R02_A1B2","time":"2026-01-05T04:00:00","#
                    + #""utc":"2026-01-05T03:00:00Z","minutes":60,"lowestPercent":95,"#
                    + #""highestPercent":97}"#,
                #"{"type":"temperature","ring":"R02_A1B2","time":"2026-01-05T04:30:00","#
                    + #""utc":"2026-01-05T03:30:00Z","minutes":30,"celsius":35.75}"#,
                #"{"type":"sleep","ring":"R02_A1B2","time":"2026-01-04T23:30:00","#
                    + #""utc":"2026-01-04T22:30:00Z","period":"night","minutes":450,"#
                    + #""minutesAsleep":450,"end":"2026-01-05T07:00:00","#
                    + #""endUTC":"2026-01-05T06:00:00Z"}"#,
                #"{"type":"sleepStages","ring":"R02_A1B2","time":"2026-01-04T23:30:00","#
                    + #""utc":"2026-01-04T22:30:00Z","stage":"light","minutes":60,"#
                    + #""sleepStart":"2026-01-04T23:30:00"}"#,
                #"{"type":"sleepStages","ring":"R02_A1B2","time":"2026-01-05T00:30:00","#
                    + #""utc":"2026-01-04T23:30:00Z","stage":"deep","minutes":390,"#
                    + #""sleepStart":"2026-01-04T23:30:00"}"#,
                #"{"type":"workouts","ring":"R02_A1B2","time":"2026-01-05T17:30:12","utc":null,"#
                    + #""sport":"type 2, perhaps a walk","seconds":1830,"metres":2400,"#
                    + #""kilocalories":151.5,"steps":3100,"averageBPM":118,"lowestBPM":null,"#
                    + #""highestBPM":140}"#,
                #"{"type":"totals","ring":"R02_A1B2","time":"2026-01-05T20:00:30","#
                    + #""utc":"2026-01-05T19:00:30Z","day":"2026-01-05","steps":2061,"#
                    + #""runningSteps":0,"metres":1549,"kilocalories":119.538,"#
                    + #""activeMinutes":18}"#,
            ])
    }

    @Test func lineProtocolHasTagsFieldsAndNanoseconds() {
        var exporter = HistoryExporter.lineProtocol(ring: "My ring")
        let lines = exporter.text(of: .sample).split(separator: "\n").map(String.init)
        #expect(
            lines == [
                #"stress,ring=My\ ring minutes=30i,score=41i 1767601800000000000"#,
                #"heart_rate_variability,ring=My\ ring minutes=60i,milliseconds=48i "#
                    + "1767578400000000000",
                #"activity,ring=My\ ring minutes=15i,steps=532i,metres=403i 1767604500000000000"#,
                #"blood_oxygen,ring=My\ ring minutes=60i,lowest_percent=95i,highest_percent=97i "#
                    + "1767582000000000000",
                #"temperature,ring=My\ ring minutes=30i,celsius=35.75 1767583800000000000"#,
                #"sleep,ring=My\ ring,period=night minutes=450i,minutes_asleep=450i "#
                    + "1767565800000000000",
                #"sleep_stages,ring=My\ ring,stage=light minutes=60i 1767565800000000000"#,
                #"sleep_stages,ring=My\ ring,stage=deep minutes=390i 1767569400000000000"#,
                #"totals,ring=My\ ring steps=2061i,running_steps=0i,metres=1549i,"#
                    + "kilocalories=119.538,active_minutes=18i 1767639630000000000",
            ])
        // The heart rate and the workout have no offset.
        #expect(exporter.rowCount == 9)
        #expect(exporter.omittedRowCount == 2)
    }

    @Test func lineProtocolTakesAnOffset() {
        var exporter = HistoryExporter.lineProtocol(
            of: [.heartRate, .workouts, .stress], assumedSecondsFromUTC: -3600)
        let lines = exporter.text(of: .sample).split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "heart_rate minutes=5i,bpm=62i 1767607200000000000",
                #"workouts,sport=type\ 2\,\ perhaps\ a\ walk seconds=1830i,metres=2400i,"#
                    + "kilocalories=151.5,steps=3100i,average_bpm=118i,highest_bpm=140i "
                    + "1767637812000000000",
                // The offset of a value goes before the assumed one.
                "stress minutes=30i,score=41i 1767601800000000000",
            ])
        #expect(exporter.omittedRowCount == 0)
    }

    @Test func anOffsetIsAssumedInEveryFormat() {
        var csv = HistoryExporter.csv(of: .heartRate, assumedSecondsFromUTC: -3600)
        #expect(csv.text(of: .sample).contains(",2026-01-05T10:00:00Z,"))
        var lines = HistoryExporter.jsonLines(
            of: [.heartRate, .stress], assumedSecondsFromUTC: -3600)
        let text = lines.text(of: .sample)
        #expect(text.contains(#""utc":"2026-01-05T10:00:00Z""#))
        #expect(text.contains(#""utc":"2026-01-05T08:30:00Z""#))
    }

    @Test mutating func aWorkoutWithoutValuesOrTimeIsNoPoint() {
        history[.workouts] = [
            WorkoutRecord(sport: .run, start: .time(5, 9), secondsFromUTC: 0), WorkoutRecord(),
        ]
        var lines = HistoryExporter.lineProtocol(of: [.workouts])
        #expect(lines.text(of: history) == "")
        #expect(lines.rowCount == 0)
        #expect(lines.omittedRowCount == 1)
        var csv = HistoryExporter.csv(of: .workouts)
        let rows = csv.text(of: history).split(separator: "\r\n")
        #expect(rows.last == ",,,,,,,,,")
        // It leaves the point before it as it is.
        history[.workouts].insert(
            WorkoutRecord(start: .time(5, 8), secondsFromUTC: 0, steps: 9), at: 0)
        var points = HistoryExporter.lineProtocol(of: [.workouts])
        #expect(points.text(of: history) == "workouts steps=9i 1767600000000000000\n")
    }

    /// The stages of an hour of sleep, and the minutes asleep; a length in a file may be any.
    private static let stages: [([(SleepRecord.Stage, Int)], String)] = [
        ([], ""), ([(.awake, 30), (.unclassified, 30)], ""), ([(.rem, 1)], "1"),
        ([(.light, 20), (.awake, 5), (.deep, 30), (.rem, 5)], "55"),
        ([(.deep, -5), (.rem, 3)], "3"), ([(.deep, 1441)], "1440"),
        ([(SleepRecord.Stage, Int)](repeating: (.deep, 1440), count: 70), "100000"),
    ]

    @Test(arguments: stages)
    mutating func minutesAsleepAreThoseOfStages(
        _ stages: [(SleepRecord.Stage, Int)], _ asleep: String
    ) {
        history.addSleep(.time(5, 1), stages, end: .time(5, 2))
        var exporter = HistoryExporter.csv(of: .sleep)
        #expect(
            exporter.text(of: history).hasSuffix(
                "2026-01-05T01:00:00,,night,60,\(asleep),2026-01-05T02:00:00,\r\n"))
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00"), (946_684_799, "1999-12-31T23:59:59"),
            (4_102_444_800, "2100-01-01T00:00:00"), (.max, "2106-02-07T06:28:15"),
        ] as [(UInt32, String)])
    mutating func allYearsHaveTheirDigits(_ seconds: UInt32, _ text: String) {
        history[.stress] = [
            TimedSample(time: CivilDateTime(secondsSince1970: seconds), minutes: 30, value: 40)
        ]
        var exporter = HistoryExporter.csv(of: .stress)
        #expect(exporter.text(of: history).hasSuffix("\r\n\(text),,30,40\r\n"))
    }

    @Test(arguments: [
        ("R02_A1B2", "R02_A1B2", "\"R02_A1B2\"", "R02_A1B2"),
        ("a,b", "\"a,b\"", "\"a,b\"", #"a\,b"#),
        (#"a"b"#, #""a""b""#, #""a\"b""#, #"a"b"#),
        ("a\nb\r\tc\0", "\"a b  c \"", #""a\u000ab\u000d\u0009c\u0000""#, #"a\ b\ \ c\ "#),
        ("\u{9B}31m\u{7F}", "\" 31m \"", #""\u009b31m\u007f""#, #"\ 31m\ "#),
        (
            "a\u{202E}b\u{2028}\u{3164}", "\"a b  \"", #""a\u202eb\u2028\u3164""#, #"a\ b\ \ "#
        ),
        ("=HYPERLINK(1)", "\"'=HYPERLINK(1)\"", "\"=HYPERLINK(1)\"", #"\=HYPERLINK(1)"#),
        ("+1", "\"'+1\"", "\"+1\"", "+1"), ("-1", "\"'-1\"", "\"-1\"", "-1"),
        ("@a", "\"'@a\"", "\"@a\"", "@a"), ("＝1", "\"'＝1\"", "\"＝1\"", "＝1"),
        ("  =1", "\"'  =1\"", "\"  =1\"", #"\ \ \=1"#),
        ("\t=1", "\"' =1\"", #""\u0009=1""#, #"\ \=1"#),
        (#"a\"#, #"a\"#, #""a\\""#, "a/"), (#"a\ b"#, #"a\ b"#, #""a\\ b""#, #"a/\ b"#),
        ("Аня 🙂", "Аня 🙂", "\"Аня 🙂\"", #"Аня\ 🙂"#), ("", "", "\"\"", ""),
    ])
    mutating func namesAreEscaped(_ name: String, _ csv: String, _ json: String, _ influx: String) {
        history[.heartRate] = [
            TimedSample(time: .time(5, 9), minutes: 5, secondsFromUTC: 0, value: 62)
        ]
        var table = HistoryExporter.csv(of: .heartRate, ring: name)
        #expect(
            table.text(of: history) == "ring,time,utc,minutes,bpm\r\n"
                + "\(csv),2026-01-05T09:00:00,2026-01-05T09:00:00Z,5,62\r\n")
        var objects = HistoryExporter.jsonLines(of: [.heartRate], ring: name)
        #expect(objects.text(of: history).contains("\"ring\":\(json),\"time\""))
        var lines = HistoryExporter.lineProtocol(of: [.heartRate], ring: name)
        let tag = influx == "" ? "" : ",ring=\(influx)"
        #expect(
            lines.text(of: history)
                == "heart_rate\(tag) minutes=5i,bpm=62i 1767603600000000000\n")
    }

    @Test(arguments: [
        (35.75, "35.75"), (0, "0"), (-0.0, "0"), (-2.5, "-2.5"), (36, "36"), (0.001, "0.001"),
        (-0.05, "-0.05"), (0.1 + 0.2, "0.30000000000000004"), (1e300, "1e+300"),
        (123_456_789.125, "123456789.125"), (1e12, "1000000000000.0"), (.nan, ""),
        (-.infinity, ""),
    ])
    mutating func decimalsAreExact(_ celsius: Double, _ text: String) {
        history[.temperature] = [TimedSample(time: .time(5, 9), minutes: 30, value: celsius)]
        var exporter = HistoryExporter.csv(of: .temperature)
        #expect(exporter.text(of: history).hasSuffix("2026-01-05T09:00:00,,30,\(text)\r\n"))
    }

    @Test(arguments: [
        (Int.max, "9223372036854775807"), (.min, "-9223372036854775808"), (0, "0"), (-7, "-7"),
        (1_000, "1000"),
    ])
    mutating func wholeNumbersAreExact(_ value: Int, _ text: String) {
        history[.stress] = [
            TimedSample(time: .time(5, 9), minutes: value, secondsFromUTC: value, value: value)
        ]
        var exporter = HistoryExporter.csv(of: .stress)
        #expect(exporter.text(of: history).hasSuffix("Z,\(text),\(text)\r\n"))
    }

    /// A ring that measures once an hour stores its values in slots of 5 minutes.
    @Test mutating func minutesOfAHeartRateAreThoseForWhichItStands() {
        history.heartRates = [0, 60, 120, 130, 180, 240, 300].map { minute in
            TimedSample(
                time: CivilDateTime.time(5, 9).advanced(bySeconds: minute * 60), minutes: 5,
                value: 62)
        }
        var exporter = HistoryExporter.csv(of: .heartRate)
        let minutes = exporter.text(of: history).split(separator: "\r\n").dropFirst().map {
            $0.split(separator: ",").dropFirst(1).first ?? ""
        }
        #expect(minutes == ["60", "60", "10", "50", "60", "60", "60"])
        // A single value shows no interval, unless the values before it did.
        let values = history.heartRates
        history = RingHistory(today: .day(5), readAt: .time(5, 15))
        history.heartRates = values
        #expect(history.currentValues().heartRates.map(\.minutes) == [60])
        history.heartRates.removeFirst(6)
        #expect(history.currentValues().heartRates.map(\.minutes) == [5])
    }

    /// A long history in parts is the same text as at once, with one line of column names.
    @Test(arguments: [1, 2, 7])
    func partsMakeTheSameText(_ days: Int) {
        var history = RingHistory(today: .day(28))
        history[.heartRate] = (0..<2_000).map {
            TimedSample(
                time: CivilDateTime(.day(1)).advanced(bySeconds: $0 * 1_200), minutes: 5,
                secondsFromUTC: 3600, value: 50 + $0 % 90)
        }
        for exporter in [
            HistoryExporter.csv(of: .heartRate, ring: "a"),
            .jsonLines(of: [.heartRate], ring: "a"), .lineProtocol(of: [.heartRate], ring: "a"),
        ] {
            var (whole, parts) = (exporter, exporter)
            var bytes: [UInt8] = []
            for first in stride(from: 1, to: 30, by: days) {
                let end = CivilDateTime(.day(first + days)).advanced(bySeconds: -1)
                parts.append(history.limited(to: CivilDateTime(.day(first))...end), to: &bytes)
            }
            #expect(String(decoding: bytes, as: UTF8.self) == whole.text(of: history))
            #expect(parts.rowCount == 2_000)
        }
    }

    @Test func appendsToTheBytesThatAreThere() {
        var bytes = Array("before ".utf8)
        var exporter = HistoryExporter.csv(of: .stress)
        exporter.append(RingHistory(today: .day(5)), to: &bytes)
        exporter.append(RingHistory(today: .day(5)), to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == "before time,utc,minutes,score\r\n")
    }
}

extension HistoryExporter {
    /// The text of one history.
    mutating func text(of history: RingHistory) -> String {
        var bytes: [UInt8] = []
        append(history, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
