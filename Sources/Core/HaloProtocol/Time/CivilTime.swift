/// A time of day to the second, without a time zone.
@frozen
public struct CivilTime: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Seconds since midnight, at most 86,399.
    @usableFromInline package let secondsSinceMidnight: UInt32

    @usableFromInline static var secondsPerDay: UInt32 { 86_400 }

    public static let midnight = CivilTime(uncheckedSeconds: 0)

    init(uncheckedSeconds: UInt32) {
        secondsSinceMidnight = uncheckedSeconds
    }

    public init(hour: Int, minute: Int, second: Int = 0) throws(ValueError) {
        try ValueError.check("hour", hour, in: 0...23)
        try ValueError.check("minute", minute, in: 0...59)
        try ValueError.check("second", second, in: 0...59)
        secondsSinceMidnight = UInt32((hour * 60 + minute) * 60 + second)
    }

    /// Creates a time from the minute of the day, up to 1439.
    public init(minuteOfDay: Int) throws(ValueError) {
        try ValueError.check("minuteOfDay", minuteOfDay, in: 0...1439)
        secondsSinceMidnight = UInt32(minuteOfDay * 60)
    }

    /// The hour, 0 to 23.
    public var hour: Int { Int(secondsSinceMidnight / 3600) }
    /// The minute, 0 to 59.
    public var minute: Int { Int(secondsSinceMidnight / 60 % 60) }
    /// The second, 0 to 59.
    public var second: Int { Int(secondsSinceMidnight % 60) }
    /// Whole minutes since midnight, 0 to 1439.
    public var minuteOfDay: Int { Int(secondsSinceMidnight / 60) }

    /// Returns `true` if the left time is earlier.
    public static func < (left: CivilTime, right: CivilTime) -> Bool {
        left.secondsSinceMidnight < right.secondsSinceMidnight
    }

    /// The time as `14:16:30`.
    public var description: String {
        "\(DecimalText.two(hour)):\(DecimalText.two(minute)):\(DecimalText.two(second))"
    }
}
