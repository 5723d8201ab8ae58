import HaloProtocol

/// A reader of words and numbers from a line of text.
struct TextCursor {
    /// The rest of the line.
    private(set) var rest: ArraySlice<UInt8>

    init(_ text: ArraySlice<UInt8>) {
        rest = text
    }

    /// The next byte.
    var next: UInt8? { rest.first }

    /// Skips the words if they come next. Returns `true` if they were skipped.
    mutating func skip(_ words: StaticString) -> Bool {
        guard starts(with: words) else { return false }
        rest = rest.dropFirst(words.utf8CodeUnitCount)
        return true
    }

    /// `true` if the words come next.
    func starts(with words: StaticString) -> Bool {
        words.withUTF8Buffer { rest.starts(with: $0) }
    }

    /// Skips everything up to the end of the words, if they occur. Returns `true` if they were
    /// skipped.
    mutating func skip(past words: StaticString) -> Bool {
        guard let first = words.withUTF8Buffer({ $0.first }) else { return true }
        var cursor = self
        while let start = cursor.rest.firstIndex(of: first) {
            cursor.rest = cursor.rest[start...]
            if cursor.skip(words) {
                self = cursor
                return true
            }
            cursor.rest = cursor.rest.dropFirst()
        }
        return false
    }

    /// Skips spaces and tabs.
    mutating func skipSpaces() {
        rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }

    /// Skips the next byte.
    mutating func skipByte() {
        rest = rest.dropFirst()
    }

    /// Reads a decimal number without a sign, of up to eighteen digits.
    mutating func decimal() -> Int? {
        let digits = rest.prefix { Self.isDigit($0) }
        guard (1...18).contains(digits.count) else { return nil }
        rest = rest.dropFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// Reads a decimal number of exactly `count` digits.
    mutating func decimal(digits count: Int) -> Int? {
        let digits = rest.prefix { Self.isDigit($0) }
        return digits.count == count ? decimal() : nil
    }

    /// Reads a hexadecimal number of up to sixteen digits. Returns it with the number of digits.
    mutating func hexadecimal() -> (value: UInt64, digits: Int)? {
        let digits = rest.prefix { HexText.value(ofDigit: $0) != nil }
        guard (1...16).contains(digits.count) else { return nil }
        rest = rest.dropFirst(digits.count)
        let value = digits.reduce(UInt64(0)) {
            $0 << 4 | UInt64(HexText.value(ofDigit: $1) ?? 0)
        }
        return (value, digits.count)
    }

    /// Reads a byte of two hexadecimal digits.
    mutating func byte() -> UInt8? {
        let digits = rest.prefix(2)
        guard let first = digits.first, let last = digits.last, digits.count == 2,
            let high = HexText.value(ofDigit: first), let low = HexText.value(ofDigit: last)
        else { return nil }
        rest = rest.dropFirst(2)
        return high << 4 | low
    }

    /// Reads two decimal digits; others may follow.
    mutating func decimalPair() -> Int? {
        var digits = TextCursor(rest.prefix(2))
        guard let value = digits.decimal(digits: 2) else { return nil }
        rest = rest.dropFirst(2)
        return value
    }

    /// `true` if the words occur in the rest of the line.
    func contains(_ words: StaticString) -> Bool {
        var copy = self
        return copy.skip(past: words)
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// `true` if a letter, a digit or an underscore comes next.
    var isInWord: Bool { next.map(Self.isPartOfWord) ?? false }

    static func isPartOfWord(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "_")
    }

    static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}

/// The clock of a log, set by the times of its lines.
///
/// A date and a time without a zone are treated as UTC, since the log does not have the recorder's
/// zone. A time without a date counts from the midnight before the log began, or from the date that
/// ``day`` was set to; where it decreases by more than half a day, a new day begins.
struct TextClock: Sendable {
    /// The day of times without a date, in days since 1970.
    var day = 0
    /// The last time, in microseconds.
    private(set) var microseconds: Int64 = 0

    static let microsecondsPerDay: Int64 = 86_400_000_000

    /// Sets the clock to a time of the current day.
    mutating func set(timeOfDay: Int64) {
        let today = Int64(day) * Self.microsecondsPerDay
        var time = today + timeOfDay
        if time < microseconds - Self.microsecondsPerDay / 2 {
            day += 1
            time += Self.microsecondsPerDay
        }
        microseconds = time
    }

    /// Sets the clock to a time with its day.
    mutating func set(_ time: Int64) {
        microseconds = time
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
