import HaloDevices
import HaloProtocol
import TestSupport
import Testing

@testable import HaloHealth

/// Charts and sections by themselves, with the values that a whole page seldom has.
@Suite(.passesTime) struct ReportChartTests {
    private typealias Made = MadeHistory

    private static func read(_ html: HTMLText) throws -> MarkupReader {
        try MarkupReader(Array("<!DOCTYPE html>\n".utf8) + html.bytes)
    }

    // MARK: Axes

    @Test(arguments: [
        (ReportChart.Size.half, 0.0, 80.0, ["80", "60", "40", "20", "0"]),
        (.half, 52, 131, ["120", "80", "40"]), (.third, 0, 60, ["60", "40", "20", "0"]),
        (.third, 0, 80, ["80", "40", "0"]),
    ])
    func anAxisHasFewLabels(
        _ size: ReportChart.Size, _ least: Double, _ most: Double, _ labels: [String]
    ) throws {
        var chart = ReportChart(size)
        chart.addValueAxis(ChartScale(least: least, most: most, minimumSpan: 20))
        let picture = try Self.read(chart.html(title: "a", description: "b"))
        #expect(picture.all("text").map(\.text) == labels)
    }

    /// A label at an edge is within the plot: one at 31 units, and not one at 32.
    @Test(arguments: [
        (149, ["s", "m", "m"]), (148, ["m", "m", "m"]), (36, ["m", "m", "m"]),
        (35, ["m", "m", "e"]),
    ])
    func labelsOfTimesStayInside(_ minute: Int, _ anchors: [String]) throws {
        var chart = ReportChart(.third)
        #expect(chart.plotWidth == 536)
        chart.addTimeAxis(
            TimeScale(
                from: Made.time(Made.today, minute), to: Made.time(Made.today, minute + 536)))
        let picture = try Self.read(chart.html(title: "a", description: "b"))
        #expect(picture.all("text").map { $0.attributes["class"] ?? "" } == anchors)
        #expect(picture.all("svg").first?.attributes["viewBox"] == "0 0 640 230")
    }

    /// Two hours are 132 units of such a night.
    @Test func labelsOfTimesLeaveRoomBetweenThem() throws {
        var chart = ReportChart(.half)
        chart.addTimeAxis(
            TimeScale(from: Made.time(Made.today, 0), to: Made.time(Made.today, 778)))
        let picture = try Self.read(chart.html(title: "a", description: "b"))
        let labels = ["00:00", "02:00", "04:00", "06:00", "08:00", "10:00", "12:00"]
        #expect(picture.all("text").map(\.text) == labels)
    }

    @Test func rowsAndBarsFillTheirPlaces() {
        let chart = ReportChart(.third)
        #expect(chart.row(0, of: 1) == 49..<155)
        #expect(chart.row(0, of: 0) == 49..<155)
        // A bar is never too narrow to be seen.
        #expect(chart.bar(0, of: 536, width: 40) == 0..<2)
    }

    @Test func rowsOfCardsAreFull() {
        let halves = (0...8).map { count in
            ReportCard.sizes(count).filter { $0 == .half }.count
        }
        #expect(halves == [0, 1, 2, 0, 4, 2, 0, 4, 2])
    }

    @Test func scalesOfKindsHaveALeastSpan() {
        let scales: [(ReportKind, Double, Double, ClosedRange<Double>)] = [
            (.sleep, 0, 2, 0...4), (.heartRate, 59, 60, 45...70), (.heartRate, 5, 6, 0...20),
            (.bloodOxygen, 96, 98, 94...100), (.bloodOxygen, 0, 1, 0...6),
            (.temperature, 36, 36, 35...37), (.stress, 20, 40, 0...100),
        ]
        for (kind, least, most, limits) in scales {
            let scale = kind.scale(least, most)
            #expect(scale.low...scale.high == limits, "\(kind) \(least) \(most)")
        }
    }

    // MARK: Nights

