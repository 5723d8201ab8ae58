/// A day and a time of day, without a time zone: what a ring's clock shows.
///
/// On the wire it is a number of seconds since 1970 as if the clock showed UTC. It does not: a
/// ring has no time zone, and shows whatever the last app has set.
@frozen
public struct CivilDateTime: Hashable, Sendable {
    /// Seconds since 1970-01-01 00:00:00 on the same clock.
    public let secondsSince1970: UInt32

    /// A moment by the seconds on the wire; every number is one.
    @inlinable
    public init(secondsSince1970: UInt32) {
        self.secondsSince1970 = secondsSince1970
    }

    /// A day and a time; beyond 2106-02-07 06:28:15 that last second is meant.
    public init(_ date: CivilDate, _ time: CivilTime = .midnight) {
        let days = UInt64(date.daysSince1970) * UInt64(CivilTime.secondsPerDay)
        secondsSince1970 = UInt32(clamping: days + UInt64(time.secondsSinceMidnight))
    }

    /// The day.
    public var date: CivilDate {
        CivilDate(
            uncheckedDaysSince1970: UInt16(secondsSince1970 / CivilTime.secondsPerDay))
    }

    /// The time of day.
    public var time: CivilTime {
        CivilTime(uncheckedSeconds: secondsSince1970 % CivilTime.secondsPerDay)
    }

    /// The same moment on a clock that is `seconds` ahead; clocks end at 1970 and in 2106.
    public func advanced(bySeconds seconds: Int) -> CivilDateTime {
        let (sum, overflow) = Int64(secondsSince1970).addingReportingOverflow(Int64(seconds))
        return CivilDateTime(
            secondsSince1970: overflow
                ? (seconds < 0 ? 0 : .max) : UInt32(clamping: sum))
    }
}

extension CivilDateTime: Comparable, CustomStringConvertible {
    /// Earlier moments come first.
    public static func < (left: CivilDateTime, right: CivilDateTime) -> Bool {
        left.secondsSince1970 < right.secondsSince1970
    }

    /// `2026-07-02 14:16:30`.
    public var description: String { "\(date) \(time)" }
}

extension FieldReader where Self: ~Escapable {
    /// Seconds since 1970 on the ring's clock, four bytes, the lowest first.
    @inlinable @inline(__always)
    public mutating func civilDateTime(_ name: FieldName) throws(PacketError) -> CivilDateTime {
        let time = CivilDateTime(secondsSince1970: try uint32(name))
        means { time.description }
        return time
    }
}

extension FieldWriter {
    /// Seconds since 1970 on the ring's clock, four bytes, the lowest first.
    @inlinable @inline(__always)
    public mutating func civilDateTime(_ name: FieldName, _ time: CivilDateTime) {
        uint32(name, time.secondsSince1970)
    }
}
