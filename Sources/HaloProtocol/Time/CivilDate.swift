/// A day of the calendar, without a time zone.
///
/// It covers what a ring's 32-bit seconds can say: 1970-01-01 to 2106-02-07. A ring's decimal
/// dates have two digits for the year and cover 2000 to 2099.
@frozen
public struct CivilDate: Hashable, Sendable {
    /// Days since 1970-01-01.
    public let daysSince1970: UInt16

    /// The last day that 32-bit seconds reach.
    @usableFromInline static var lastDay: UInt16 { 49_710 }

    /// A day by its number since 1970-01-01, up to 2106-02-07.
    public init(daysSince1970: Int) throws(ValueError) {
        guard 0...Int(Self.lastDay) ~= daysSince1970 else {
            throw ValueError(
                "daysSince1970", allowed: 0...Int64(Self.lastDay), found: Int64(daysSince1970))
        }
        self.daysSince1970 = UInt16(daysSince1970)
    }

    init(uncheckedDaysSince1970 days: UInt16) {
        daysSince1970 = days
    }

    /// A day by year (1970–2105), month and day.
    public init(year: Int, month: Int, day: Int) throws(ValueError) {
        guard 1970...2105 ~= year else {
            throw ValueError("year", allowed: 1970...2105, found: Int64(year))
        }
        guard 1...12 ~= month else {
            throw ValueError("month", allowed: 1...12, found: Int64(month))
        }
        let days = Self.days(inMonth: month, of: year)
        guard 1...days ~= day else {
            throw ValueError("day", allowed: 1...Int64(days), found: Int64(day))
        }
        daysSince1970 = Self.dayNumber(year: year, month: month, day: day)
    }

    /// The year, 1970 to 2106.
    public var year: Int { components.year }
    /// The month, 1 to 12.
    public var month: Int { components.month }
    /// The day of the month, 1 to 31.
    public var day: Int { components.day }

    /// The day `count` days earlier; nothing where that lies before 1970.
    public func daysEarlier(_ count: UInt8) -> CivilDate? {
        guard UInt16(count) <= daysSince1970 else { return nil }
        return CivilDate(uncheckedDaysSince1970: daysSince1970 - UInt16(count))
    }

    /// The day `count` days later, or earlier if negative; nothing beyond 1970 and 2106.
    public func advanced(byDays count: Int) -> CivilDate? {
        let (days, overflow) = Int(daysSince1970).addingReportingOverflow(count)
        return overflow ? nil : try? CivilDate(daysSince1970: days)
    }

    /// How many days this day lies before `today`: what rings call the day offset.
    public func daysAgo(from today: CivilDate) -> Int {
        Int(today.daysSince1970) - Int(daysSince1970)
    }

    /// How many days a month has.
    public static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    /// Years are counted from March, so that the leap day is the last of its year.
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
}

extension CivilDate: Comparable, CustomStringConvertible {
    /// Earlier days come first.
    public static func < (left: CivilDate, right: CivilDate) -> Bool {
        left.daysSince1970 < right.daysSince1970
    }

    /// `2026-07-02`.
    public var description: String {
        let components = components
        return "\(components.year)-\(DecimalText.two(components.month))-"
            + DecimalText.two(components.day)
    }
}
