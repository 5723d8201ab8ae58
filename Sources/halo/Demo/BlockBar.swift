/// Bars of blocks, exact to the eighth of a character.
enum BlockBar {
    private static let rising = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    private static let growing = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"]

    /// The character of an upright bar in one row: rows are counted from the bottom.
    ///
    /// What is there at all is seen: a bar has an eighth at least, if its value is not 0.
    static func upright(_ value: Int, of most: Int, row: Int, rows: Int) -> String {
        guard value > 0, most > 0 else { return " " }
        let eighths = max(value * rows * 8 / most, 1)
        return rising[min(max(eighths - row * 8, 0), 8)]
    }

    /// A bar that lies, of at most so many characters.
    static func lying(_ value: Int, of most: Int, width: Int) -> String {
        guard value > 0, most > 0, width > 0 else { return "" }
        let eighths = max(min(value, most) * width * 8 / most, 1)
        return String(repeating: "█", count: eighths / 8) + growing[eighths % 8]
    }
}
