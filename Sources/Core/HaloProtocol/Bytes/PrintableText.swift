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

    @usableFromInline
    package static func quoted(_ utf8: some Sequence<UInt8>) -> String {
        "\"\(escaped(utf8))\""
    }
}

#if !hasFeature(Embedded)
/// Text that may have any character, for a reader who has to see all of it.
///
/// *Unprintable* are control characters, line ends, characters that change the direction of
/// writing, and all that are not shown at all: Unicode's default-ignorable code points, among them
/// the fillers of Hangul, joiners, tags and variation selectors, and the empty Braille pattern. The
/// variation selector of an emoji right before it is printable.
extension PrintableText {
    /// Calls a function for each scalar of a text, in order.
    package static func forEachScalar(
        of text: String, _ body: (_ scalar: Unicode.Scalar, _ isPrintable: Bool) -> Void
    ) {
        var last: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            let isStyle = 0xFE0E...0xFE0F ~= scalar.value && last?.isPicture == true
            body(scalar, isStyle || scalar.isPrintable)
            last = scalar
        }
    }

    /// Returns `true` if each scalar of a text is printable.
    package static func isPrintable(_ text: String) -> Bool {
        // Most text is ASCII.
        if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return true }
        var isPrintable = true
        forEachScalar(of: text) { isPrintable = isPrintable && $1 }
        return isPrintable
    }

    /// Returns a text with a substitute for each unprintable scalar; by default U+FFFD.
    package static func printable(
        _ text: String, substitute: Unicode.Scalar = "\u{FFFD}"
    ) -> String {
        if isPrintable(text) { return text }
        var scalars = String.UnicodeScalarView()
        forEachScalar(of: text) { scalars.append($1 ? $0 : substitute) }
        return String(scalars)
    }

    /// Appends a scalar as JSON escapes it: two escapes of a surrogate pair beyond 16 bits.
    package static func appendJSONEscape(_ scalar: Unicode.Scalar, to text: inout String) {
        for unit in UTF16.encode(scalar) ?? .init() {
            let digits = String(unit, radix: 16)
            text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isPrintable: Bool {
        if isASCII { return 0x20..<0x7F ~= value }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return false
        default: return !properties.isDefaultIgnorableCodePoint && value != 0x2800
        }
    }

    /// `true` for an emoji that is no digit or sign of ASCII.
    fileprivate var isPicture: Bool { !isASCII && properties.isEmoji }
}
#endif
