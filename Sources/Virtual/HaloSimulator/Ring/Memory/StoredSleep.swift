internal import HaloProtocol

/// A night or a nap as stored by a ring, by its own clock.
struct StoredSleep: Sendable {
    let start: CivilDateTime
    let end: CivilDateTime
    let stages: [SleepSpan.Stretch]

    /// The sleep filed under the day of its end, or `nil` for a future day.
    func period(today: CivilDate, days: Int) -> SleepPeriod? {
        let daysAgo = end.date.daysAgo(from: today)
        guard 0..<days ~= daysAgo else { return nil }
        return try? SleepPeriod(
            daysAgo: UInt8(clamping: daysAgo), start: start.time, end: end.time,
            stages: stages.map { SleepPeriod.Stage($0.stage, minutes: $0.minutes) })
    }
}
