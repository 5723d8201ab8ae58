/// Bytes as hexadecimal text, in capitals, as captures and documentation write them.
public enum HexText {
    /// Two digits.
    public static func byte(_ byte: UInt8) -> String {
        var text = ""
        append(byte, to: &text)
        return text
    }

    /// The bytes one after another, with `separator` between.
    public static func bytes(_ bytes: some Sequence<UInt8>, separator: String = "") -> String {
        var text = ""
        var isFirst = true
        for byte in bytes {
            if !isFirst { text += separator }
            isFirst = false
            append(byte, to: &text)
        }
        return text
    }

    /// The value of a hexadecimal digit, in either case; nothing for another character.
    public static func value(ofDigit digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit &- UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit &- UInt8(ascii: "a") &+ 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit &- UInt8(ascii: "A") &+ 10
        default: nil
        }
    }

    /// The digit of the low four bits.
    @inlinable
    package static func digit(_ nibble: UInt8) -> UInt8 {
        let nibble = nibble & 0x0F
        return nibble < 10 ? UInt8(ascii: "0") &+ nibble : UInt8(ascii: "A") &+ nibble &- 10
    }

    private static func append(_ byte: UInt8, to text: inout String) {
        text.unicodeScalars.append(Unicode.Scalar(digit(byte >> 4)))
        text.unicodeScalars.append(Unicode.Scalar(digit(byte & 0x0F)))
    }
}
