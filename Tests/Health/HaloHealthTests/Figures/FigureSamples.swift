import HaloDevices
import HaloProtocol

extension RingHistory {
    /// An empty history of January 2026, read on a day at an hour, of which some days were read.
    static func january(
        today: Int = 31, hour: Int = 12, read: ClosedRange<Int>? = nil
    ) -> RingHistory {
        var history = RingHistory(today: .day(today), readAt: .time(today, hour))
        for kind in HistoryKind.allCases {
            for day in read.map(Array.init) ?? [] { history.coverage[kind, .day(day)] = .read }
        }
        return history
    }

    /// Adds a night of light sleep that ends on a day.
    mutating func addNight(
        _ day: Int, from start: Int = -1, hours: Int = 8, secondsFromUTC: Int? = nil
    ) {
        addSleep(.time(day, start), [(.light, hours * 60)], secondsFromUTC: secondsFromUTC)
    }

    mutating func addSleep(
        _ start: CivilDateTime, _ stages: [(SleepRecord.Stage, Int)], isNap: Bool = false,
        end: CivilDateTime? = nil, secondsFromUTC: Int? = nil
    ) {
        var time = start
        let samples = stages.map { stage, minutes in
            defer { time = time.advanced(bySeconds: minutes * 60) }
            return TimedSample(
                time: time, minutes: minutes, secondsFromUTC: secondsFromUTC, value: stage)
        }
        sleep.append(
            SleepRecord(
                isNap: isNap, start: start, end: end ?? time, stages: samples,
                secondsFromUTC: secondsFromUTC))
    }

    /// Adds values every hour from the first hour of a day on, which may be negative.
    mutating func addHourly<Value>(
        _ list: WritableKeyPath<RingHistory, [TimedSample<Value>]>, _ day: Int, from hour: Int,
        _ values: [Value], secondsFromUTC: Int? = nil
    ) {
        for (index, value) in values.enumerated() {
            self[keyPath: list].append(
                TimedSample(
                    time: .time(day, hour + index), minutes: 60, secondsFromUTC: secondsFromUTC,
                    value: value))
        }
    }

    /// Adds heart rates every some minutes from a time on.
    mutating func addHeartRates(_ start: CivilDateTime, every minutes: Int = 5, _ values: [Int]) {
        for (index, value) in values.enumerated() {
            heartRates.append(
                TimedSample(
                    time: start.advanced(bySeconds: index * minutes * 60), minutes: minutes,
                    value: value))
        }
    }

    /// Adds steps at an hour of a day, with metres and energy.
    mutating func addSteps(_ day: Int, _ steps: Int, hour: Int = 10) {
        activity.append(
            TimedSample(
                time: .time(day, hour), minutes: 60,
                value: ActivityAmount(
                    steps: steps, metres: steps / 2, kilocalories: Double(steps) / 32)))
    }
}
