import HaloDevices
import HaloProtocol
import TestSupport
import Testing

@testable import halo

/// Charts of a day and of a night, at the limits of their hours and of a line.
@Suite(.computes) struct HistoryPictureTests {
    /// The beginning of the day.
    private static let midnight = CivilDateTime(secondsSince1970: 1_767_657_600)

    /// A time of the day, or of the one before.
    private static func time(_ hour: Int, _ minute: Int = 0) -> CivilDateTime {
        midnight.advanced(bySeconds: hour * 3600 + minute * 60)
    }

    private static func picture(_ history: RingHistory, width: Int = 80) -> HistoryPicture {
        HistoryPicture(
            history, of: midnight.date, width: width, style: TerminalStyle(isOn: false))
    }

    private static func rates(_ values: [(time: CivilDateTime, rate: Int)]) -> RingHistory {
        var history = RingHistory(today: midnight.date)
        history[.heartRate] = values.map { TimedSample(time: $0.time, minutes: 5, value: $0.rate) }
        return history
    }

    private static func walk(_ steps: Int, metres: Int = 0) -> RingHistory {
        var history = RingHistory(today: midnight.date)
        history[.activity] = [
            TimedSample(
                time: time(12), minutes: 15, value: ActivityAmount(steps: steps, metres: metres))
        ]
        return history
    }

    private static func sleep(
        isNap: Bool = false, from start: CivilDateTime, _ stages: [(SleepRecord.Stage, Int)]
    ) -> SleepRecord {
        var end = start
        let samples = stages.map { stage, minutes in
            defer { end = end.advanced(bySeconds: minutes * 60) }
            return TimedSample(time: end, minutes: minutes, value: stage)
        }
        return SleepRecord(isNap: isNap, start: start, end: end, stages: samples)
    }

    // MARK: The day

    @Test func aDayBeginsAndEndsAtMidnight() {
        let history = Self.rates([
            (Self.time(0, -1), 40), (Self.time(0), 50), (Self.time(23, 59), 60),
            (Self.time(24), 200),
        ])
        let lines = Self.picture(history).heartRate
        #expect(lines.first == "Heart rate  50 to 60 bpm · mean 55")
    }

    @Test func temperaturesAreInTenths() {
        var history = RingHistory(today: Self.midnight.date)
        history[.temperature] = [36.44, 36.88].enumerated().map { hour, value in
            TimedSample(time: Self.time(hour), minutes: 30, value: value)
        }
        let lines = Self.picture(history).chart(of: .temperature, titled: "Skin")
        #expect(lines?.first == "Skin  36.4 to 36.9 °C · mean 36.7")
    }

    /// A gap of an hour and a half is nine dots wide, in five characters.
    @Test(arguments: [(90, true), (100, false)])
    func joinsValuesOfAnHourAndAHalf(minutes: Int, areJoined: Bool) {
        let history = Self.rates([(Self.time(6), 60), (Self.time(6, minutes), 60)])
        let characters = Self.picture(history).heartRate.joined().unicodeScalars
        #expect(characters.count { 0x2801...0x28FF ~= $0.value } == (areJoined ? 5 : 2))
    }

    /// The hour at the end of the axis needs room for itself.
    @Test(arguments: [(81, "╵21"), (82, "╵0")])
    func theAxisEndsWithTheLine(width: Int, end: String) {
        let axis = Self.picture(Self.walk(100), width: width).steps.last
        #expect(axis?.hasSuffix(" \(end)") == true, "\(axis ?? "")")
    }

