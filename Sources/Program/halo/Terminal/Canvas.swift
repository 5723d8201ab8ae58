/// A bitmap drawn with characters.
///
/// A character has two by four dots in Braille, and one by two in the other glyph sets.
struct Canvas {
    let columns: Int
    let rows: Int
    let glyphs: GlyphSet

    /// The dots of each character, a bit each: from top to bottom, then the second column.
    private var cells: [UInt8]

    /// The largest size in characters, so that no number from outside takes all memory.
    static let limit = (columns: 2000, rows: 1000)

    /// The bits of the dots as Braille patterns number them: the first column from top to bottom,
    /// then the second one.
    private static let braille: [UInt8] = [0x01, 0x02, 0x04, 0x40, 0x08, 0x10, 0x20, 0x80]
    private static let blank: UInt32 = 0x2800
    private static let halfBlocks: [Unicode.Scalar] = [" ", "▀", "▄", "█"]
    private static let points: [Unicode.Scalar] = [" ", "'", ".", ":"]

    /// An empty bitmap; its size is in characters.
    init(columns: Int, rows: Int, glyphs: GlyphSet = .braille) {
        self.columns = min(max(columns, 0), Self.limit.columns)
        self.rows = min(max(rows, 0), Self.limit.rows)
        self.glyphs = glyphs
        cells = Array(repeating: 0, count: self.columns * self.rows)
    }

    var width: Int { columns * glyphs.dotsPerColumn }
    var height: Int { rows * glyphs.dotsPerRow }

    /// Sets a dot, counted from the top left; one outside of the bitmap is ignored.
    mutating func set(_ x: Int, _ y: Int) {
        guard 0..<width ~= x, 0..<height ~= y else { return }
        let cell = y / glyphs.dotsPerRow * columns + x / glyphs.dotsPerColumn
        let bit = glyphs == .braille ? Self.braille[x % 2 * 4 + y % 4] : 1 << UInt8(y % 2)
        cells[cell] |= bit
    }

    /// Draws a line without gaps between two dots, each of which may lie outside of the bitmap.
    mutating func line(from first: (x: Int, y: Int), to last: (x: Int, y: Int)) {
        guard first.x <= last.x else { return line(from: last, to: first) }
        let (first, last) = (Self.bounded(first), Self.bounded(last))
        let steps = max(last.x - first.x, 1)
        func height(at x: Int) -> Int {
            first.y + (last.y - first.y) * (x - first.x) / steps
        }
        let end = min(last.x, width - 1)
        var x = max(first.x, 0)
        while x <= end {
            // From the height of the dot before, so that a steep line has no gaps.
            let (previous, next) = (height(at: max(x - 1, first.x)), height(at: x))
            // A line straight up has no dot before its only column.
            let other = first.x == last.x ? last.y : previous
            setColumn(x, min(other, next), max(other, next))
            x += 1
        }
    }

    private mutating func setColumn(_ x: Int, _ top: Int, _ bottom: Int) {
        var y = max(top, 0)
        while y <= min(bottom, height - 1) {
            set(x, y)
            y += 1
        }
    }

    /// Moves a dot so near that products of distances fit into an `Int`.
    private static func bounded(_ dot: (x: Int, y: Int)) -> (x: Int, y: Int) {
        let far = 1_000_000_000
        return (min(max(dot.x, -far), far), min(max(dot.y, -far), far))
    }

    /// Returns the characters of one row; empty text for a row outside of the bitmap.
    func row(_ index: Int) -> String {
        guard 0..<rows ~= index else { return "" }
        var scalars = String.UnicodeScalarView()
        for cell in cells[(index * columns)..<((index + 1) * columns)] {
            scalars.append(scalar(cell))
        }
        return String(scalars)
    }

    private func scalar(_ cell: UInt8) -> Unicode.Scalar {
        switch glyphs {
        case .braille where cell == 0: " "
        case .braille: Unicode.Scalar(Self.blank + UInt32(cell)) ?? " "
        case .blocks: Self.halfBlocks[Int(cell & 3)]
        case .ascii: Self.points[Int(cell & 3)]
        }
    }
}

extension GlyphSet {
    var dotsPerColumn: Int { self == .braille ? 2 : 1 }
    var dotsPerRow: Int { self == .braille ? 4 : 2 }
}
