/// The version of a ring's firmware, as the characteristic 2A26 has it.
///
///     R02_3.00.06_240523               board, major.minor.patch, day of the build
///
/// The text is kept to the digit, so that a version is written as it was read.
public struct FirmwareVersion: Hashable, Sendable {
    /// The board that the firmware is for.
    public let board: BoardCode
    private let majorDigits: InlineBytes
    private let minorDigits: InlineBytes
    private let patchDigits: InlineBytes
    private let dateDigits: InlineBytes

    /// A version from its text.
    public init(parsing text: some StringProtocol) throws(TextError) {
        try self.init(parsing: text.utf8)
    }

    /// A version from its text as bytes.
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

    /// The first number.
    public var major: Int { VersionScanner.value(of: majorDigits) }
    /// The second number.
    public var minor: Int { VersionScanner.value(of: minorDigits) }
    /// The third number.
    public var patch: Int { VersionScanner.value(of: patchDigits) }

    /// The day of the build; nothing if the six digits are no day.
    public var buildDate: CivilDate? {
        let number = VersionScanner.value(of: dateDigits)
        return try? CivilDate(
            year: 2000 + number / 10_000, month: number / 100 % 100, day: number % 100)
    }
}

extension FirmwareVersion: CustomStringConvertible {
    /// The text.
    public var description: String {
        let numbers = [majorDigits, minorDigits, patchDigits].map { PrintableText.escaped($0) }
        return "\(board)_\(numbers.joined(separator: "."))_\(PrintableText.escaped(dateDigits))"
    }
}
