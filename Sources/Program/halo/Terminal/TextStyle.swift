struct TextStyle: OptionSet, Hashable, Sendable {
    /// The emphasis and the named colours in the low byte; above it a mark and the three bytes of
    /// any other colour.
    let rawValue: UInt64

    static let strong = TextStyle(rawValue: 1 << 0)
    static let faint = TextStyle(rawValue: 1 << 1)
    static let red = TextStyle(rawValue: 1 << 2)
    static let green = TextStyle(rawValue: 1 << 3)
    static let yellow = TextStyle(rawValue: 1 << 4)
    static let blue = TextStyle(rawValue: 1 << 5)
    static let magenta = TextStyle(rawValue: 1 << 6)
    static let cyan = TextStyle(rawValue: 1 << 7)
    static let plain: TextStyle = []

    /// Any colour. Terminals that know fewer show the nearest one.
    static func light(red: UInt8, green: UInt8, blue: UInt8) -> TextStyle {
        let bytes = [1, red, green, blue].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return TextStyle(rawValue: bytes << 8)
    }

    /// The parameters of SGR, "select graphic rendition", in the order of the bits.
    private static let parameters = ["1", "2", "31", "32", "33", "34", "35", "36"]

    /// The escape sequence that begins the style; empty for plain text. Of several colours
    /// terminals show the last one.
    var escapeSequence: String {
        if isEmpty { return "" }
        var codes = Self.parameters.enumerated().filter { rawValue >> $0.offset & 1 == 1 }
            .map(\.element)
        if rawValue >> 32 & 1 == 1 {
            let parts = [24, 16, 8].map { String(rawValue >> $0 & 0xFF) }
            codes += ["38", "2"] + parts
        }
        return "\u{1B}[\(codes.joined(separator: ";"))m"
    }

    static let reset = "\u{1B}[0m"
}
