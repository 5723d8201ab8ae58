/// Text from a device, made safe for a terminal, a log or a capture.
public enum PrintableText {
    /// The text with everything but printable ASCII written as `\xNN`, quote and backslash too.
    public static func escaped(_ utf8: some Sequence<UInt8>) -> String {
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

    /// The text between quotes, escaped.
    public static func quoted(_ utf8: some Sequence<UInt8>) -> String {
        "\"\(escaped(utf8))\""
    }
}
