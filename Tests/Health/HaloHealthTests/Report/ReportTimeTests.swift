import HaloDevices
import HaloProtocol
import TestSupport
import Testing

@testable import HaloHealth

/// Nights, naps, and days on which the clock was set.
@Suite(.passesTime) struct ReportTimeTests {
    private typealias Made = MadeHistory

    /// The digits and commands of a path of stages: a subpath for each stage.
    private static func bars(_ page: MarkupReader, _ style: String) -> Int {
        page.all("path", style).reduce(0) { count, path in
            count + (path.attributes["d"] ?? "").filter { $0 == "M" || $0 == "m" }.count
        }
    }

    @Test func aNightIsOneAndBelongsToTheDayOfItsEnd() throws {
        var history = RingHistory(today: Made.today)
        history[.sleep] = [Made.night(endingOn: Made.today)]
        let page = try HealthReportTests.read(history)
        #expect(page.all("section", "day").map { $0.attributes["id"] } == ["d2026-03-15"])
        #expect(page.text.contains("Sleep from 23:10 to 06:50"))
        #expect(page.text.contains("asleep, 23:10–06:50"))
        // Five cycles, and the bar of the week for all stages but awake.
        #expect(["s1", "s2", "s4"].map { Self.bars(page, $0) } == [5, 6, 6])
        #expect(Self.bars(page, "s3") == 11)
        #expect(page.text.contains("Light 3 h 45 min") && page.text.contains("Awake 10 min"))
        #expect(page.text.contains("Deep 23:35–23:55"))
    }

    @Test func napsAndSecondNightsStandApart() throws {
        var history = Made.full(days: 1)
        func record(_ isNap: Bool, _ minute: Int, _ minutes: Int) -> SleepRecord {
            let start = Made.time(Made.today, minute)
            let stage = TimedSample(time: start, minutes: minutes, value: SleepRecord.Stage.light)
            return SleepRecord(
                isNap: isNap, start: start, end: start.advanced(bySeconds: minutes * 60),
                stages: [stage])
        }
        history[.sleep].append(record(true, 840, 35))
        history[.sleep].append(record(false, 560, 70))
        let page = try HealthReportTests.read(history)
        let items = page.elements.filter { $0.name == "li" && $0.path.contains("section") }
        #expect(items.map(\.text).contains("Nap 14:00–14:35, 35 min asleep"))
        #expect(items.map(\.text).contains("Other sleep 09:20–10:30, 1 h 10 min asleep"))
        #expect(page.text.contains("Sleep from 23:10 to 06:50"))
        // The heart rate shows all three of them, the night from midnight on.
        let sleep = try #require(page.all("path", "q").first?.attributes["d"])
        #expect(sleep.filter { $0 == "M" || $0 == "m" }.count == 3)
        #expect(sleep.hasPrefix("M0 "))
    }

    /// Rings split nights: the page joins the parts, as the figures do.
    @Test(arguments: [(Int?.some(3600), 8), (nil, 120)])
    func thePartsOfANightAreOne(_ offset: Int?, _ gap: Int) throws {
        var history = Made.full(days: 2, secondsFromUTC: offset)
        let last = Made.night(endingOn: Made.today, offset)
        let start = last.end.advanced(bySeconds: gap * 60)
        let end = start.advanced(bySeconds: 3600)
        let stage = TimedSample(
            time: start, minutes: 60, secondsFromUTC: offset, value: SleepRecord.Stage.deep)
        let part = SleepRecord(
            isNap: false, start: start, end: end, stages: [stage], secondsFromUTC: offset)
        history[.sleep].append(part)
        let night = try #require(Made.lastDay(history).night)
        #expect(night.start == last.start && night.end == end)
        #expect(night.minutesAsleep == last.minutesAsleep + 60)
        #expect(night.minutes(of: .awake) == last.minutes(of: .awake) + gap)
        #expect(Made.lastDay(history).naps.isEmpty)
        let figures = HealthFigures(history).day(Made.today).night.value
        #expect(figures?.asleepMinutes == night.minutesAsleep)
        #expect(figures?.awakeMinutes == night.minutes(of: .awake))

        // Periods that overlap stay apart: a minute of sleep is not counted twice.
        history[.sleep].append(part)
        #expect(Made.lastDay(history).naps.count == 2)
    }

