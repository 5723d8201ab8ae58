enum HexLineTime {
    /// Reads the time and the punctuation around it, if the line begins with a time.
    ///
    /// Returns `true` if it begins with one.
    @discardableResult
    static func read(_ cursor: inout TextCursor, _ clock: inout TextClock) -> Bool {
        var start = cursor
        start.skipSpaces()
        if start.starts(with: "{") {
            let keys: [StaticString] = ["\"ts\":", "\"time\":", "\"timestamp\":", "\"t\":"]
            for key in keys {
                var value = start
                guard value.skip(past: key) else { continue }
                value.skipSpaces()
                _ = value.skip("\"")
                return time(&value, &clock)
            }
            return false
        }
        // The mark of an event in the traces of thebabush/junk.
        _ = start.skip("! ")
        skipLevel(&start)
        _ = start.skip("[") || start.skip("(")
        start.skipSpaces()
        guard time(&start, &clock) else { return false }
        _ = start.skip("]") || start.skip(")")
        _ = start.skip(":") || start.skip(",")
        start.skipSpaces()
        cursor = start
        return true
    }

    private static func skipLevel(_ cursor: inout TextCursor) {
        var copy = cursor
        guard let letter = copy.next, TextCursor.isLetter(letter) else { return }
        copy.skipByte()
        guard copy.next == UInt8(ascii: "\t") || copy.next == UInt8(ascii: " ") else { return }
        copy.skipSpaces()
        guard let digit = copy.next, TextCursor.isDigit(digit) else { return }
        cursor = copy
    }

    private static func time(_ cursor: inout TextCursor, _ clock: inout TextClock) -> Bool {
        if let date = TextClock.date(&cursor) {
            _ = cursor.skip("T") || cursor.skip(" ") || cursor.skip(", ")
            cursor.skipSpaces()
            guard let time = TextClock.timeOfDay(&cursor) else { return false }
            let zone = TextClock.zone(&cursor) ?? 0
            clock.set(day: date, timeOfDay: time - zone)
            return true
        }
        skipYearlessDate(&cursor)
        if let time = TextClock.timeOfDay(&cursor) {
            clock.set(timeOfDay: time)
            return true
        }
        return seconds(&cursor, &clock)
    }

    private static func skipYearlessDate(_ cursor: inout TextCursor) {
        var copy = cursor
        guard copy.decimal(digits: 2) != nil, copy.skip("-") || copy.skip("/"),
            copy.decimal(digits: 2) != nil
        else { return }
        if copy.skip("/"), copy.decimal(digits: 4) == nil { return }
        guard copy.skip(" ") else { return }
        copy.skipSpaces()
        cursor = copy
    }

    /// Reads seconds since 1970 with a fraction.
    static func readSeconds(_ cursor: inout TextCursor, _ clock: inout TextClock) {
        guard let seconds = cursor.decimal(), seconds < 1 << 40 else { return }
        clock.microseconds = Int64(seconds) * 1_000_000 + (TextClock.fraction(&cursor) ?? 0)
    }

    /// Reads seconds, milliseconds or microseconds since 1970, or seconds since the log began.
    private static func seconds(_ cursor: inout TextCursor, _ clock: inout TextClock) -> Bool {
        var copy = cursor
        let digits = copy.rest.prefix { TextCursor.isDigit($0) }.count
        guard let number = copy.decimal() else { return false }
        let fraction = TextClock.fraction(&copy)
        guard let next = copy.next, " \t]),;:".utf8.contains(next) else { return false }
        switch (digits, fraction) {
        case (10, _), (1...7, .some):
            clock.microseconds = Int64(number) * 1_000_000 + (fraction ?? 0)
        case (13, nil):
            clock.microseconds = Int64(number) * 1000
        case (16, nil):
            clock.microseconds = Int64(number)
        default:
            return false
        }
        cursor = copy
        return true
    }

    /// The date at the end of a line without a time, as in `nRF Connect, 2025-10-22`.
    static func dateAtEnd(_ line: ArraySlice<UInt8>) -> Int? {
        guard line.count > 11 else { return nil }
        var cursor = TextCursor(line.suffix(12))
        guard cursor.skip(", "), let date = TextClock.date(&cursor), cursor.next == nil else {
            return nil
        }
        return date
    }
}
