import HaloProtocol

/// Reads the times of a log's lines.
///
/// A date and a time without a zone are taken for UTC: which zone the recorder lived in stands
/// nowhere. A time without a date counts from the midnight before the log began, or from the
/// date that ``day`` was set to; where it falls by more than half a day, a day has begun.
struct TextClock: Sendable {
    /// Days since 1970 that times without a date are of.
    var day = 0
    /// The last time, in microseconds.
    private(set) var microseconds: Int64 = 0

    static let microsecondsPerDay: Int64 = 86_400_000_000

    /// Takes a time of day of the current day.
    mutating func set(timeOfDay: Int64) {
        let today = Int64(day) * Self.microsecondsPerDay
        var time = today + timeOfDay
        if time < microseconds - Self.microsecondsPerDay / 2 {
            day += 1
            time += Self.microsecondsPerDay
        }
        microseconds = time
    }

    /// Takes a time that has its day.
    mutating func set(_ time: Int64) {
        microseconds = time
    }

    /// A date, with hyphens between, as days since 1970.
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

    /// A time of day with or without a fraction, in microseconds.
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

    /// A fraction of a second in microseconds, with its point or comma.
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

    /// A zone, as microseconds that its clocks are ahead of UTC.
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

extension TextCursor {
    /// Two decimal digits, whatever follows.
    fileprivate mutating func decimalPair() -> Int? {
        var digits = TextCursor(rest.prefix(2))
        guard let value = digits.decimal(digits: 2) else { return nil }
        skipByte()
        skipByte()
        return value
    }
}