    @Test func aNapIsNoNight() throws {
        var history = Made.full(days: 2)
        let start = Made.time(Made.today, 840)
        history[.sleep][1] =
            SleepRecord(isNap: true, start: start, end: start.advanced(bySeconds: 1800), stages: [])
        let page = try HealthReportTests.read(history)
        #expect(page.all("li").contains { $0.text == "Nap 14:00–14:30, 0 min asleep" })
        #expect(page.text.contains("The ring has stored no night."))
        #expect(page.all("td", "no").contains { $0.text == "no night" })
        #expect(!page.text.contains("not worn"))
    }

    @Test func aNightIsShadedOnBothOfItsDays() throws {
        let page = try HealthReportTests.read(Made.full(days: 2))
        let shades = page.all("path", "q").map { path in
            path.attributes["d", default: ""].filter { $0 == "M" || $0 == "m" }.count
        }
        #expect(shades == [2, 1])
        // From 23:10 to midnight, of a plot of 856 units.
        #expect(page.all("path", "q").first?.attributes["d"]?.contains("h30v") == true)
    }

    @Test func workoutsAreListed() throws {
        var history = Made.full(days: 1)
        history[.workouts] = [
            WorkoutRecord(
                sport: .run, start: Made.time(Made.today, 1050), duration: .seconds(2520),
                metres: 5230, averageBeatsPerMinute: 148)
        ]
        let text = try HealthReportTests.read(history).text
        #expect(text.contains("Run 17:30, 42 min, 5,230 m, mean 148 bpm"))
    }

