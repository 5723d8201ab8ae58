/// Reads the text of a version from left to right.
struct VersionScanner {
    private let subject: FieldName
    private let text: [UInt8]
    private var offset = 0

    init(_ subject: FieldName, _ utf8: some Sequence<UInt8>) {
        self.subject = subject
        text = Array(utf8)
    }

    /// Letters and digits, at least one.
    mutating func board() throws(TextError) -> BoardCode {
        let start = offset
        while offset < text.count, Self.isLetter(text[offset]) || Self.isDigit(text[offset]) {
            offset += 1
        }
        guard 1...InlineBytes.capacity ~= offset - start else {
            throw TextError(subject, expected: "a board code of 1 to 16 characters", at: start)
        }
        return BoardCode(characters: InlineBytes(prefix: text[start..<offset]))
    }

    /// One to four digits.
    mutating func number() throws(TextError) -> InlineBytes {
        let start = offset
        while offset < text.count, Self.isDigit(text[offset]) { offset += 1 }
        guard 1...4 ~= offset - start else {
            throw TextError(subject, expected: "a number of 1 to 4 digits", at: start)
        }
        return InlineBytes(prefix: text[start..<offset])
    }

    /// Six digits.
    mutating func date() throws(TextError) -> InlineBytes {
        let start = offset
        while offset < text.count, Self.isDigit(text[offset]) { offset += 1 }
        guard offset - start == 6 else {
            throw TextError(subject, expected: "a date of 6 digits", at: start)
        }
        return InlineBytes(prefix: text[start..<offset])
    }

    /// One character.
    mutating func expect(_ character: Unicode.Scalar, _ words: FieldName) throws(TextError) {
        guard offset < text.count, UInt32(text[offset]) == character.value else {
            throw TextError(subject, expected: words, at: offset)
        }
        offset += 1
    }

    /// Nothing may be left.
    func finish() throws(TextError) {
        guard offset == text.count else {
            throw TextError(subject, expected: "the end", at: offset)
        }
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
            || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
    }

    /// The number that at most six digits spell.
    static func value(of digits: InlineBytes) -> Int {
        digits.reduce(0) { $0 * 10 + Int($1 &- UInt8(ascii: "0")) }
    }
}