    /// A night of as many minutes as its plot has units.
    private static func oddNight() -> SleepRecord {
        let stages: [(SleepRecord.Stage, Int, Int)] = [
            (.light, 0, 100), (.awake, 100, 1), (.rem, 200, 0), (.deep, 300, -5),
            (.light, 400, 136),
        ]
        return SleepRecord(
            isNap: false, start: Made.time(Made.today, 0), end: Made.time(Made.today, 500),
            stages: stages.map { stage, minute, minutes in
                TimedSample(time: Made.time(Made.today, minute), minutes: minutes, value: stage)
            })
    }

    /// A minute is as wide as two, and what has no length is not drawn. Stages that last longer
    /// than their night make it longer.
    @Test func aMinuteOfANightShows() throws {
        var history = RingHistory(today: Made.today)
        history[.sleep] = [Self.oddNight()]
        let charts = DayCharts(day: Made.lastDay(history), scales: [:])
        let picture = try Self.read(charts.hypnogram(Self.oddNight(), .third))
        func path(_ style: String) -> String? { picture.all("path", style).first?.attributes["d"] }
        #expect(path("s1") == "M100 49v-26q0-1 1-1h0q1 0 1 1v26q0 1-1 1h0q-1 0-1-1")
        #expect(path("s2") == nil && path("s4") == nil)
        let bars = [
            "M0 132v-16q0-6 6-6h88q6 0 6 6v16q0 6-6 6h-88q-6 0-6-6",
            "m400 0v-16q0-6 6-6h124q6 0 6 6v16q0 6-6 6h-124q-6 0-6-6",
        ]
        #expect(path("s3") == bars.joined())
        #expect(path("x") == "M100 124v-88")
        let section = try Self.read(
            DaySection(
                charts: DayCharts(day: Made.lastDay(history), scales: [:]),
                kinds: ReportKind.allCases
            ).html())
        #expect(section.all("span", "key").map(\.text) == ["Awake 1 min", "Light 3 h 56 min"])
    }

