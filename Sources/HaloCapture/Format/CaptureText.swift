public import HaloProtocol

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

/// A short name in a capture: of a connection, or of a characteristic.
public struct CaptureName: Hashable, Sendable {
    /// A lower-case letter, then lower-case letters, digits and dashes.
    public let text: String

    /// How many characters it may have.
    public static let maximumLength = 32

    /// A name of 1 to 32 characters.
    public init(_ text: String) throws(ValueError) {
        try self.init(Array(text.utf8)[...])
    }

    init(_ characters: ArraySlice<UInt8>) throws(ValueError) {
        guard (1...Self.maximumLength).contains(characters.count) else {
            throw ValueError(
                "length", allowed: 1...Int64(Self.maximumLength), found: Int64(characters.count))
        }
        for (index, character) in characters.enumerated() {
            let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(character)
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character)
            guard isLetter || index > 0 && (isDigit || character == UInt8(ascii: "-")) else {
                throw ValueError(
                    "character", allowed: Int64(UInt8(ascii: "a"))...Int64(UInt8(ascii: "z")),
                    found: Int64(character))
            }
        }
        text = String(decoding: characters, as: UTF8.self)
    }

    /// Whether it could be taken for a UUID.
    var looksLikeUUID: Bool { (try? BluetoothUUID(parsing: text)) != nil }
}

extension CaptureName: CustomStringConvertible {
    /// The name.
    public var description: String { text }
}

/// Where connections have names, a tag ends with the one that it holds for: `on left`.
extension CaptureText {
    private static let linkWord = " on "

    /// What stands behind the value of a tag that holds for a connection.
    package static func ending(_ link: CaptureName?) -> String {
        link.map { "\(linkWord)\($0)" } ?? ""
    }

    /// A tag's value without its ending, and the connection that the ending names: nothing if it
    /// does not end like that. What a device is called can end so, too.
    static func split(_ tagged: String) -> (value: String, link: CaptureName)? {
        let bytes = Array(tagged.utf8)
        let word = Array(linkWord.utf8)
        guard let space = bytes.lastIndex(of: UInt8(ascii: " ")), space + 1 >= word.count,
            bytes[(space + 1 - word.count)...space].elementsEqual(word),
            let link = try? CaptureName(String(decoding: bytes[(space + 1)...], as: UTF8.self))
        else { return nil }
        return (String(decoding: bytes[..<(space + 1 - word.count)], as: UTF8.self), link)
    }
}

extension Unicode.Scalar {
    /// Whether it can change how a terminal shows what stands around it: control characters, those
    /// that turn the direction of writing or cannot be seen, and ends of lines.
    package var isSteering: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

extension CaptureText {
    /// The words of a device or a person, as they may stand in a comment: whoever looks at a file
    /// in a terminal is to see them, and nothing else. Characters that steer one are escaped, with
    /// all others that are not plain.
    package static func harmless(_ text: String) -> String {
        text.unicodeScalars.contains { $0.isSteering }
            ? PrintableText.escaped(text.utf8) : text
    }
}
