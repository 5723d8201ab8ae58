/// Bars of characters.
enum BlockBar {
    /// Returns the character of a vertical bar in one row, in the finest steps that the glyph set
    /// has. Rows are counted from the bottom.
    ///
    /// A value above 0 has at least one step, so that it shows.
    static func vertical(
        _ value: Int, of most: Int, row: Int, rows: Int, glyphs: GlyphSet = .braille
    ) -> String {
        let steps = glyphs.risingBar
        let perRow = steps.count - 1
        guard value > 0, most > 0, rows > 0, row >= 0 else { return steps[0] }
        let filled = parts(value, of: most, in: Double(rows) * Double(perRow))
        let rest = filled - Double(row) * Double(perRow)
        return steps[Int(min(max(rest, 0), Double(perRow)))]
    }

    /// Returns a thin horizontal bar of at most `width` characters, in steps of a half.
    static func horizontal(
        _ value: Int, of most: Int, width: Int, glyphs: GlyphSet = .braille
    ) -> String {
        guard value > 0, most > 0, width > 0 else { return "" }
        let width = min(width, Canvas.limit.columns)
        let halves = Int(parts(min(value, most), of: most, in: Double(width) * 2))
        let full = String(repeating: glyphs.fullBar, count: halves / 2)
        return full + (halves % 2 == 0 ? "" : glyphs.halfBar)
    }

    /// Returns how many whole parts out of `total` a value fills, at least one.
    private static func parts(_ value: Int, of most: Int, in total: Double) -> Double {
        max((Double(value) * total / Double(most)).rounded(.down), 1)
    }
}
