import HaloProtocol

/// The clock of a log, set by the times of its lines.
///
/// A date and a time without a zone are treated as UTC, since the log does not have the recorder's
/// zone. A time without a date counts from the midnight before the log began, or from the date that
/// ``day`` was set to; where it decreases by more than half a day, a new day begins.
struct TextClock: Sendable {
    /// The day of times without a date, in days since 1970.
    var day = 0
    /// The last time, in microseconds.
    var microseconds: Int64 = 0

    static let microsecondsPerDay: Int64 = 86_400_000_000

    mutating func set(timeOfDay: Int64) {
        let today = Int64(day) * Self.microsecondsPerDay
        var time = today + timeOfDay
        if time < microseconds - Self.microsecondsPerDay / 2 {
            day += 1
            time += Self.microsecondsPerDay
        }
        microseconds = time
    }

    mutating func set(day: Int, timeOfDay: Int64) {
        self.day = day
        microseconds = Int64(day) * Self.microsecondsPerDay + timeOfDay
    }

    /// Reads a date with hyphens, as days since 1970.
    static func date(_ cursor: inout TextCursor) -> Int? {
        var copy = cursor
        guard let year = copy.decimal(digits: 4), copy.skip("-"),
            let month = copy.decimal(digits: 2), copy.skip("-"),
            let day = copy.decimal(digits: 2),
            let date = try? CivilDate(year: year, month: month, day: day)
        else { return nil }
        cursor = copy
        return Int(date.daysSince1970)
    }

    /// Reads a time of day, with or without a fraction, in microseconds.
    static func timeOfDay(_ cursor: inout TextCursor) -> Int64? {
        var copy = cursor
        guard let hour = copy.decimal(digits: 2), hour < 24, copy.skip(":"),
            let minute = copy.decimal(digits: 2), minute < 60, copy.skip(":"),
            let second = copy.decimal(digits: 2), second <= 60
        else { return nil }
        cursor = copy
        let seconds = Int64(hour * 3600 + minute * 60 + second)
        return seconds * 1_000_000 + (fraction(&cursor) ?? 0)
    }

    /// Reads a fraction of a second with its point or comma, in microseconds.
    static func fraction(_ cursor: inout TextCursor) -> Int64? {
        var copy = cursor
        guard copy.skip(".") || copy.skip(",") else { return nil }
        let digits = copy.rest.prefix { TextCursor.isDigit($0) }
        guard !digits.isEmpty else { return nil }
        for _ in digits { copy.skipByte() }
        cursor = copy
        var micros: Int64 = 0
        var scale: Int64 = 100_000
        for digit in digits.prefix(6) {
            micros += Int64(digit - UInt8(ascii: "0")) * scale
            scale /= 10
        }
        return micros
    }

    /// Reads an offset from UTC, in microseconds.
    static func zone(_ cursor: inout TextCursor) -> Int64? {
        var copy = cursor
        if copy.skip("Z") {
            cursor = copy
            return 0
        }
        let isAhead = copy.skip("+")
        guard isAhead || copy.skip("-"), let hours = copy.decimalPair(), hours < 24 else {
            return nil
        }
        _ = copy.skip(":")
        guard let minutes = copy.decimalPair(), minutes < 60 else { return nil }
        cursor = copy
        let offset = Int64(hours * 60 + minutes) * 60_000_000
        return isAhead ? offset : -offset
    }
}
