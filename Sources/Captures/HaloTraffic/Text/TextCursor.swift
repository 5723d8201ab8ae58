import HaloProtocol

struct TextCursor {
    private(set) var rest: ArraySlice<UInt8>

    init(_ text: ArraySlice<UInt8>) {
        rest = text
    }

    var next: UInt8? { rest.first }

    mutating func skip(_ words: StaticString) -> Bool {
        guard starts(with: words) else { return false }
        rest = rest.dropFirst(words.utf8CodeUnitCount)
        return true
    }

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
