/// The version of a ring's circuit board, the text of the characteristic 2A27.
///
///     R02_V3.0                         board, V, major.minor
public struct HardwareVersion: Hashable, Sendable {
    public let board: BoardCode
    private let majorDigits: InlineBytes
    private let minorDigits: InlineBytes

    public init(parsing text: some StringProtocol) throws(TextError) {
        try self.init(parsing: text.utf8)
    }

    public init(parsing utf8: some Sequence<UInt8>) throws(TextError) {
        var scanner = VersionScanner("hardware version", utf8)
        board = try scanner.board()
        try scanner.expect("_", "an underscore")
        try scanner.expect("V", "a V")
        majorDigits = try scanner.number()
        try scanner.expect(".", "a dot")
        minorDigits = try scanner.number()
        try scanner.finish()
    }

    /// The major version.
    public var major: Int { VersionScanner.value(of: majorDigits) }
    /// The minor version.
    public var minor: Int { VersionScanner.value(of: minorDigits) }
}

extension HardwareVersion: CustomStringConvertible {
    /// The version as text.
    public var description: String {
        "\(board)_V\(PrintableText.escaped(majorDigits)).\(PrintableText.escaped(minorDigits))"
    }
}