    @Test func aNightShowsItsLastDay() throws {
        let end = Made.time(Made.today, 600)
        let stage = TimedSample(
            time: end.advanced(bySeconds: 161 - 86_400), minutes: 60,
            value: SleepRecord.Stage.light)
        let night = SleepRecord(
            isNap: false, start: end.advanced(bySeconds: -2 * 86_400), end: end, stages: [stage])
        let charts = DayCharts(
            day: Made.lastDay(RingHistory(today: Made.today)), scales: [:])
        let picture = try Self.read(charts.hypnogram(night, .third))
        #expect(
            picture.all("path", "s3").first?.attributes["d"]
                == "M0 132v-16q0-6 6-6h11q6 0 6 6v16q0 6-6 6h-11q-6 0-6-6")
    }

    @Test func aStageLastsADayAtMost() throws {
        let charts = DayCharts(
            day: Made.lastDay(RingHistory(today: Made.today)), scales: [:])
        func titles(_ stages: [(SleepRecord.Stage, Int, Int)]) throws -> [String] {
            let night = SleepRecord(
                isNap: false, start: Made.time(Made.today, 0), end: Made.time(Made.today, 100),
                stages: stages.map { stage, minute, minutes in
                    TimedSample(
                        time: Made.time(Made.today, minute), minutes: minutes, value: stage)
                })
            return try Self.read(charts.hypnogram(night, .half)).all("title").map(\.text)
        }
        #expect(try titles([(.light, 60, 3000)]).contains("Light 01:00–01:00"))
        // A stage after the end of the night is beside the plot.
        let shown = try titles([(.deep, 600, 10), (.light, 0, 100)])
        #expect(shown.contains("Light 00:00–01:40"))
        #expect(!shown.contains { $0.hasPrefix("Deep") })
    }

    // MARK: Sections of days

    @Test func aSlotIsAsWideAsItIsLong() throws {
        var history = RingHistory(today: Made.today)
        history[.stress] = [(0, 5), (720, 720)].map { minute, minutes in
            TimedSample(time: Made.time(Made.today, minute), minutes: minutes, value: 100)
        }
        let charts = DayCharts(
            day: Made.lastDay(history), scales: [.stress: ReportKind.stress.scale(0, 100)])
        let picture = try Self.read(charts.chart(.stress, .half))
        let bars = "M0 260v-244q0-2 2-2h0q2 0 2 2v244m424 0v-242q0-4 4-4h291q4 0 4 4v242"
        #expect(picture.all("path", "b").first?.attributes["d"] == bars)
    }

    @Test func valuesOfADayAreInItsHeadline() {
        var history = RingHistory(today: Made.today)
        history[.activity] = [
            TimedSample(
                time: Made.time(Made.today, 480), minutes: 60,
                value: ActivityAmount(steps: 10, metres: 100_000))
        ]
        history[.heartRate] = [TimedSample(time: Made.time(Made.today, 480), minutes: 5, value: 61)]
        let levels = [(0, 90), (600, 75)].map { minute, percent in
            TimedSample(
                time: Made.time(Made.today, minute), minutes: 1,
                value: BatteryCharge(percent: percent))
        }
        let day = Made.lastDay(history, battery: levels)
        func headline(_ kind: ReportKind) -> String {
            String(decoding: DaySection.headline(kind, day).html.bytes, as: UTF8.self)
        }
        #expect(headline(.steps) == "<b>10</b><small>100.0 km</small>")
        #expect(headline(.heartRate) == "<b>61</b><small>bpm</small>")
        #expect(headline(.battery) == "<b>75–90</b><small>%</small>")
        #expect(day.mean(.heartRate) == 61 && day.mean(.stress) == nil)
    }

    @Test func twelveWorkoutsAreListed() throws {
        var history = RingHistory(today: Made.today)
        history[.workouts] = (0..<13).map { number in
            WorkoutRecord(
                sport: .run, start: Made.time(Made.today, 60 * number), duration: .seconds(600),
                metres: number)
        }
        let items = try Self.read(DaySection.heading(Made.lastDay(history))).all("li").map(\.text)
        #expect(items.count == 12)
        // No distance is none.
        #expect(items.prefix(2) == ["Run 00:00, 10 min", "Run 01:00, 10 min, 1 m"])
    }

    /// A file that was tampered with may have any number of stages, and of nights in a day.
    @Test func stagesWithoutEndCostNoSquare() throws {
        let start = Made.time(Made.today, 0)
        let stage = TimedSample(time: start, minutes: 1, value: SleepRecord.Stage.light)
        let night = SleepRecord(
            isNap: false, start: start, end: Made.time(Made.today, 480),
            stages: Array(repeating: stage, count: 200_000))
        let charts = DayCharts(
            day: Made.lastDay(Made.full(days: 1)), scales: [:])
        let clock = ContinuousClock()
        var length = 0
        let time = clock.measure { length = charts.hypnogram(night, .half).bytes.count }
        #expect(time < .seconds(20))
        #expect(length > 200_000)
    }

    @Test func nightsWithoutEndCostNoSquare() throws {
        let start = Made.time(Made.today, 0)
        let stage = TimedSample(time: start, minutes: 1, value: SleepRecord.Stage.light)
        var history = Made.full(days: 1)
        // Clocks four hours apart make each record a night of its own.
        history[.sleep] = (0..<20_000).map { number in
            SleepRecord(
                isNap: false, start: start, end: start.advanced(bySeconds: 60 + number),
                stages: Array(repeating: stage, count: number == 0 ? 20_000 : 0),
                secondsFromUTC: number * -14_400)
        }
        let clock = ContinuousClock()
        var day: ReportDay?
        #expect(clock.measure { day = Made.lastDay(history) } < .seconds(20))
        #expect(day?.night?.stages.count == 20_000 && day?.naps.count == 19_999)
    }
}
