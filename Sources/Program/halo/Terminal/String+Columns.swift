/// The number of terminal columns of characters, as most terminals count them.
///
/// Terminals differ for emoji sequences and for scripts that join letters. A picture that depends
/// on exact columns uses characters of one column only.
extension Unicode.Scalar {
    /// `true` for a letter of two columns: Hangul, Han, kana and fullwidth forms.
    private var isWide: Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4C6, 0xA960...0xA97C,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
            0x16FE0...0x1B2FB, 0x20000...0x3FFFD:
            true
        default: properties.isEmojiPresentation
        }
    }

    /// The number of terminal columns: 0 for a control character and for one that combines with
    /// the character before it, 2 for a wide one, else 1.
    fileprivate var columnCount: Int {
        switch value {
        case 0x20..<0x7F, 0xA0..<0x300: return 1
        default: break
        }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .control, .format, .lineSeparator,
            .paragraphSeparator:
            return 0
        default: return isWide ? 2 : 1
        }
    }
}

extension Character {
    /// The number of terminal columns of a grapheme: those of its first scalar, or two for an emoji
    /// that a variation selector or a skin tone makes wide.
    var columnCount: Int {
        guard let first = unicodeScalars.first else { return 0 }
        let isEmoji = unicodeScalars.dropFirst().contains {
            $0.value == 0xFE0F || $0.properties.isEmojiModifier
        }
        return isEmoji ? 2 : first.columnCount
    }
}

extension StringProtocol {
    var columnCount: Int { simpleCount ?? reduce(0) { $0 + $1.columnCount } }

    /// The number of scalars, if each is one of ASCII or of a picture: these have one column, and
    /// combine with nothing. A fast path: finding graphemes takes most of the time of a frame.
    var simpleCount: Int? {
        var count = 0
        for scalar in unicodeScalars {
            switch scalar.value {
            case 0x20..<0x7F, 0x2500...0x25FC, 0x2801...0x28FF: count += 1
            default: return nil
            }
        }
        return count
    }
}

extension String {
    func padded(toColumns columns: Int) -> String {
        self + Self.spaces(columns, without: columnCount)
    }

    func rightAligned(toColumns columns: Int) -> String {
        Self.spaces(columns, without: columnCount) + self
    }

    /// Returns the text, or as much of its beginning as fits into a number of columns together
    /// with an ellipsis. A grapheme is never cut.
    func truncated(toColumns columns: Int, glyphs: GlyphSet = .braille) -> String {
        if columnCount <= columns { return self }
        let ellipsis = glyphs.ellipsis.prefix(columns: columns)
        return prefix(columns: columns - ellipsis.columnCount) + ellipsis
    }

    /// Returns the longest beginning of whole graphemes that has at most a number of columns.
    func prefix(columns: Int) -> String {
        guard columns > 0 else { return "" }
        var used = 0
        var end = startIndex
        for index in indices {
            used += self[index].columnCount
            if used > columns { break }
            end = self.index(after: index)
        }
        return String(self[..<end])
    }

    /// Returns the spaces that fill a number of columns; at most ten thousand, because no terminal
    /// has more.
    private static func spaces(_ columns: Int, without used: Int) -> String {
        String(repeating: " ", count: Swift.max(Swift.min(columns, 10_000), used) - used)
    }
}
