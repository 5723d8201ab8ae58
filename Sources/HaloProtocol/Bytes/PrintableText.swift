/// Text from a device, made safe for a terminal, a log or a capture.
@usableFromInline
package enum PrintableText {
    /// Returns the text with quotes, backslashes and all but printable ASCII as `\xNN`.
    @usableFromInline
    package static func escaped(_ utf8: some Sequence<UInt8>) -> String {
        var text = ""
        for byte in utf8 {
            let isPlain =
                (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\\")
                && byte != UInt8(ascii: "\"")
            if isPlain {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "\\x" + HexText.byte(byte)
            }
        }
        return text
    }

    /// Returns the escaped text in quotes.
    @usableFromInline
    package static func quoted(_ utf8: some Sequence<UInt8>) -> String {
        "\"\(escaped(utf8))\""
    }
}

/// Validation of UTF-8 by the Unicode standard.
enum StrictUTF8 {
    /// Returns the offset of the first byte that is not valid UTF-8, or `nil`.
    ///
    /// A character that is cut off is reported at the end of the bytes.
    static func firstFault(in bytes: some Sequence<UInt8>) -> Int? {
        var offset = 0
        var due = 0
        var allowed: ClosedRange<UInt8> = 0x80...0xBF
        for byte in bytes {
            if due > 0 {
                guard allowed.contains(byte) else { return offset }
                due -= 1
                allowed = 0x80...0xBF
            } else if byte >= 0x80 {
                guard let lead = Lead(byte) else { return offset }
                due = lead.followers
                allowed = lead.first
            }
            offset += 1
        }
        return due > 0 ? offset : nil
    }

    /// The first byte of a character beyond ASCII.
    private struct Lead {
        let followers: Int
        /// The valid range of the second byte: it excludes overlong forms, surrogates, and
        /// numbers beyond the last character.
        let first: ClosedRange<UInt8>

        init?(_ byte: UInt8) {
            switch byte {
            case 0xC2...0xDF: (followers, first) = (1, 0x80...0xBF)
            case 0xE0: (followers, first) = (2, 0xA0...0xBF)
            case 0xED: (followers, first) = (2, 0x80...0x9F)
            case 0xE1...0xEF: (followers, first) = (2, 0x80...0xBF)
            case 0xF0: (followers, first) = (3, 0x90...0xBF)
            case 0xF1...0xF3: (followers, first) = (3, 0x80...0xBF)
            case 0xF4: (followers, first) = (3, 0x80...0x8F)
            default: return nil
            }
        }
    }
}

/// Decimal numbers as text, with a fixed number of digits.
enum DecimalText {
    /// Returns at least two digits, with a leading zero if needed.
    static func two(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }

    /// Returns a number of tenths as a decimal fraction.
    static func tenths(_ number: Int) -> String {
        fraction(number, digits: 1)
    }

    /// Returns a number of hundredths as a decimal fraction.
    static func hundredths(_ number: Int) -> String {
        fraction(number, digits: 2)
    }

    private static func fraction(_ number: Int, digits: Int) -> String {
        let unit = digits == 1 ? 10 : 100
        let magnitude = number < 0 ? 0 &- number : number
        let rest = magnitude % unit
        let padded = digits == 2 ? two(rest) : "\(rest)"
        return "\(number < 0 ? "-" : "")\(magnitude / unit).\(padded)"
    }
}

/// A parsing error of text, such as a UUID or a version.
public struct TextError: Error, Hashable, Sendable {
    /// The kind of text that was expected, such as `UUID`.
    public let subject: FieldName
    /// The text that was expected at the offset.
    public let expected: FieldName
    /// The offset of the error in bytes of UTF-8.
    public let offset: Int

    package init(_ subject: FieldName, expected: FieldName, at offset: Int) {
        self.subject = subject
        self.expected = expected
        self.offset = offset
    }
}

extension TextError: CustomStringConvertible {
    /// The error in one sentence.
    public var description: String { "\(subject) at character \(offset): expected \(expected)." }
}
