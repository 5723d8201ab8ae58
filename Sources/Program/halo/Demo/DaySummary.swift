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
    /// The reasons for what is missing, in words of at most eight letters; `nil` where it is there.
    let missingSteps, missingSleep, missingHeartRates: String?

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
        func reason(_ kind: HistoryKind, isThere: Bool) -> String? {
            isThere ? nil : Self.reason(for: kind, on: date, history)
        }
        missingSteps = reason(.activity, isThere: !activity.isEmpty)
        missingSleep = reason(.sleep, isThere: sleepMinutes != nil)
        missingHeartRates = reason(.heartRate, isThere: heartRates != nil)
    }

    /// Returns why a day has no values of a kind.
    ///
    /// A ring does not tell a day on which it was not worn from one that it stores no longer: the
    /// latter are the days before its first stored one.
    private static func reason(
        for kind: HistoryKind, on date: CivilDate, _ history: RingHistory
    ) -> String {
        switch history.coverage[kind, date] {
        case .unsupported: return "lacking"
        case .failed: return "not read"
        case .wrongClock: return "misdated"
        case .notRequested: return "not kept"
        case .read, .noData, nil: break
        }
        let first = history.coverage.dates(of: kind, .read).first
        return first.map { date < $0 } ?? true ? "not kept" : "not worn"
    }
}