    @Test(arguments: [(0, 0, "0.0"), (1, 49, "0.0"), (1, 50, "0.1")])
    func addsStepsAndMetres(steps: Int, metres: Int, kilometres: String) {
        #expect(
            Self.picture(Self.walk(steps, metres: metres)).steps.first
                == "Steps  \(steps) · \(kilometres) km · most in an hour \(steps)")
    }

    /// Steps that were not read, or not stored, are not 0.
    @Test func noStepsAreNoNumber() {
        let lines = Self.picture(RingHistory(today: Self.midnight.date)).steps
        #expect(lines == ["Steps  no values on this day"])
    }

    // MARK: The night

    @Test func theLastNightIsNoNapAndEndsInTheHours() {
        var history = RingHistory(today: Self.midnight.date)
        history[.sleep] = [Self.sleep(from: Self.time(-8), [(.light, 480)])]
        #expect(Self.picture(history).night == ["Sleep  no night in these hours"])
        history[.sleep] += [
            Self.sleep(from: Self.time(-1), [(.light, 480)]),
            Self.sleep(isNap: true, from: Self.time(13), [(.light, 60)]),
        ]
        #expect(Self.picture(history).night.first?.hasPrefix("Sleep  23:00 to 07:00 · ") == true)
    }

    /// Hours of three columns stand close together, and the end of a night is no mark.
    @Test func theHoursOfANightHaveMarks() {
        let night = Self.sleep(from: Self.time(-2), [(.light, 480)])
        let lines = Self.picture(RingHistory(today: Self.midnight.date), width: 40)
            .chart(of: night, titled: "x")
        #expect(lines.last == "        ╵22╵23╵0 ╵1 ╵2 ╵3 ╵4 ╵5")
    }

    /// A mark that does not fit into the line is left out: a minute has a column here.
    @Test(arguments: [(50, "╵0"), (49, "╵23")])
    func aMarkFitsIntoTheLine(minute: Int, last: String) {
        let nap = Self.sleep(isNap: true, from: Self.time(-2, minute), [(.light, 72)])
        let lines = Self.picture(RingHistory(today: Self.midnight.date))
            .chart(of: nap, titled: "x")
        #expect(lines.last?.hasSuffix(" \(last)") == true, "\(lines)")
    }

    /// The total of a stage stands behind its row, or else in the heading.
    @Test(arguments: [(62, false), (63, true)])
    func totalsStandWhereTheyFit(width: Int, isBehind: Bool) throws {
        let night = Self.sleep(from: Self.time(0), [(.light, 72)])
        let lines = Self.picture(RingHistory(today: Self.midnight.date), width: width)
            .chart(of: night, titled: "x")
        let row = try #require(lines.first { $0.hasPrefix(" light ┤") })
        #expect(row.hasSuffix(" 1 h 12") == isBehind, "\(lines)")
        #expect(lines.joined(separator: " ").contains("light 1 h 12") != isBehind)
    }

    /// A nap that is shorter than the chart shows each minute.
    @Test func eachMinuteOfAShortNapIsSeen() {
        let nap = Self.sleep(
            isNap: true, from: Self.time(12), [(.light, 2), (.awake, 1), (.light, 1)])
        let lines = Self.picture(RingHistory(today: Self.midnight.date), width: 40)
            .chart(of: nap, titled: "x")
        let row = " awake ┤" + String(repeating: " ", count: 12) + "▆▆▆▆▆▆ "
        #expect(lines.contains { $0.hasPrefix(row) }, "\(lines)")
    }

    /// A minute awake counts as three, the first of equal stages is shown, and an unclassified one
    /// is not.
    @Test func theLongestStageIsShown() {
        let cases: [([(SleepRecord.Stage, Int)], SleepRecord.Stage?)] = [
            ([(.light, 7), (.awake, 2)], .light), ([(.light, 5), (.awake, 2)], .awake),
            ([(.light, 2), (.deep, 2)], .light), ([(.unclassified, 9), (.rem, 1)], .rem),
            ([(.unclassified, 9)], nil),
        ]
        for (stages, shown) in cases {
            let night = Self.sleep(from: Self.time(0), stages)
            #expect(night.stage(from: 0, to: 10) == shown, "\(stages)")
        }
    }
}
