/// Bytes as hexadecimal text in capitals.
public enum HexText {
    /// Returns the two digits of a byte.
    public static func byte(_ byte: UInt8) -> String {
        bytes(CollectionOfOne(byte))
    }

    /// Returns the digits of all bytes, with `separator` between bytes.
    public static func bytes(_ bytes: some Sequence<UInt8>, separator: String = "") -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.underestimatedCount * (2 + separator.utf8.count))
        var isFirst = true
        for byte in bytes {
            if !isFirst { text.append(contentsOf: separator.utf8) }
            isFirst = false
            text.append(digit(byte >> 4))
            text.append(digit(byte))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the value of a hexadecimal digit, in either case, or `nil`.
    package static func value(ofDigit digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit &- UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit &- UInt8(ascii: "a") &+ 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit &- UInt8(ascii: "A") &+ 10
        default: nil
        }
    }

    /// Returns the digit of the low four bits.
    @inlinable
    package static func digit(_ nibble: UInt8) -> UInt8 {
        let nibble = nibble & 0x0F
        return nibble < 10 ? UInt8(ascii: "0") &+ nibble : UInt8(ascii: "A") &+ nibble &- 10
    }

    /// Parses hexadecimal text.
    ///
    /// White space, colons, hyphens and commas may separate bytes, and `0x` or `\x` may precede
    /// them; the two digits of a byte are adjacent.
    public static func parse(_ text: String) throws(HexTextError) -> [UInt8] {
        try parse(utf8: text.utf8)
    }

    /// Parses hexadecimal text in UTF-8.
    package static func parse(utf8: some Sequence<UInt8>) throws(HexTextError) -> [UInt8] {
        let result = utf8.withContiguousStorageIfAvailable { buffer in
            Result { () throws(HexTextError) in unsafe try parse(buffer.span) }
        }
        if let result { return try result.get() }
        let copy = ContiguousArray(utf8)
        return try parse(copy.span)
    }

    private static func parse(_ utf8: Span<UInt8>) throws(HexTextError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity((utf8.count + 1) / 2)
        var high: UInt8?
        var prefix: UInt8?
        var column = 0
        for index in utf8.indices {
            let character = utf8[index]
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
            } else if prefix == UInt8(ascii: "\\") && character == UInt8(ascii: "x") {
                prefix = character
            } else if prefix != UInt8(ascii: "\\"), let digit = value(ofDigit: character) {
                high = digit
            } else if character == UInt8(ascii: "\\") && prefix == nil {
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
