/// Text that fits on one line of a capture.
public struct CaptureText: Hashable, Sendable {
    /// The text: no control characters but tabs, no white space at its end.
    public let text: String

    /// How many bytes of UTF-8 it may have.
    public static let maximumLength = CaptureReader.Limits.standard.lineLength - 2

    /// The given text; control characters become spaces, what does not fit is left out.
    public init(_ text: String) {
        var clean = ""
        var length = 0
        for scalar in text.unicodeScalars {
            let scalar = Self.isAllowed(scalar) ? scalar : " "
            length += UTF8.width(scalar)
            guard length <= Self.maximumLength else { break }
            clean.unicodeScalars.append(scalar)
        }
        var rest = clean.unicodeScalars[...]
        while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
        self.text = String(rest)
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\t" || (scalar.value >= 0x20 && scalar.value != 0x7F)
    }
}

extension CaptureText {
    /// A comment's tag, `word: text`: the word.
    public var tag: String? { tagEnd.map { String(text[..<$0]) } }

    /// What stands behind a comment's tag.
    public var tagged: String? {
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
    /// The text of a literal.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// The text.
    public var description: String { text }
}
