import HaloDevices
import HaloProtocol

@testable import HaloHealth

/// Histories for reports, made of simple rules.
enum MadeHistory {
    static let today: CivilDate = day(2026, 3, 15)

    static func day(_ year: Int, _ month: Int, _ day: Int) -> CivilDate {
        (try? CivilDate(year: year, month: month, day: day))
            ?? CivilDateTime(secondsSince1970: 0).date
    }

    /// Returns a time of a day; minutes beyond midnight are those of the next day.
    static func time(_ date: CivilDate, _ minute: Int) -> CivilDateTime {
        CivilDateTime(date).advanced(bySeconds: minute * 60)
    }

    /// Returns a history of some days with values of all kinds, as dense as rings store them.
    static func full(days: Int, secondsFromUTC: Int? = 3600) -> RingHistory {
        var history = RingHistory(
            today: today, readAt: time(today, 21 * 60), secondsFromUTC: secondsFromUTC)
        let dates = (0..<days).reversed().compactMap { today.advanced(byDays: -$0) }
        func samples<Value>(
            every minutes: Int, _ value: (_ day: Int, _ minute: Int) -> Value
        ) -> [TimedSample<Value>] {
            dates.enumerated().flatMap { index, date in
                stride(from: 0, to: date == today ? 1260 : 1440, by: minutes).map { minute in
                    TimedSample(
                        time: time(date, minute), minutes: minutes, secondsFromUTC: secondsFromUTC,
                        value: value(index, minute))
                }
            }
        }
        history[.heartRate] = samples(every: 5) { 52 + ($0 * 7 + $1 / 5 * 13) % 17 + $1 / 100 }
        history[.stress] = samples(every: 30) { 15 + ($0 * 5 + $1) % 55 }
        history[.heartRateVariability] = samples(every: 60) { 30 + ($0 * 3 + $1 / 60 * 7) % 25 }
        history[.activity] = samples(every: 60) { day, minute in
            ActivityAmount(steps: (day * 31 + minute * 7) % 900, metres: 500, kilocalories: 20)
        }
        history[.bloodOxygen] = samples(every: 60) {
            BloodOxygenRange(lowestPercent: 93 + ($0 + $1) % 3, highestPercent: 97 + ($0 + $1) % 3)
        }
        history[.temperature] = samples(every: 30) { 35.5 + Double(($0 + $1 / 30) % 10) / 10 }
        history[.sleep] = dates.map { night(endingOn: $0, secondsFromUTC) }
        for kind in HistoryKind.allCases {
            for date in dates { history.coverage[kind, date] = .read }
        }
        return history
    }

    /// Returns a night from 23:10 to 06:50, in cycles of four stages.
    static func night(endingOn date: CivilDate, _ secondsFromUTC: Int? = 3600) -> SleepRecord {
        let start = CivilDateTime(date).advanced(bySeconds: -50 * 60)
        let cycle: [(SleepRecord.Stage, Int)] = [
            (.light, 25), (.deep, 20), (.light, 20), (.rem, 25), (.awake, 2),
        ]
        var stages: [TimedSample<SleepRecord.Stage>] = []
        var minute = 0
        for _ in 0..<5 {
            for (stage, minutes) in cycle {
                stages.append(
                    TimedSample(
                        time: start.advanced(bySeconds: minute * 60), minutes: minutes,
                        secondsFromUTC: secondsFromUTC, value: stage))
                minute += minutes
            }
        }
        return SleepRecord(
            isNap: false, start: start, end: start.advanced(bySeconds: minute * 60),
            stages: stages, secondsFromUTC: secondsFromUTC)
    }
}

extension MadeHistory {
    /// The last day of a history, as a report has it.
    static func lastDay(
        _ history: RingHistory, battery: [TimedSample<BatteryCharge>] = []
    ) -> ReportDay {
        ReportDay(history.today, ReportPage(HealthReport(history, battery: battery)))
    }
}

extension RingHistory {
    /// Returns the history without the values of some days.
    func without(daysAgo: ClosedRange<Int>) -> RingHistory {
        func isKept(_ date: CivilDate) -> Bool { !daysAgo.contains(date.daysAgo(from: today)) }
        var history = self
        history.heartRates.removeAll { !isKept($0.time.date) }
        history.stress.removeAll { !isKept($0.time.date) }
        history.heartRateVariability.removeAll { !isKept($0.time.date) }
        history.activity.removeAll { !isKept($0.time.date) }
        history.bloodOxygen.removeAll { !isKept($0.time.date) }
        history.temperatures.removeAll { !isKept($0.time.date) }
        history.sleep.removeAll { !isKept($0.end.date) }
        return history
    }
}

extension HealthReportTests {
    /// The lines of a page for days without values.
    static func gaps(of report: HealthReport) -> [String] {
        report.html().matches(of: /<p class="gap"><b>([^<]*)<\/b> ([^<]*)<\/p>/).map {
            "\($0.1): \($0.2)"
        }
    }

    /// Reads a report's page, which must be well-formed.
    static func read(
        _ history: RingHistory, ring: String? = "R10_1234",
        battery: [TimedSample<BatteryCharge>] = []
    ) throws -> MarkupReader {
        try MarkupReader(HealthReport(history, ring: ring, battery: battery).htmlBytes())
    }
}
