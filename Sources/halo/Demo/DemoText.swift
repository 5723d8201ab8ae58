import HaloProtocol

/// Numbers, dates and times as the demonstration prints them.
enum DemoText {
    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// A number with a comma between thousands.
    static func grouped(_ number: Int) -> String {
        var digits = Array(String(number.magnitude))
        var index = digits.count - 3
        while index > 0 {
            digits.insert(",", at: index)
            index -= 3
        }
        return (number < 0 ? "-" : "") + String(digits)
    }

    /// A date as `Mon 05 Jan`.
    static func day(_ date: CivilDate) -> String {
        // 1970-01-01 was a Thursday.
        let weekday = weekdays[(Int(date.daysSince1970) + 3) % 7]
        return "\(weekday) \(two(date.day)) \(months[(date.month - 1) % 12])"
    }

    /// A time of day as `07:05`.
    static func clock(_ time: CivilDateTime) -> String {
        "\(two(time.time.hour)):\(two(time.time.minute))"
    }

    /// A duration as `7 h 05`.
    static func hours(_ minutes: Int) -> String { "\(minutes / 60) h \(two(minutes % 60))" }

    /// The least and the greatest value as `54–61`, one number if they are equal, or `nil` without
    /// values.
    static func range(_ values: [Int]) -> String? {
        guard let least = values.min(), let most = values.max() else { return nil }
        return least == most ? "\(least)" : "\(least)–\(most)"
    }

    /// A whole number of tenths, as a decimal number.
    static func tenths(_ number: Int) -> String {
        "\(number < 0 ? "-" : "")\(number.magnitude / 10).\(number.magnitude % 10)"
    }

    private static func two(_ number: Int) -> String { "\(number)".rightAligned(2, filler: "0") }
}

/// Bars of block characters.
enum BlockBar {
    private static let rising = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// The character of a vertical bar in one row, in steps of an eighth. Rows are counted from
    /// the bottom.
    ///
    /// A value above 0 has at least an eighth, so that it shows.
    static func vertical(_ value: Int, of most: Int, row: Int, rows: Int) -> String {
        guard value > 0, most > 0 else { return " " }
        let eighths = max(value * rows * 8 / most, 1)
        return rising[min(max(eighths - row * 8, 0), 8)]
    }

    /// A thin horizontal bar of at most `width` characters, in steps of a half.
    static func horizontal(_ value: Int, of most: Int, width: Int) -> String {
        guard value > 0, most > 0, width > 0 else { return "" }
        let halves = max(min(value, most) * width * 2 / most, 1)
        return String(repeating: "━", count: halves / 2) + (halves % 2 == 0 ? "" : "╸")
    }
}

/// A bitmap of Braille characters, each of which has two by four dots.
struct BrailleCanvas {
    /// The dots from left to right.
    let width: Int
    /// The dots from top to bottom.
    let height: Int
    private var cells: [UInt8]
    private let columns: Int

    private static let bits: [[UInt8]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]
    private static let blank: UInt32 = 0x2800

    /// An empty bitmap; its size is in characters.
    init(columns: Int, rows: Int) {
        self.columns = max(columns, 1)
        width = self.columns * 2
        height = max(rows, 1) * 4
        cells = Array(repeating: 0, count: self.columns * max(rows, 1))
    }

    /// Sets a dot, counted from the top left; one outside of the bitmap is ignored.
    mutating func set(_ x: Int, _ y: Int) {
        guard 0..<width ~= x, 0..<height ~= y else { return }
        cells[y / 4 * columns + x / 2] |= Self.bits[x % 2][y % 4]
    }

    /// Draws a line without gaps to a dot that is not left of the first one.
    mutating func line(from first: (x: Int, y: Int), to last: (x: Int, y: Int)) {
        let steps = max(last.x - first.x, 1)
        var y = first.y
        for step in 0...max(last.x - first.x, 0) {
            let next = first.y + (last.y - first.y) * step / steps
            for dot in min(y, next)...max(y, next) { set(first.x + step, dot) }
            y = next
        }
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
