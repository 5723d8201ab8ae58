/// The version of a ring's firmware, the text of the characteristic 2A26.
///
///     R02_3.00.06_240523               board, major.minor.patch, day of the build
///
/// Leading zeros are kept, so that the description is the text that was parsed.
public struct FirmwareVersion: Hashable, Sendable {
    public let board: BoardCode
    private let majorDigits: InlineBytes
    private let minorDigits: InlineBytes
    private let patchDigits: InlineBytes
    private let dateDigits: InlineBytes

    public init(parsing text: some StringProtocol) throws(TextError) {
        try self.init(parsing: text.utf8)
    }

    public init(parsing utf8: some Sequence<UInt8>) throws(TextError) {
        var scanner = VersionScanner("firmware version", utf8)
        board = try scanner.board()
        try scanner.expect("_", "an underscore")
        majorDigits = try scanner.number()
        try scanner.expect(".", "a dot")
        minorDigits = try scanner.number()
        try scanner.expect(".", "a dot")
        patchDigits = try scanner.number()
        try scanner.expect("_", "an underscore")
        dateDigits = try scanner.date()
        try scanner.finish()
    }

    /// The major version.
    public var major: Int { VersionScanner.value(of: majorDigits) }
    /// The minor version.
    public var minor: Int { VersionScanner.value(of: minorDigits) }
    /// The patch version.
    public var patch: Int { VersionScanner.value(of: patchDigits) }

    /// The date of the build, or `nil` if the six digits are no date.
    public var buildDate: CivilDate? {
        let number = VersionScanner.value(of: dateDigits)
        return try? CivilDate(
            year: 2000 + number / 10_000, month: number / 100 % 100, day: number % 100)
    }
}

extension FirmwareVersion: CustomStringConvertible {
    /// The version as text.
    public var description: String {
        let numbers = [majorDigits, minorDigits, patchDigits].map { PrintableText.escaped($0) }
        return "\(board)_\(numbers.joined(separator: "."))_\(PrintableText.escaped(dateDigits))"
    }
}

struct VersionScanner {
    private let subject: FieldName
    private let text: [UInt8]
    private var offset = 0

    init(_ subject: FieldName, _ utf8: some Sequence<UInt8>) {
        self.subject = subject
        text = Array(utf8)
    }

    /// Parses one to sixteen letters and digits.
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

    /// Parses one to four digits.
    mutating func number() throws(TextError) -> InlineBytes {
        try digits(1...4, "a number of 1 to 4 digits")
    }

    /// Parses six digits.
    mutating func date() throws(TextError) -> InlineBytes {
        try digits(6...6, "a date of 6 digits")
    }

    private mutating func digits(
        _ count: ClosedRange<Int>, _ words: FieldName
    ) throws(TextError) -> InlineBytes {
        let start = offset
        while offset < text.count, Self.isDigit(text[offset]) { offset += 1 }
        guard count ~= offset - start else {
            throw TextError(subject, expected: words, at: start)
        }
        return InlineBytes(prefix: text[start..<offset])
    }

    mutating func expect(_ character: Unicode.Scalar, _ words: FieldName) throws(TextError) {
        guard offset < text.count, UInt32(text[offset]) == character.value else {
            throw TextError(subject, expected: words, at: offset)
        }
        offset += 1
    }

    /// Throws if characters remain.
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

    /// Returns the number in at most six digits.
    static func value(of digits: InlineBytes) -> Int {
        digits.reduce(0) { $0 * 10 + Int($1 &- UInt8(ascii: "0")) }
    }
}
