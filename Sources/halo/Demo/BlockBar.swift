/// Bars of the characters that a terminal has for them.
enum BlockBar {
    private static let rising = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// The character of an upright bar in one row, exact to the eighth of it: rows are counted from
    /// the bottom.
    ///
    /// What is there at all is seen: a bar has an eighth at least, if its value is not 0.
    static func upright(_ value: Int, of most: Int, row: Int, rows: Int) -> String {
        guard value > 0, most > 0 else { return " " }
        let eighths = max(value * rows * 8 / most, 1)
        return rising[min(max(eighths - row * 8, 0), 8)]
    }

    /// A thin bar that lies, of at most so many characters, exact to the half of one.
    static func lying(_ value: Int, of most: Int, width: Int) -> String {
        guard value > 0, most > 0, width > 0 else { return "" }
        let halves = max(min(value, most) * width * 2 / most, 1)
        return String(repeating: "━", count: halves / 2) + (halves % 2 == 0 ? "" : "╸")
    }
}
