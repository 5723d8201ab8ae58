/// The number of terminal columns of characters, as `wcwidth` of current terminals counts them.
///
/// Terminals differ for emoji sequences and for scripts that join letters. A picture that depends
/// on exact columns uses characters of one column only.
enum CharacterWidth {
    /// The scalars of two columns, as sorted ranges: East Asian Width W and F of Unicode 14.0.
    ///
    /// A range spans code points that were unassigned in that version if all assigned ones around
    /// them are wide: later versions fill these gaps with wide characters.
    private static let wide: [(first: UInt32, last: UInt32)] = [
        (0x1100, 0x115F), (0x231A, 0x231B), (0x2329, 0x232A), (0x23E9, 0x23EC),
        (0x23F0, 0x23F0), (0x23F3, 0x23F3), (0x25FD, 0x25FE), (0x2614, 0x2615),
        (0x2648, 0x2653), (0x267F, 0x267F), (0x2693, 0x2693), (0x26A1, 0x26A1),
        (0x26AA, 0x26AB), (0x26BD, 0x26BE), (0x26C4, 0x26C5), (0x26CE, 0x26CE),
        (0x26D4, 0x26D4), (0x26EA, 0x26EA), (0x26F2, 0x26F3), (0x26F5, 0x26F5),
        (0x26FA, 0x26FA), (0x26FD, 0x26FD), (0x2705, 0x2705), (0x270A, 0x270B),
        (0x2728, 0x2728), (0x274C, 0x274C), (0x274E, 0x274E), (0x2753, 0x2755),
        (0x2757, 0x2757), (0x2795, 0x2797), (0x27B0, 0x27B0), (0x27BF, 0x27BF),
        (0x2B1B, 0x2B1C), (0x2B50, 0x2B50), (0x2B55, 0x2B55), (0x2E80, 0x303E),
        (0x3041, 0x3247), (0x3250, 0x4DBF), (0x4E00, 0xA4C6), (0xA960, 0xA97C),
        (0xAC00, 0xD7A3), (0xF900, 0xFAFF), (0xFE10, 0xFE19), (0xFE30, 0xFE6B),
        (0xFF01, 0xFF60), (0xFFE0, 0xFFE6), (0x16FE0, 0x1B2FB), (0x1F004, 0x1F004),
        (0x1F0CF, 0x1F0CF), (0x1F18E, 0x1F18E), (0x1F191, 0x1F19A), (0x1F200, 0x1F320),
        (0x1F32D, 0x1F335), (0x1F337, 0x1F37C), (0x1F37E, 0x1F393), (0x1F3A0, 0x1F3CA),
        (0x1F3CF, 0x1F3D3), (0x1F3E0, 0x1F3F0), (0x1F3F4, 0x1F3F4), (0x1F3F8, 0x1F43E),
        (0x1F440, 0x1F440), (0x1F442, 0x1F4FC), (0x1F4FF, 0x1F53D), (0x1F54B, 0x1F54E),
        (0x1F550, 0x1F567), (0x1F57A, 0x1F57A), (0x1F595, 0x1F596), (0x1F5A4, 0x1F5A4),
        (0x1F5FB, 0x1F64F), (0x1F680, 0x1F6C5), (0x1F6CC, 0x1F6CC), (0x1F6D0, 0x1F6D2),
        (0x1F6D5, 0x1F6DF), (0x1F6EB, 0x1F6EC), (0x1F6F4, 0x1F6FC), (0x1F7E0, 0x1F7F0),
        (0x1F90C, 0x1F93A), (0x1F93C, 0x1F945), (0x1F947, 0x1F9FF), (0x1FA70, 0x1FAFF),
        (0x20000, 0x3FFFD),
    ]

    /// Returns `true` for a scalar of two columns; `false` also for combining ones.
    static func isWide(_ value: UInt32) -> Bool {
        var (low, high) = (0, wide.count)
        while low < high {
            let middle = (low + high) / 2
            if wide[middle].last < value {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low < wide.count && wide[low].first <= value
    }

    /// Returns `true` for the vowels and finals of Hangul, which join the wide letter before them.
    fileprivate static func joinsHangul(_ value: UInt32) -> Bool {
        0x1160...0x11FF ~= value || 0xD7B0...0xD7FF ~= value
    }

    /// Returns `true` for the format characters that are seen: the soft hyphen, which terminals
    /// show as a hyphen, and the signs before numbers of Arabic, Syriac and Kaithi.
    fileprivate static func isVisibleFormat(_ value: UInt32) -> Bool {
        switch value {
        case 0xAD, 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0x110BD, 0x110CD: true
        default: false
        }
    }
}

extension Unicode.Scalar {
    /// The number of terminal columns: 0 for a control character and for one that combines with
    /// the character before it, 2 for a wide one, else 1.
    var columnCount: Int {
        switch value {
        case 0..<0x20, 0x7F..<0xA0: return 0
        case 0x20..<0x300: return 1
        default: break
        }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .control, .lineSeparator, .paragraphSeparator,
            .surrogate:
            return 0
        case .format:
            return CharacterWidth.isVisibleFormat(value) ? 1 : 0
        default:
            if CharacterWidth.joinsHangul(value) { return 0 }
            return CharacterWidth.isWide(value) ? 2 : 1
        }
    }
}

extension Character {
    /// The number of terminal columns of a grapheme.
    ///
    /// An emoji sequence has two: one with variation selector 16, a skin tone or a zero-width
    /// joiner, and a flag. Any other grapheme has those of its scalars together.
    var columnCount: Int {
        let scalars = unicodeScalars
        guard let first = scalars.first else { return 0 }
        if scalars.index(after: scalars.startIndex) == scalars.endIndex { return first.columnCount }
        var columns = 0
        let isEmoji = first.properties.isEmoji
        for scalar in scalars {
            // The digits and `#` are emoji as well: they are the first scalars of keycaps.
            if isEmoji, scalar.value == 0xFE0F { return 2 }
            if isEmoji, first.value > 0xFF, scalar.value == 0x200D { return 2 }
            if isEmoji, scalar != first, scalar.properties.isEmojiModifier { return 2 }
            columns += scalar.columnCount
        }
        return columns
    }
}

extension StringProtocol {
    /// The number of terminal columns of the text.
    var columnCount: Int { simpleCount ?? reduce(0) { $0 + $1.columnCount } }

    /// The number of scalars, if each is one of ASCII or of a picture: these have one column, and
    /// combine with nothing. A fast path: finding graphemes takes most of the time of a frame.
    var simpleCount: Int? {
        var count = 0
        for scalar in unicodeScalars {
            switch scalar.value {
            case 0x20..<0x7F, 0x2500...0x25FC, 0x2800...0x28FF: count += 1
            default: return nil
            }
        }
        return count
    }
}

extension String {
    /// Returns the text with trailing spaces up to a number of columns.
    func padded(toColumns columns: Int) -> String {
        self + Self.spaces(columns, without: columnCount)
    }

    /// Returns the text with leading spaces up to a number of columns.
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
        guard columns > used else { return "" }
        return String(repeating: " ", count: Swift.min(columns, 10_000) - Swift.min(used, 10_000))
    }
}
