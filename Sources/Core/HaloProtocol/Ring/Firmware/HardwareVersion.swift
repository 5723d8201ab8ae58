/// The version of a ring's circuit board, the text of the characteristic 2A27.
///
///     R02_V3.0                         board, V, major.minor
public struct HardwareVersion: Hashable, Sendable, CustomStringConvertible {
    public let board: BoardCode
    public let major: Int
    public let minor: Int
    /// The version as text, with its leading zeros.
    private let text: String

    public init(parsing text: some StringProtocol) throws(TextError) {
        try self.init(parsing: text.utf8)
    }

    public init(parsing utf8: some Sequence<UInt8>) throws(TextError) {
        var scanner = VersionScanner("hardware version", utf8)
        board = try scanner.board()
        try scanner.expect("_", "an underscore")
        major = try scanner.number(after: "V", "a V")
        minor = try scanner.number(after: ".", "a dot")
        text = try scanner.finish()
    }

    /// The version as text.
    public var description: String { text }
}
