internal import HaloProtocol

/// The difference between a ring's clock that showed another day, and the clock that it should have
/// shown.
///
/// A ring reports its day, but not its time: the difference is known to a day.
public struct ClockShift: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The days to add to a date of the wrong clock; negative if the wrong clock was ahead.
    ///
    /// If the clock was wrong by whole days, these are the right dates and times. Otherwise dates
    /// are wrong by a day at most.
    public let days: Int
    /// The least number of seconds by which the wrong clock was behind; negative if it was ahead.
    public let lowestSeconds: Int
    /// The greatest number of seconds by which the wrong clock was behind.
    public let highestSeconds: Int

    /// Creates a value, for previews and tests; the two numbers of seconds in any order.
    public init(days: Int, lowestSeconds: Int, highestSeconds: Int) {
        self.days = days
        self.lowestSeconds = min(lowestSeconds, highestSeconds)
        self.highestSeconds = max(lowestSeconds, highestSeconds)
    }

    /// Creates the difference between a day that the ring has reported and the right clock; `nil`
    /// if the right clock, or one that is wrong by some minutes, may have shown that day.
    init?(_ sighting: DayProbe.Sighting, right: ClockEpoch) {
        let ring = sighting.epoch
        guard !ring.agrees(with: right),
            let day = right.day(from: sighting.asked, to: sighting.answered)
                ?? right.firstDay(at: sighting.answered)
        else { return nil }
        self.init(
            days: sighting.today.daysAgo(from: day),
            lowestSeconds: Self.seconds(ring.earliest.microseconds(since: right.latest)),
            highestSeconds: Self.seconds(ring.latest.microseconds(since: right.earliest)))
    }

    /// Returns whole seconds, away from zero.
    private static func seconds(_ microseconds: Int64) -> Int {
        let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return Int(clamping: whole + rest.signum())
    }

    /// `true` if the difference is small enough for the right time of another zone. Dates and times
    /// of values are then perhaps right, for the place where the ring was; but not if the clock
    /// before is known, from ``RingOptions/earlierClocks``.
    public var mayBeTimeZoneChange: Bool {
        lowestSeconds <= Self.widestZones && highestSeconds >= -Self.widestZones
    }

    /// The seconds between the zones that are farthest apart: UTC−12 and UTC+14.
    private static var widestZones: Int { 26 * 3600 }

    /// `3 days ahead`, or `1 day behind`.
    public var description: String {
        let count = days.magnitude
        return "\(count) \(count == 1 ? "day" : "days") \(days < 0 ? "ahead" : "behind")"
    }
}
