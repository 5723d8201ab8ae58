enum GlyphSet: CaseIterable {
    /// Everything, with Braille patterns for curves.
    case braille
    /// The 256 characters of code page 437, which each font of the Linux console has.
    case blocks
    case ascii

    /// - Parameters:
    ///   - term: The value of `TERM`, or empty text.
    ///   - locale: The first nonempty one of `LC_ALL`, `LC_CTYPE` and `LANG`, or empty text.
    static func supported(term: String, locale: String) -> GlyphSet {
        let locale = locale.lowercased()
        guard locale.contains("utf-8") || locale.contains("utf8") else { return .ascii }
        guard TerminalEnvironment.understandsSequences(term: term) else { return .ascii }
        return term == "linux" || term.hasPrefix("linux-") ? .blocks : .braille
    }

    var ellipsis: String { self == .braille ? "…" : "..." }
    /// The dash in place of an absent value.
    var dash: String { self == .braille ? "–" : "-" }

    var verticalLine: String { self == .ascii ? "|" : "│" }
    /// A labelled place of the vertical axis.
    var valueTick: String { self == .ascii ? "+" : "┤" }
    /// A labelled place below a chart, which points up.
    var timeTick: String {
        switch self {
        case .braille: "╵"
        case .blocks: "│"
        case .ascii: "'"
        }
    }

    /// The characters of this program's texts: in ASCII, and if code page 437 has them.
    private static let known: [Unicode.Scalar: (ascii: String, isInCodePage: Bool)] = [
        "–": ("-", false), "—": ("-", false), "−": ("-", false), "…": ("...", false),
        "·": ("|", true), "•": ("*", true), "♥": ("*", true), "❤": ("*", false),
        "→": ("->", true), "←": ("<-", true), "↑": ("^", true), "↓": ("v", true),
        "↔": ("<->", true), "┤": ("+", true), "├": ("+", true), "│": ("|", true),
        "─": ("-", true), "┌": ("+", true), "┐": ("+", true), "└": ("+", true),
        "┘": ("+", true), "╵": ("'", false), "━": ("=", false), "╸": ("-", false),
        "₂": ("2", false), "²": ("^2", true), "³": ("^3", false), "°": ("", true),
        "×": ("x", false), "÷": ("/", true), "±": ("+/-", true), "≤": ("<=", true),
        "≥": (">=", true), "≈": ("~", true), "µ": ("u", true), "½": ("1/2", true),
        "✓": ("+", false), "✗": ("x", false), "‘": ("'", false), "’": ("'", false),
        "“": ("\"", false), "”": ("\"", false), "″": ("\"", false), "′": ("'", false),
        "█": ("#", true), "▄": ("#", true), "▀": ("#", true), "▆": ("#", false),
        "\u{A0}": (" ", true), "\u{202F}": (" ", false), "\u{2009}": (" ", false),
    ]

    private static let missing = Set(known.filter { !$0.value.isInCodePage }.keys)

    /// Returns text in the characters of the set.
    ///
    /// In ASCII, a character without a known spelling becomes `?`. On the Linux console a
    /// character of this program that its fonts lack is spelled out, and all others stay: they may
    /// be letters of the font in use.
    func plain(_ text: String) -> String {
        switch self {
        case .braille: text
        case .blocks: spelled(text) { Self.missing.contains($0) }
        case .ascii: spelled(text) { !$0.isASCII }
        }
    }

    /// Returns text with a spelling for each grapheme that has a scalar which cannot be shown.
    private func spelled(_ text: String, _ isMissing: (Unicode.Scalar) -> Bool) -> String {
        guard text.unicodeScalars.contains(where: isMissing) else { return text }
        var result = ""
        for character in text {
            let scalars = character.unicodeScalars
            if !scalars.contains(where: isMissing) {
                result.append(character)
            } else if let first = scalars.first, scalars.count == 1 {
                result += Self.known[first]?.ascii ?? "?"
            } else {
                result += "?"
            }
        }
        return result
    }
}
