/// A time of day to the second, without a time zone.
@frozen
public struct CivilTime: Hashable, Sendable {
    /// Seconds since midnight, at most 86,399.
    public let secondsSinceMidnight: UInt32

    @usableFromInline static var secondsPerDay: UInt32 { 86_400 }

    /// The first second of a day.
    public static let midnight = CivilTime(uncheckedSeconds: 0)

    init(uncheckedSeconds: UInt32) {
        secondsSinceMidnight = uncheckedSeconds
    }

    /// A time by hour, minute and second.
    public init(hour: Int, minute: Int, second: Int = 0) throws(ValueError) {
        guard 0...23 ~= hour else {
            throw ValueError("hour", allowed: 0...23, found: Int64(hour))
        }
        guard 0...59 ~= minute else {
            throw ValueError("minute", allowed: 0...59, found: Int64(minute))
        }
        guard 0...59 ~= second else {
            throw ValueError("second", allowed: 0...59, found: Int64(second))
        }
        secondsSinceMidnight = UInt32((hour * 60 + minute) * 60 + second)
    }

    /// A time by the minute of the day, up to 1439.
    public init(minuteOfDay: Int) throws(ValueError) {
        guard 0...1439 ~= minuteOfDay else {
            throw ValueError("minuteOfDay", allowed: 0...1439, found: Int64(minuteOfDay))
        }
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
}

extension CivilTime: Comparable, CustomStringConvertible {
    /// Earlier times come first.
    public static func < (left: CivilTime, right: CivilTime) -> Bool {
        left.secondsSinceMidnight < right.secondsSinceMidnight
    }

    /// `14:16:30`.
    public var description: String {
        "\(DecimalText.two(hour)):\(DecimalText.two(minute)):\(DecimalText.two(second))"
    }
}
