public import HaloProtocol

/// A part of every day, from one time to another, which may be on the next day.
public struct DailyHours: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The beginning; rings drop its seconds.
    public var start: CivilTime
    /// The end; rings drop its seconds.
    public var end: CivilTime

    /// Creates a part of the day.
    public init(from start: CivilTime, to end: CivilTime) {
        self.start = start
        self.end = end
    }

    init?(_ period: DailyPeriod) {
        guard let start = period.start, let end = period.end else { return nil }
        self.init(from: start, to: end)
    }

    /// The hours without seconds: `22:00–07:00`.
    public var description: String {
        "\(start.description.prefix(5))–\(end.description.prefix(5))"
    }
}
