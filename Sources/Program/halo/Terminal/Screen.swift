/// The bytes that show one frame after another on a terminal.
///
/// The first frame clears the screen, and so does the first one of another size. Each further frame
/// writes only the lines that have changed, between the marks of a synchronized update: a terminal
/// that knows these shows all lines at once. Nothing is written for a frame that has not changed.
///
/// No line wraps. Each is cut to the columns, and autowrap is off for the case that the terminal
/// counts columns in another way.
struct Screen {
    private(set) var columns: Int
    private(set) var rows: Int
    let colours: Bool
    let glyphs: GlyphSet

    /// The lines that the terminal shows, or `nil` if it may show anything.
    private var shown: [StyledText]?

    init(columns: Int, rows: Int, colours: Bool, glyphs: GlyphSet) {
        (self.columns, self.rows) = (Self.bounded(columns), Self.bounded(rows))
        self.colours = colours
        self.glyphs = glyphs
    }

    /// Shows the alternate screen, hides the cursor, and switches autowrap off.
    static func enter() -> [UInt8] { Array("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l".utf8) }

    /// Returns the bytes that undo ``enter()`` in the reverse order. They also end a frame that was
    /// written in part, so that they can be written at any time.
    static func leave() -> [UInt8] {
        Array("\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l".utf8)
    }

    /// Sets the size of the terminal; the next frame is written as a whole.
    mutating func resize(columns: Int, rows: Int) {
        (self.columns, self.rows) = (Self.bounded(columns), Self.bounded(rows))
        invalidate()
    }

    private static func bounded(_ count: Int) -> Int { min(max(count, 0), TerminalSize.limit) }

    /// The next frame is written as a whole: something else has written to the terminal.
    mutating func invalidate() { shown = nil }

    /// Returns the bytes that show a frame, given as its lines from the top. Lines that the screen
    /// has no rows for are left out.
    mutating func draw(_ frame: [StyledText]) -> [UInt8] {
        guard columns > 0, rows > 0 else { return [] }
        let lines = Array(frame.prefix(rows))
        var text = ""
        if shown == nil { text += "\u{1B}[0m\u{1B}[H\u{1B}[2J" }
        let before = shown ?? []
        for index in 0..<max(lines.count, before.count) {
            let line = index < lines.count ? lines[index] : StyledText()
            let old = index < before.count ? before[index] : StyledText()
            guard line != old else { continue }
            text += "\u{1B}[\(index + 1);1H" + bytes(of: line)
        }
        shown = lines
        if text == "" { return [] }
        return Array("\u{1B}[?2026h\(text)\u{1B}[?2026l".utf8)
    }

    /// Returns a line with the sequence that erases what stood there before.
    ///
    /// After a character in the last column, the cursor of many terminals stays on it, and an
    /// erasure would take it away: before a full line the row is erased first.
    private func bytes(of line: StyledText) -> String {
        let line = line.plain(glyphs).truncated(toColumns: columns, glyphs: glyphs)
        let erase = "\u{1B}[K"
        let text = line.rendered(colours: colours)
        return line.columnCount < columns ? text + erase : erase + text
    }
}
