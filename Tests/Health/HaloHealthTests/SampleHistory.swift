import HaloDevices
import HaloProtocol

extension CivilDate {
    /// A day of January 2026; later ones are in February, and 0 is the last day of 2025.
    static func day(_ day: Int) -> CivilDate { CivilDateTime.time(day, 0).date }
}

extension CivilDateTime {
    /// A time on a day of January 2026.
    static func time(_ day: Int, _ hour: Int, _ minute: Int = 0) -> CivilDateTime {
        CivilDateTime(secondsSince1970: 1_767_225_600)
            .advanced(bySeconds: ((day - 1) * 24 + hour) * 3600 + minute * 60)
    }
}

extension RingHistory {
    /// A value of each kind, most of them on 2026-01-05, on a clock an hour ahead of UTC.
    static let sample: RingHistory = {
        var history = RingHistory(
            today: .day(5), readAt: .time(5, 20).advanced(bySeconds: 30), secondsFromUTC: 3600)
        func sample<Value>(
            _ hour: Int, _ minute: Int, _ minutes: Int, _ value: Value
        ) -> TimedSample<Value> {
            TimedSample(
                time: .time(5, hour, minute), minutes: minutes, secondsFromUTC: 3600, value: value)
        }
        history[.heartRate] = [TimedSample(time: .time(5, 9), minutes: 5, value: 62)]
        history[.stress] = [sample(9, 30, 30, 41)]
        history[.heartRateVariability] = [sample(3, 0, 60, 48)]
        history[.activity] = [sample(10, 15, 15, ActivityAmount(steps: 532, metres: 403))]
        history[.bloodOxygen] = [
            sample(4, 0, 60, BloodOxygenRange(lowestPercent: 95, highestPercent: 97))
        ]
        history[.temperature] = [sample(4, 30, 30, 35.75)]
        history[.sleep] = [
            SleepRecord(
                isNap: false, start: .time(4, 23, 30), end: .time(5, 7),
                stages: [sample(-1, 30, 60, .light), sample(0, 30, 390, .deep)],
                secondsFromUTC: 3600)
        ]
        history[.workouts] = [
            WorkoutRecord(
                sport: .type2, start: .time(5, 17, 30).advanced(bySeconds: 12),
                duration: .seconds(1830), metres: 2400, kilocalories: 151.5, steps: 3100,
                averageBeatsPerMinute: 118, highestBeatsPerMinute: 140)
        ]
        history.totals = ActivityTotals(
            steps: 2061, runningSteps: 0, metres: 1549, kilocalories: 119.538,
            activeTime: .seconds(18 * 60))
        return history
    }()
}
