internal import HaloProtocol

/// What a ring has stored of one day.
struct StoredDay: Sendable {
    let date: CivilDate
    /// All slots, one series after another.
    var slots = [UInt8](repeating: 0, count: SlotSeries.bytesPerDay)
    /// By quarter or hour.
    var activity: [StoredActivity]
    var totals = Movement.none
    var sleepMinutes = 0

    init(_ date: CivilDate, _ minutes: RingRetention.ActivityMinutes) {
        self.date = date
        activity = [StoredActivity](
            repeating: StoredActivity(), count: 1440 / minutes.rawValue)
    }
}

/// The activity of a slot, in the units of the log.
struct StoredActivity: Hashable, Sendable {
    /// Tens of small calories.
    var energy: UInt16 = 0
    var steps: UInt16 = 0
    var metres: UInt16 = 0

    var isEmpty: Bool { self == StoredActivity() }

    /// Adds what a day's movement has gained, counted in whole units of the day's sum, so that
    /// nothing is lost in many small additions.
    mutating func add(from before: Movement, to after: Movement) {
        energy = UInt16(clamping: Int(energy) + after.calories / 10 - before.calories / 10)
        steps = UInt16(clamping: Int(steps) + after.steps - before.steps)
        metres = UInt16(clamping: Int(metres) + after.metres - before.metres)
    }
}

/// A night or a nap as a ring has stored it, on its own clock.
struct StoredSleep: Sendable {
    let start: CivilDateTime
    let end: CivilDateTime
    let stages: [SleepSpan.Stretch]

    /// Filed under the day on which it ended; nothing for a day to come.
    func period(today: CivilDate, days: Int) -> SleepPeriod? {
        let daysAgo = end.date.daysAgo(from: today)
        guard 0..<days ~= daysAgo else { return nil }
        return try? SleepPeriod(
            daysAgo: UInt8(clamping: daysAgo), start: start.time, end: end.time,
            stages: stages.map { SleepPeriod.Stage($0.stage, minutes: $0.minutes) })
    }
}
