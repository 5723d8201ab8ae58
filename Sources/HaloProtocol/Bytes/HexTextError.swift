/// Why text is not a run of bytes in hexadecimal.
public struct HexTextError: Error, Hashable, Sendable {
    /// What went wrong; a list that can grow.
    public struct Kind: Hashable, Sendable {
        let code: UInt8

        /// A character is neither a digit nor something that may stand between bytes.
        public static let notADigit = Kind(code: 0)
        /// A byte has only one digit.
        public static let halfAByte = Kind(code: 1)
    }

    /// What went wrong.
    public let kind: Kind
    /// Which character, counted in bytes of UTF-8 from 1.
    public let column: Int
    /// The byte of the text that was found there; nothing at the end of the text.
    public let found: UInt8?
}

extension HexTextError: CustomStringConvertible {
    /// One sentence.
    public var description: String {
        let found = found.map { PrintableText.quoted(CollectionOfOne($0)) } ?? "the end"
        return kind == .halfAByte
            ? "column \(column): a byte has two digits, found \(found) after the first."
            : "column \(column): expected a hexadecimal digit, found \(found)."
    }
}

extension HexTextError.Kind: CustomStringConvertible {
    /// What went wrong.
    public var description: String {
        self == .halfAByte ? "half a byte" : "no hexadecimal digit"
    }
}

extension HexText {
    /// The bytes that a text spells.
    ///
    /// Between bytes there may be white space, colons, hyphens and commas, and before a byte
    /// `0x` or `\x`; the two digits of a byte stand together.
    public static func parse(_ text: String) throws(HexTextError) -> [UInt8] {
        try parse(utf8: text.utf8)
    }

    /// The bytes that a text spells, given as its UTF-8.
    public static func parse(utf8: some Sequence<UInt8>) throws(HexTextError) -> [UInt8] {
        var bytes: [UInt8] = []
        var high: UInt8?
        var prefix: UInt8?
        var column = 0
        for character in utf8 {
            column += 1
            if let first = high {
                if first == 0 && (character | 0x20) == UInt8(ascii: "x") && prefix == nil {
                    high = nil
                    prefix = character
                    continue
                }
                guard let digit = value(ofDigit: character) else {
                    throw HexTextError(kind: .halfAByte, column: column, found: character)
                }
                bytes.append(first << 4 | digit)
                high = nil
                prefix = nil
            } else if let digit = value(ofDigit: character) {
                high = digit
            } else if character == UInt8(ascii: "\\") && prefix == nil {
                prefix = character
            } else if prefix == UInt8(ascii: "\\") && character == UInt8(ascii: "x") {
                prefix = character
            } else if !isSeparator(character) || prefix != nil {
                throw HexTextError(kind: .notADigit, column: column, found: character)
            }
        }
        guard high == nil, prefix == nil else {
            throw HexTextError(kind: .halfAByte, column: column + 1, found: nil)
        }
        return bytes
    }

    private static func isSeparator(_ character: UInt8) -> Bool {
        switch character {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: ":"), UInt8(ascii: "-"),
            UInt8(ascii: ","), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
            true
        default: false
        }
    }
}