    /// In autumn an hour comes twice: each clock has its own line, and the day says so.
    @Test func aDayOnWhichTheClockWasSetSaysSo() throws {
        let (summer, winter) = (7200, 3600)
        var history = RingHistory(today: Made.today, secondsFromUTC: winter)
        let minutes =
            stride(from: 0, to: 180, by: 5).map { ($0, summer) }
            + stride(from: 120, to: 600, by: 5).map { ($0, winter) }
        history[.heartRate] = minutes.map { minute, offset in
            TimedSample(
                time: Made.time(Made.today, minute), minutes: 5, secondsFromUTC: offset,
                value: offset == summer ? 60 : 90)
        }
        history[.heartRate].sort { ($0.time, $0.utc ?? $0.time) < ($1.time, $1.utc ?? $1.time) }
        history[.sleep] = [Made.night(endingOn: Made.today, nil)]
        let page = try HealthReportTests.read(history)
        #expect(
            page.all("p", "note").map(\.text) == [
                "On this day the ring’s clock changed from UTC+02:00 to UTC+01:00."
            ])
        let line = try #require(page.all("path", "l").first?.attributes["d"])
        #expect(line.filter { $0 == "M" || $0 == "m" }.count == 2)
        // Both values of the hour that comes twice.
        #expect(page.text.contains("02:00–03:00: 60–90 bpm"))
        #expect(page.text.contains("03:00–04:00: 90 bpm"))
    }

    @Test func aNightOverTheChangeOfTheClockStaysWhole() throws {
        var history = Made.full(days: 2, secondsFromUTC: 3600)
        history[.sleep][1] = Made.night(endingOn: Made.today, 7200)
        let page = try HealthReportTests.read(history)
        let sentence = "On this day the ring’s clock changed from UTC+01:00 to UTC+02:00."
        #expect(page.all("p", "note").map(\.text) == [sentence])
        #expect(Self.bars(page, "s1") == 10)
    }

    private static func sample<Value>(
        _ minute: Int, _ secondsFromUTC: Int?, _ value: Value
    ) -> TimedSample<Value> {
        TimedSample(
            time: Made.time(Made.today, minute), minutes: 5, secondsFromUTC: secondsFromUTC,
            value: value)
    }

    /// A clock that is set back by hours shows an earlier time later.
    @Test func clocksOfADayAreInTheOrderOfUTC() {
        var history = RingHistory(today: Made.today)
        history[.heartRate] = [Self.sample(185, -18_000, 60), Self.sample(600, 7200, 60)]
        #expect(Made.lastDay(history).offsets == [7200, -18_000])
        // The first value of a clock counts, of whatever kind.
        history[.heartRate] = [
            Self.sample(0, 3600, 60), Self.sample(60, 0, 60), Self.sample(180, 3600, 60),
        ]
        #expect(Made.lastDay(history).offsets == [3600, 0])
        history[.heartRate].removeFirst()
        #expect(Made.lastDay(history).offsets == [0, 3600])
        history[.stress] = [Self.sample(0, 3600, 30)]
        #expect(Made.lastDay(history).offsets == [3600, 0])
        history = RingHistory(today: Made.today)
        let levels = [(60, 0), (180, 3600)].map { minute, offset in
            Self.sample(minute, offset, BatteryCharge(percent: 80))
        }
        #expect(Made.lastDay(history, battery: levels).offsets == [0, 3600])
        history[.sleep] = [
            SleepRecord(
                isNap: true, start: Made.time(Made.today, 0), end: Made.time(Made.today, 30),
                stages: [], secondsFromUTC: 3600)
        ]
        #expect(Made.lastDay(history, battery: levels).offsets == [3600, 0])
    }

    @Test func valuesOfOneClockAreOneLine() {
        var history = RingHistory(today: Made.today)
        history[.heartRate] = [Self.sample(0, 3600, 60), Self.sample(5, nil, 60)]
        #expect(Made.lastDay(history).readingsByClock(.heartRate).map(\.count) == [2])
    }

    @Test func sleepIsShadedFromMidnightToMidnight() throws {
        func record(_ start: Int, _ end: Int) -> SleepRecord {
            SleepRecord(
                isNap: false, start: Made.time(Made.today, start),
                end: Made.time(Made.today, end), stages: [])
        }
        var history = RingHistory(today: Made.today)
        history[.sleep] = [
            Made.night(endingOn: Made.today), record(1200, 1440), record(1320, 1800),
        ]
        let page = ReportPage(HealthReport(history))
        func shades(_ date: CivilDate) -> [String] {
            ReportDay(date, page).asleep.map {
                "\(ReportText.clock($0.start))–\(ReportText.clock($0.end))"
            }
        }
        #expect(shades(Made.today) == ["00:00–06:50", "20:00–00:00", "22:00–00:00"])
        let tomorrow = try #require(Made.today.advanced(byDays: 1))
        #expect(shades(tomorrow) == ["00:00–06:00"])
        let yesterday = try #require(Made.today.daysEarlier(1))
        #expect(ReportDay(yesterday, page).until == nil)
    }

    /// Of an hour and a half, and eight at most.
    @Test func longGapsAreTold() {
        func gaps(every minutes: Int) -> [String] {
            var history = RingHistory(today: Made.today, readAt: Made.time(Made.today, 1260))
            history[.heartRate] = (0..<13).map { Self.sample($0 * minutes, nil, 60) }
            return Made.lastDay(history).gaps(.heartRate)
        }
        #expect(gaps(every: 95).count == 8 && gaps(every: 95).first == "00:05–01:35")
        // The last value ends at 18:53.
        #expect(gaps(every: 94) == ["18:53–21:00"])
    }

    @Test func readingsHaveALengthAndAnOrder() {
        let time = Made.time(Made.today, 0)
        let lengths = [Int.min, 0, 1, 1440, 1441, .max].map {
            Reading(time, minutes: $0, secondsFromUTC: nil, 5, 3)
        }
        #expect(lengths.map(\.minutes) == [1, 1, 1, 1440, 1440, 1440])
        #expect(lengths.allSatisfy { $0.least == 3 && $0.most == 5 })
    }

    @Test func offsetsAreShown() throws {
        let known = try HealthReportTests.read(Made.full(days: 2, secondsFromUTC: -12_600))
        #expect(known.all("dd").contains { $0.text == "UTC−03:30" })
        #expect(known.all("i").filter { $0.text == "UTC−03:30" }.count == 2)
        let unknown = try HealthReportTests.read(Made.full(days: 2, secondsFromUTC: nil))
        #expect(unknown.all("dd").contains { $0.text == "offset from UTC unknown" })
    }

    @Test(arguments: [
        ((2026, 1, 5), (2026, 1, 11), "5–11 January 2026"),
        ((2026, 1, 29), (2026, 2, 4), "29 January – 4 February 2026"),
        ((2025, 12, 29), (2026, 1, 4), "29 December 2025 – 4 January 2026"),
        ((2026, 1, 5), (2026, 1, 5), "5 January 2026"),
        ((2025, 1, 5), (2026, 1, 5), "5 January 2025 – 5 January 2026"),
    ])
    func periodsAreShort(first: (Int, Int, Int), last: (Int, Int, Int), text: String) {
        let days = [first, last].map { Made.day($0.0, $0.1, $0.2) }
        #expect(ReportText.period(days[0], days[1]) == text)
    }
}
