import HaloProtocol
import HaloTransport

/// The range and the steps of a quantity of a seeded body.
///
/// The ranges are of a healthy adult, in the units of the packets: so a scrubbed capture stays
/// plausible.
extension BodyQuantity {
    /// The range of the values.
    var range: ClosedRange<UInt64> {
        switch self {
        case .pulse: 50...128
        case .oxygen: 92...99
        case .stress: 12...88
        case .variability: 18...95
        case .skinTemperature: 150...172
        case .hundredthsOfCelsius: 3450...3720
        case .sugar: 70...150
        case .systolic: 102...138
        case .diastolic: 62...88
        case .beatInterval: 480...1200
        case .beatTicks: 490...1230
        case .slotSteps: 8...1900
        case .slotEnergy: 5...900
        case .slotMetres: 6...1400
        case .nightMinutes: 240...560
        case .speed: 20...250
        case .stepRate: 60...180
        case .light: 2000...52_000
        case .age: 19...79
        case .height: 150...197
        case .weight: 46...112
        case .pulseFloor: 40...55
        case .pulseCeiling: 100...180
        case .goalSteps: 3000...19_500
        case .goalCalories: 100_000...900_000
        case .goalMetres: 2000...15_000
        case .goalMinutes: 20...120
        }
    }

    /// The maximum difference of adjacent values; `nil` if they are independent.
    var step: UInt64? {
        switch self {
        case .pulse: 4
        case .oxygen, .skinTemperature: 1
        case .stress, .variability: 6
        case .hundredthsOfCelsius: 8
        case .sugar, .systolic, .diastolic: 3
        case .beatInterval, .beatTicks: 40
        case .light: 900
        default: nil
        }
    }
}

/// A generator of samples that do not depend on measured ones.
///
/// Each quantity moves through its range by small steps.
struct SeededBody: Sendable {
    private var current: [BodyQuantity: UInt64] = [:]

    /// Returns the next value of a quantity.
    mutating func next(_ sample: BodyQuantity, _ random: inout SplitMix) -> UInt64 {
        let range = sample.range
        guard let step = sample.step, let last = current[sample] else {
            let value = random.remainder(in: range)
            current[sample] = value
            return value
        }
        let least = last > range.lowerBound &+ step ? last &- step : range.lowerBound
        let most = min(last &+ step, range.upperBound)
        let value = random.remainder(in: least...max(least, most))
        current[sample] = value
        return value
    }
}

extension SplitMix {
    /// Draws a byte that is not zero.
    mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: remainder(in: 1...255)) }
}

/// Substitutes for totals, which keep their order and their equality.
///
/// Each difference between two totals of the capture is scaled by a random factor, and all
/// differences of a quantity by a common one: otherwise a capture of many small steps would still
/// reveal their sum.
struct SeededTotals: Sendable {
    private var seen: [BodyTotal: Set<UInt64>] = [:]
    private var scale: [BodyTotal: [UInt64: UInt64]] = [:]

    private static let percent: ClosedRange<UInt64> = 40...160
    /// The maximum total of a packet, which has at most four bytes.
    private static let mostTotal = UInt64(UInt32.max)

    /// Records a total of the capture.
    mutating func learn(_ total: BodyTotal, _ value: UInt64) {
        seen[total, default: []].insert(min(value, Self.mostTotal))
    }

    /// Draws the substitutes for the recorded totals.
    mutating func draw(_ random: inout SplitMix) {
        for total in BodyTotal.allCases {
            let percent = random.remainder(in: Self.percent)
            var drawn: [UInt64: UInt64] = [0: 0]
            var last: (old: UInt64, new: UInt64) = (0, 0)
            for value in (seen[total] ?? []).sorted() where value > 0 {
                let most = max(1, (value - last.old) * 2 * percent / 100)
                last = (value, last.new + random.remainder(in: 1...most))
                drawn[value] = last.new
            }
            scale[total] = drawn
        }
        seen = [:]
    }

    /// Returns the substitute for a total; `nil` for a total that was not recorded.
    func value(_ total: BodyTotal, _ value: UInt64) -> UInt64? { scale[total]?[value] }
}

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
    /// The number of days from 2000 to 2099.
    private static let centuryDays = 36_525

    init(_ random: inout SplitMix) {
        let weeks = Int(random.remainder(in: Self.weeks))
        days = (random.next() & 1 == 0 ? weeks : -weeks) * 7
    }

    /// Records a date of the capture.
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
        guard let first = try? CivilDate(year: Self.century, month: 1, day: 1) else { return nil }
        if date.year == Self.century {
            guard let moved = moved(date, in: year ?? Self.usualYear, from: first) else {
                return nil
            }
            // 2000 has a 29th of February, even if the dropped year has none.
            return try? CivilDate(year: Self.century, month: moved.month, day: moved.day)
        }
        return moved(date, in: date.year, from: first)
    }

    private func moved(_ date: CivilDate, in year: Int, from first: CivilDate) -> CivilDate? {
        let day = min(date.day, CivilDate.days(inMonth: date.month, of: year))
        guard let date = try? CivilDate(year: year, month: date.month, day: day) else {
            return nil
        }
        let number = Int(date.daysSince1970) - Int(first.daysSince1970)
        guard 0..<Self.centuryDays ~= number else { return nil }
        let sum = (number + days) % Self.centuryDays
        return first.advanced(byDays: sum < 0 ? sum + Self.centuryDays : sum)
    }
}
