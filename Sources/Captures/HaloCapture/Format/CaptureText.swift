internal import HaloProtocol

/// Text for one line of a capture.
public struct CaptureText: Hashable, Sendable {
    /// The text: no control characters but tabs, and no white space at its end.
    public let text: String

    /// The maximum length in bytes of UTF-8.
    package static let maximumLength = CaptureReader.Limits.standard.lineLength - 2

    /// Creates a text. Control characters become spaces, and a text that is too long is cut.
    public init(_ text: String) {
        let (space, tab) = (UInt8(ascii: " "), UInt8(ascii: "\t"))
        let utf8 = Array(text.utf8.prefix(Self.maximumLength + 1))
        var bytes = StrictUTF8.beginning(of: utf8, length: Self.maximumLength)
            .map { Self.isAllowed($0) ? $0 : space }
        while let last = bytes.last, last == space || last == tab { bytes.removeLast() }
        self.text = String(decoding: bytes, as: UTF8.self)
    }

    /// `false` for a control character, which is one byte of UTF-8.
    static func isAllowed(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\t") || (byte >= 0x20 && byte != 0x7F)
    }

    /// The tag of a comment: the word of `word: text`; `nil` if there is none.
    package var tag: String? { tagEnd.map { String(text[..<$0]) } }

    /// The text behind the tag of a comment; `nil` if there is no tag.
    package var tagged: String? {
        guard let tagEnd else { return nil }
        let rest = text[text.index(after: tagEnd)...]
        return String(rest.drop { $0 == " " || $0 == "\t" })
    }

    private var tagEnd: String.Index? {
        guard let colon = text.firstIndex(of: ":"), colon > text.startIndex else { return nil }
        return text[..<colon].allSatisfy { ("a"..."z").contains($0) } ? colon : nil
    }
}

extension CaptureText: ExpressibleByStringLiteral, CustomStringConvertible {
    /// Creates a text from a literal.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// The text.
    public var description: String { text }
}

/// The endings of tags: if connections have names, a tag of one of them ends with its name: `on
/// left`.
extension CaptureText {
    private static let linkWord = " on "

    /// Returns the end of a tag of a connection; empty for `nil`.
    package static func ending(_ link: CaptureName?) -> String {
        link.map { "\(linkWord)\($0)" } ?? ""
    }

    /// Splits a tag's value into the value without its ending, and the connection in the ending;
    /// `nil` if there is no such ending. The name of a device may have the same form.
    static func split(_ tagged: String) -> (value: String, link: CaptureName)? {
        let bytes = Array(tagged.utf8)
        let word = Array(linkWord.utf8)
        guard let space = bytes.lastIndex(of: UInt8(ascii: " ")), space + 1 >= word.count,
            bytes[(space + 1 - word.count)...space].elementsEqual(word),
            let link = try? CaptureName(String(decoding: bytes[(space + 1)...], as: UTF8.self))
        else { return nil }
        return (String(decoding: bytes[..<(space + 1 - word.count)], as: UTF8.self), link)
    }

    /// Returns words of a device or a person, safe for a comment that is shown in a terminal: text
    /// with unprintable characters is escaped.
    package static func harmless(_ text: String) -> String {
        PrintableText.isPrintable(text) ? text : PrintableText.escaped(text.utf8)
    }
}
