/// A picture of dots in a terminal: each character holds two by four of them.
struct BrailleCanvas {
    /// How many dots there are from left to right.
    let width: Int
    /// How many there are from top to bottom.
    let height: Int
    private var cells: [UInt8]
    private let columns: Int

    private static let bits: [[UInt8]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]
    private static let blank: UInt32 = 0x2800

    /// An empty picture of so many characters.
    init(columns: Int, rows: Int) {
        self.columns = max(columns, 1)
        width = self.columns * 2
        height = max(rows, 1) * 4
        cells = Array(repeating: 0, count: self.columns * max(rows, 1))
    }

    /// Draws a dot, counted from the top left; outside of the picture nothing is drawn.
    mutating func dot(_ x: Int, _ y: Int) {
        guard 0..<width ~= x, 0..<height ~= y else { return }
        cells[y / 4 * columns + x / 2] |= Self.bits[x % 2][y % 4]
    }

    /// The characters of one row.
    func row(_ index: Int) -> String {
        guard 0..<(height / 4) ~= index else { return "" }
        var text = ""
        for cell in cells[(index * columns)..<((index + 1) * columns)] {
            let scalar = cell == 0 ? " " : Unicode.Scalar(Self.blank + UInt32(cell)) ?? " "
            text.unicodeScalars.append(scalar)
        }
        return text
    }
}
