/// Marks as the data of an SVG path: whole numbers, and relative commands. Marks may lie outside of
/// the picture.
///
/// All marks of one path have one style: its attributes are written once.
struct SVGPath {
    typealias Point = ChartLine.Point

    /// The units from left to right.
    let width: Int
    /// The characters of the attribute `d`.
    private(set) var data: [UInt8] = []
    /// The current point of the path, or `nil` before the first one.
    private var pen: Point?
    /// The command that a number alone would repeat.
    private var command: UInt8 = 0

    /// The farthest coordinate, so that no sum of two overflows.
    private static let farthest = 100_000

    init(width: Int) { self.width = width }

    /// Draws a line between two points; a dot if they are the same.
    mutating func line(from first: Point, to last: Point) {
        let (first, last) = (Self.bounded(first), Self.bounded(last))
        let isDot = first == last
        if pen.map({ $0 != first }) ?? true { move(to: first) } else if isDot { return }
        // A line of no length shows as a dot, because strokes have round ends.
        if isDot { return append("h", 0) }
        lineTo(last)
    }

    /// Fills a rectangle with rounded corners of at most a radius.
    ///
    /// - Parameter isTopOnly: `true` for round corners at the top only, as of a bar that stands on
    ///   its axis.
    mutating func fill(
        x: Range<Int>, y: Range<Int>, radius: Int = 0, isTopOnly: Bool = false
    ) {
        let (start, end) = (
            Self.bounded((x.lowerBound, y.lowerBound)), Self.bounded((x.upperBound, y.upperBound))
        )
        let (wide, high) = (end.x - start.x, end.y - start.y)
        guard wide > 0, high > 0 else { return }
        let top = max(min(radius, wide / 2, isTopOnly ? high : high / 2), 0)
        let bottom = isTopOnly ? 0 : top
        move(to: (start.x, end.y - bottom))
        append("v", top + bottom - high)
        corner(0, -top, top, -top)
        append("h", wide - 2 * top)
        corner(top, 0, top, top)
        append("v", high - top - bottom)
        corner(0, bottom, -bottom, bottom)
        // The rest of the outline closes by itself, as it is filled.
        if bottom > 0 {
            append("h", 2 * bottom - wide)
            corner(-bottom, 0, -bottom, -bottom)
        }
        pen = bottom > 0 ? (start.x, end.y - bottom) : (end.x, end.y)
    }

    // MARK: Marks

    /// Draws bars that stand on the bottom; a value above the bottom is at least one unit high.
    mutating func drawBars(_ bars: [(x: Range<Int>, top: Int)], bottom: Int, radius: Int) {
        for bar in bars where bar.top < bottom {
            fill(x: bar.x, y: bar.top..<bottom, radius: radius, isTopOnly: true)
        }
    }

    /// Draws the ranges between two values, at least as high as wide, with round ends.
    mutating func drawRanges(_ ranges: [(x: Range<Int>, top: Int, bottom: Int)]) {
        for range in ranges {
            let missing = max(range.x.count - (range.bottom - range.top), 0)
            let top = range.top - missing / 2
            let bottom = max(range.bottom + missing - missing / 2, top + 1)
            fill(x: range.x, y: top..<bottom, radius: range.x.count / 2)
        }
    }

    // MARK: Commands

    private mutating func move(to point: Point) {
        if let pen {
            append("m", point.x - pen.x, point.y - pen.y)
        } else {
            append("M", point.x, point.y)
        }
        pen = point
    }

    private mutating func lineTo(_ point: Point) {
        let from = pen ?? point
        let (dx, dy) = (point.x - from.x, point.y - from.y)
        if dy == 0 {
            append("h", dx)
        } else if dx == 0 {
            append("v", dy)
        } else {
            append("l", dx, dy)
        }
        pen = point
    }

    private mutating func corner(_ controlX: Int, _ controlY: Int, _ x: Int, _ y: Int) {
        if x != 0 || y != 0 { append("q", controlX, controlY, x, y) }
    }

    private mutating func append(_ letter: Unicode.Scalar, _ numbers: Int...) {
        let letter = UInt8(ascii: letter)
        // A move is never repeated: it begins a line, or an outline.
        let repeats = letter == command
        if !repeats { data.append(letter) }
        for (index, number) in numbers.enumerated() {
            if number >= 0, index > 0 || repeats { data.append(UInt8(ascii: " ")) }
            data.append(contentsOf: String(number).utf8)
        }
        command = letter
    }

    private static func bounded(_ point: Point) -> Point {
        (min(max(point.x, -farthest), farthest), min(max(point.y, -farthest), farthest))
    }
}
