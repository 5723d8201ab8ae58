import HaloDevices
import HaloHealth
import HaloProtocol

struct DaySummary {
    let date: CivilDate
    let steps: Int
    let metres: Int
    /// The minutes of sleep of the night that ended on this day, or `nil` without one.
    let sleepMinutes: Int?
    /// The lowest and the highest heart rate, in beats per minute.
    let heartRates: ClosedRange<Int>?
    /// The reasons for what is missing, in words of at most eight letters; `nil` where it is there.
    let missingSteps, missingSleep, missingHeartRates: String?

    var isEmpty: Bool { steps == 0 && sleepMinutes == nil && heartRates == nil }

    static func all(_ dates: [CivilDate], in history: RingHistory) -> [DaySummary] {
        let activity = Dictionary(grouping: history.activity) { $0.time.date }
        let rates = Dictionary(grouping: history.heartRates) { $0.time.date }
        let nights = Dictionary(grouping: history.sleep.filter { !$0.isNap }) { $0.end.date }
        let reasons = MissingReasons(history)
        return dates.map { date in
            let (activity, nights) = (activity[date] ?? [], nights[date] ?? [])
            let rates = (rates[date] ?? []).map(\.value)
            func missing(_ kind: HistoryKind, unless isThere: Bool) -> String? {
                isThere ? nil : reasons.reason(for: kind, on: date).word
            }
            return DaySummary(
                date: date, steps: activity.reduce(0) { $0 + $1.value.steps },
                metres: activity.reduce(0) { $0 + $1.value.metres },
                sleepMinutes: nights.isEmpty ? nil : nights.reduce(0) { $0 + $1.minutesAsleep },
                heartRates: rates.min().map { $0...(rates.max() ?? $0) },
                missingSteps: missing(.activity, unless: !activity.isEmpty),
                missingSleep: missing(.sleep, unless: !nights.isEmpty),
                missingHeartRates: missing(.heartRate, unless: !rates.isEmpty))
        }
    }
}
