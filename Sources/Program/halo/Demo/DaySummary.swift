import HaloDevices
import HaloProtocol

/// The summary of a day of a ring's history.
struct DaySummary {
    let date: CivilDate
    let steps: Int
    let metres: Int
    /// The minutes of sleep of the night that ended on this day, or `nil` without one.
    let sleepMinutes: Int?
    /// The lowest and the highest heart rate, in beats per minute.
    let heartRates: ClosedRange<Int>?

    var isEmpty: Bool { steps == 0 && sleepMinutes == nil && heartRates == nil }

    init(_ date: CivilDate, in history: RingHistory) {
        self.date = date
        let activity = history.activity.filter { $0.time.date == date }
        steps = activity.reduce(0) { $0 + $1.value.steps }
        metres = activity.reduce(0) { $0 + $1.value.metres }
        let nights = history.sleep.filter { !$0.isNap && $0.end.date == date }
        sleepMinutes = nights.isEmpty ? nil : nights.reduce(0) { $0 + $1.minutesAsleep }
        let rates = history.heartRates.filter { $0.time.date == date }.map(\.value)
        heartRates = rates.min().map { $0...(rates.max() ?? $0) }
    }
}
