/// A date and a time of day without a time zone, as a ring's clock shows them.
///
/// On the wire it is a number of seconds since 1970, as if the clock showed UTC. But a ring has no
/// time zone: it shows the time that the last app has set.
@frozen
public struct CivilDateTime: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Seconds since 1970-01-01 00:00:00 on the same clock.
    public let secondsSince1970: UInt32

    /// Creates a date and time from the seconds on the wire; every number is valid.
    @inlinable
    public init(secondsSince1970: UInt32) {
        self.secondsSince1970 = secondsSince1970
    }

    /// Creates a date and a time, at most 2106-02-07 06:28:15.
    public init(_ date: CivilDate, _ time: CivilTime = .midnight) {
        let days = UInt64(date.daysSince1970) * UInt64(CivilTime.secondsPerDay)
        secondsSince1970 = UInt32(clamping: days + UInt64(time.secondsSinceMidnight))
    }

    /// The date.
    public var date: CivilDate {
        CivilDate(
            uncheckedDaysSince1970: UInt16(secondsSince1970 / CivilTime.secondsPerDay))
    }

    /// The time of day.
    public var time: CivilTime {
        CivilTime(uncheckedSeconds: secondsSince1970 % CivilTime.secondsPerDay)
    }

    /// Returns the date and time `seconds` later, clamped to the years 1970 to 2106.
    public func advanced(bySeconds seconds: Int) -> CivilDateTime {
        let (sum, overflow) = Int64(secondsSince1970).addingReportingOverflow(Int64(seconds))
        return CivilDateTime(
            secondsSince1970: overflow
                ? (seconds < 0 ? 0 : .max) : UInt32(clamping: sum))
    }

    /// Returns `true` if the left date and time is earlier.
    public static func < (left: CivilDateTime, right: CivilDateTime) -> Bool {
        left.secondsSince1970 < right.secondsSince1970
    }

    /// The date and time as `2026-07-02 14:16:30`.
    public var description: String { "\(date) \(time)" }
}
