/// A calendar date without a time zone, from 1970-01-01 to 2106-02-07.
///
/// The range is that of a ring's 32-bit seconds. Its binary-coded decimal dates have a year of two
/// digits and range from 2000 to 2099.
@frozen
public struct CivilDate: Hashable, Sendable, Comparable, CustomStringConvertible {
    public let daysSince1970: UInt16

    /// The last day within 32-bit seconds.
    @usableFromInline static var lastDay: UInt16 { 49_710 }

    /// Creates a date from its number of days since 1970-01-01, up to 2106-02-07.
    public init(daysSince1970: Int) throws(ValueError) {
        try ValueError.check("daysSince1970", daysSince1970, in: 0...Int64(Self.lastDay))
        self.daysSince1970 = UInt16(daysSince1970)
    }

    init(uncheckedDaysSince1970 days: UInt16) {
        daysSince1970 = days
    }

    /// Creates a date from year (1970–2105), month and day.
    public init(year: Int, month: Int, day: Int) throws(ValueError) {
        try ValueError.check("year", year, in: 1970...2105)
        try ValueError.check("month", month, in: 1...12)
        let days = Self.days(inMonth: month, of: year)
        try ValueError.check("day", day, in: 1...Int64(days))
        daysSince1970 = Self.dayNumber(year: year, month: month, day: day)
    }

    /// The year, 1970 to 2106.
    public var year: Int { components.year }
    /// The month, 1 to 12.
    public var month: Int { components.month }
    /// The day of the month, 1 to 31.
    public var day: Int { components.day }

    /// Returns the date `count` days earlier, or `nil` before 1970.
    package func daysEarlier(_ count: UInt8) -> CivilDate? {
        advanced(byDays: -Int(count))
    }

    /// Returns the date `count` days later, or earlier if negative, or `nil` out of range.
    public func advanced(byDays count: Int) -> CivilDate? {
        let (days, overflow) = Int(daysSince1970).addingReportingOverflow(count)
        return overflow ? nil : try? CivilDate(daysSince1970: days)
    }

    /// Returns the number of days from this date to `today`: the day offset of rings.
    public func daysAgo(from today: CivilDate) -> Int {
        Int(today.daysSince1970) - Int(daysSince1970)
    }

    /// Returns the number of days in a month.
    package static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    /// Returns the days since 1970-01-01. Years begin in March, so that a leap day ends its year.
    private static func dayNumber(year: Int, month: Int, day: Int) -> UInt16 {
        let marchYear = month > 2 ? year : year - 1
        let marchMonth = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
        let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
        return UInt16(marchYear * 365 + leapDays + dayOfYear - 719_468)
    }

    private var components: (year: Int, month: Int, day: Int) {
        let days = Int(daysSince1970) + 719_468
        let era = days / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }

    /// Returns `true` if the left date is earlier.
    public static func < (left: CivilDate, right: CivilDate) -> Bool {
        left.daysSince1970 < right.daysSince1970
    }

    /// The date in ISO 8601: `2026-07-02`.
    public var description: String {
        let components = components
        return "\(components.year)-\(DecimalText.two(components.month))-"
            + DecimalText.two(components.day)
    }
}

extension FieldIO where Self: ~Escapable {
    /// Seconds since 1970 on the ring's clock, four bytes, little endian.
    @inlinable @inline(__always)
    public mutating func civilDateTime(
        _ name: FieldName, _ value: CivilDateTime?
    ) throws(PacketError) -> CivilDateTime {
        let time = CivilDateTime(
            secondsSince1970: try uint32(name, value.map { $0.secondsSince1970 }, .seconds))
        means { time.description }
        return time
    }
}
