public import HaloProtocol

/// A night or a nap, on the calendar.
public struct SleepRecord: Hashable, Sendable {
    /// Whether it was by day.
    public let isNap: Bool
    /// When it began, on the ring's clock.
    public let start: CivilDateTime
    /// When it ended, on the ring's clock.
    public let end: CivilDateTime
    /// The stages in order, each with its beginning.
    public let stages: [TimedSample<Reported<SleepStage>>]
    /// How many seconds the ring's clock was ahead of UTC; nothing where nobody knows.
    public let secondsFromUTC: Int?
    /// The record as the ring has it.
    public let period: SleepPeriod

    /// A record of a ring whose today is known; nothing if it names minutes that no day has.
    public init?(_ period: SleepPeriod, isNap: Bool, today: CivilDate, secondsFromUTC: Int?) {
        guard let start = period.startTime(today: today), let end = period.endTime(today: today)
        else { return nil }
        self.isNap = isNap
        self.start = start
        self.end = end
        self.secondsFromUTC = secondsFromUTC
        self.period = period
        var time = start
        stages = period.stages.map { stage in
            defer { time = time.advanced(bySeconds: Int(stage.minutes) * 60) }
            return TimedSample(
                time: time, minutes: Int(stage.minutes), secondsFromUTC: secondsFromUTC,
                value: stage.stage)
        }
    }
}

extension SleepRecord: CustomStringConvertible {
    /// `night from 2026-01-04 23:10:00 to 2026-01-05 07:02:00`.
    public var description: String { "\(isNap ? "nap" : "night") from \(start) to \(end)" }
}
