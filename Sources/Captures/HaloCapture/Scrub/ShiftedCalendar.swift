import HaloProtocol
import HaloTransport

/// A calendar that is shifted by a whole number of weeks.
///
/// Intervals, times of day and days of the week are kept. Some firmware drops the year and sends
/// 2000: such a day is shifted as if it were in the year of the capture's first other date, and
/// keeps the year 2000.
struct ShiftedCalendar: Sendable {
    /// The number of days by which dates are shifted.
    let days: Int
    private var year: Int?

    private static let weeks: ClosedRange<UInt64> = 52...520
    private static let usualYear = 2024
    private static let century = 2000
    private static let centuryDays = 36_525
    /// The first day of 2000, in days since 1970.
    private static let firstDay = 10_957

    init(_ random: inout SplitMix) {
        let weeks = Int(random.remainder(in: Self.weeks))
        days = (random.next() & 1 == 0 ? weeks : -weeks) * 7
    }

    mutating func learn(_ date: CivilDate?) {
        if let date, date.year > Self.century, year == nil { year = date.year }
    }

    /// Returns shifted seconds since 1970. Zero, which means no time, is kept.
    func shifted(seconds: UInt32) -> UInt32 {
        guard seconds != 0 else { return 0 }
        return seconds &+ UInt32(truncatingIfNeeded: days &* 86_400)
    }

    /// Returns a shifted day of the years 2000 to 2099; `nil` for a day beyond them.
    func shifted(_ date: CivilDate) -> CivilDate? {
        guard date.year == Self.century else { return moved(date, in: date.year) }
        // 2000 has a 29th of February, even if the dropped year has none.
        return moved(date, in: year ?? Self.usualYear).flatMap {
            try? CivilDate(year: Self.century, month: $0.month, day: $0.day)
        }
    }

    private func moved(_ date: CivilDate, in year: Int) -> CivilDate? {
        let day = min(date.day, CivilDate.days(inMonth: date.month, of: year))
        guard let date = try? CivilDate(year: year, month: date.month, day: day) else {
            return nil
        }
        let number = Int(date.daysSince1970) - Self.firstDay
        guard 0..<Self.centuryDays ~= number else { return nil }
        let sum = (number + days) % Self.centuryDays
        let moved = sum < 0 ? sum + Self.centuryDays : sum
        return try? CivilDate(daysSince1970: Self.firstDay + moved)
    }
}
