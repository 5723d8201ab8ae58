/// The version of a ring's firmware, the text of the characteristic 2A26.
///
///     R02_3.00.06_240523               board, major.minor.patch, day of the build
public struct FirmwareVersion: Hashable, Sendable, CustomStringConvertible {
    public let board: BoardCode
    public let major: Int
    public let minor: Int
    public let patch: Int
    /// The date of the build, or `nil` if the six digits are no date.
    public let buildDate: CivilDate?
    /// The version as text, with its leading zeros.
    private let text: String

    public init(parsing text: some StringProtocol) throws(TextError) {
        try self.init(parsing: text.utf8)
    }

    public init(parsing utf8: some Sequence<UInt8>) throws(TextError) {
        var scanner = VersionScanner("firmware version", utf8)
        board = try scanner.board()
        major = try scanner.number(after: "_", "an underscore")
        minor = try scanner.number(after: ".", "a dot")
        patch = try scanner.number(after: ".", "a dot")
        try scanner.expect("_", "an underscore")
        let date = try scanner.digits(6...6, "a date of 6 digits")
        buildDate = try? CivilDate(
            year: 2000 + date / 10_000, month: date / 100 % 100, day: date % 100)
        text = try scanner.finish()
    }

    /// The version as text.
    public var description: String { text }
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

    /// Parses one to four digits after a character.
    mutating func number(
        after character: Unicode.Scalar, _ words: FieldName
    ) throws(TextError) -> Int {
        try expect(character, words)
        return try digits(1...4, "a number of 1 to 4 digits")
    }

    mutating func digits(
        _ count: ClosedRange<Int>, _ words: FieldName
    ) throws(TextError) -> Int {
        let start = offset
        while offset < text.count, Self.isDigit(text[offset]) { offset += 1 }
        guard count ~= offset - start else {
            throw TextError(subject, expected: words, at: start)
        }
        return text[start..<offset].reduce(0) { $0 * 10 + Int($1 &- UInt8(ascii: "0")) }
    }

    mutating func expect(_ character: Unicode.Scalar, _ words: FieldName) throws(TextError) {
        guard offset < text.count, UInt32(text[offset]) == character.value else {
            throw TextError(subject, expected: words, at: offset)
        }
        offset += 1
    }

    /// Returns the text; throws if characters remain.
    func finish() throws(TextError) -> String {
        guard offset == text.count else {
            throw TextError(subject, expected: "the end", at: offset)
        }
        return String(decoding: text, as: UTF8.self)
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
            || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
    }
}
