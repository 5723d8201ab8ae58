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
    /// The reason in a sentence, if the day has no value of these kinds because no read was in
    /// time.
    let notSynced: String?
    /// The time until which an earlier day was read, as `until 09:00`; `nil` for a whole one.
    let until: String?

    var isEmpty: Bool { steps == 0 && sleepMinutes == nil && heartRates == nil }

    static func all(_ dates: [CivilDate], in history: RingHistory) -> [DaySummary] {
        let activity = Dictionary(grouping: history[.activity]) { $0.time.date }
        let rates = Dictionary(grouping: history[.heartRate]) { $0.time.date }
        let nights = Dictionary(grouping: history[.sleep].filter { !$0.isNap }) { $0.end.date }
        let reasons = MissingReasons(history)
        return dates.map { date in
            let (activity, nights) = (activity[date] ?? [], nights[date] ?? [])
            let rates = (rates[date] ?? []).map(\.value)
            let isEmpty = activity.isEmpty && nights.isEmpty && rates.isEmpty
            let kinds: [HistoryKind] = [.heartRate, .activity, .sleep]
            let missing = Dictionary(
                uniqueKeysWithValues: kinds.map { ($0, reasons.reason(for: $0, on: date)) })
            func word(_ kind: HistoryKind, unless isThere: Bool) -> String? {
                isThere ? nil : missing[kind]?.word
            }
            let counted = activity.isEmpty ? nil : history.ownTotals(of: date)
            return DaySummary(
                date: date,
                steps: counted?.steps ?? activity.reduce(0) { $0 + $1.value.steps },
                metres: counted?.metres ?? activity.reduce(0) { $0 + $1.value.metres },
                sleepMinutes: nights.isEmpty ? nil : nights.reduce(0) { $0 + $1.minutesAsleep },
                heartRates: rates.min().map { $0...(rates.max() ?? $0) },
                missingSteps: word(.activity, unless: !activity.isEmpty),
                missingSleep: word(.sleep, unless: !nights.isEmpty),
                missingHeartRates: word(.heartRate, unless: !rates.isEmpty),
                notSynced: isEmpty
                    ? kinds.compactMap { missing[$0]?.sentenceOfGap(of: $0) }.first : nil,
                until: isEmpty ? nil : history.until(date))
        }
    }
}

extension RingHistory {
    /// The time until which a day before today was read, in words; `nil` for a whole one.
    func until(_ date: CivilDate) -> String? {
        date < today ? readEnd(on: date).map { "until \(ReportText.clock($0))" } : nil
    }
}

extension MissingReason {
    /// The sentence of a day that no read was in time for; `nil` for another reason.
    func sentenceOfGap(of kind: HistoryKind) -> String? {
        if case .notSynced = self { sentence(of: kind) } else { nil }
    }
}
