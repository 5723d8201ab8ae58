import HaloDevices
import HaloProtocol

/// One day of a ring's history, summed up.
struct DemoDay {
    let date: CivilDate
    let steps: Int
    let metres: Int
    /// The night that ended on this day, in minutes of sleep; nothing if there was none.
    let sleepMinutes: Int?
    /// The lowest heart rate, and the highest.
    let heartRates: (least: Int, most: Int)?

    /// Whether the ring has nothing of the day.
    var isEmpty: Bool { steps == 0 && sleepMinutes == nil && heartRates == nil }

    /// The days of a history of which there is anything, the earliest first.
    static func days(of history: RingHistory, count: Int) -> [DemoDay] {
        (0..<count).reversed().compactMap { daysAgo in
            guard let date = history.today.advanced(byDays: -daysAgo) else { return nil }
            let day = DemoDay(date, in: history)
            return day.isEmpty ? nil : day
        }
    }

    private init(_ date: CivilDate, in history: RingHistory) {
        self.date = date
        let activity = history.activity.filter { $0.time.date == date }
        steps = activity.reduce(0) { $0 + $1.value.steps }
        metres = activity.reduce(0) { $0 + $1.value.metres }
        let nights = history.sleep.filter { !$0.isNap && $0.end.date == date }
        sleepMinutes =
            nights.isEmpty ? nil : nights.reduce(0) { $0 + DemoNight.minutesAsleep(of: $1) }
        let rates = history.heartRates.filter { $0.time.date == date }.map(\.value)
        if let least = rates.min(), let most = rates.max() {
            heartRates = (least, most)
        } else {
            heartRates = nil
        }
    }
}

/// What a night consists of.
enum DemoNight {
    /// The stages that are drawn, the lightest first.
    static let stages: [SleepStage] = [.awake, .rem, .light, .deep]

    /// How many minutes of a night belong to a stage.
    static func minutes(of stage: SleepStage, in night: SleepRecord) -> Int {
        night.stages.reduce(0) { $0 + ($1.value == stage ? $1.minutes : 0) }
    }

    /// How many minutes of a night somebody slept.
    static func minutesAsleep(of night: SleepRecord) -> Int {
        night.stages.reduce(0) { $0 + ($1.value == SleepStage.awake ? 0 : $1.minutes) }
    }

    /// The stage of which most falls into a part of the night, in minutes since its beginning.
    ///
    /// A minute awake counts for three, or short ones would never be seen.
    static func stage(in night: SleepRecord, from start: Int, to end: Int) -> SleepStage? {
        var minute = 0
        var best: (stage: SleepStage, weight: Int)?
        for stage in night.stages {
            let overlap = min(minute + stage.minutes, end) - max(minute, start)
            minute += stage.minutes
            guard overlap > 0, let known = stage.value.known else { continue }
            let weight = known == .awake ? 3 * overlap : overlap
            if weight > best?.weight ?? 0 { best = (known, weight) }
        }
        return best?.stage
    }
}
