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
