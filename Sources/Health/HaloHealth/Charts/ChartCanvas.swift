/// A surface for marks, in whole units from the top left. Marks may lie outside of it.
package protocol ChartCanvas {
    /// A position in units.
    typealias Point = (x: Int, y: Int)

    /// The units from left to right.
    var width: Int { get }
    /// The units from top to bottom.
    var height: Int { get }

    /// Draws a line between two points; a dot if they are the same.
    mutating func line(from first: Point, to last: Point)
    /// Fills a rectangle. A canvas without curves ignores the corners.
    mutating func fill(x: Range<Int>, y: Range<Int>, corners: ChartCorners)
}

/// The corners of a rectangle.
package enum ChartCorners: Equatable, Sendable {
    /// Four right angles.
    case square
    /// Four rounded corners of at most a radius.
    case round(Int)
    /// Rounded corners at the top only, as of a bar that stands on its axis.
    case top(Int)
}

// MARK: Marks

extension ChartCanvas {
    /// Draws a line through points. Two that are farther apart than the widest gap are not joined:
    /// a value that is alone becomes a dot.
    package mutating func drawLine(_ points: [Point], widestGap: Int) {
        var previous: Point?
        var isAlone = false
        for point in points {
            if let last = previous, point.x >= last.x, point.x - last.x <= widestGap {
                line(from: last, to: point)
                isAlone = false
            } else {
                if isAlone, let previous { line(from: previous, to: previous) }
                isAlone = true
            }
            previous = point
        }
        if isAlone, let previous { line(from: previous, to: previous) }
    }

    /// Draws each point as a dot.
    package mutating func drawDots(_ points: [Point]) {
        for point in points { line(from: point, to: point) }
    }

    /// Draws bars that stand on the bottom; a value above the bottom is at least one unit high.
    package mutating func drawBars(
        _ bars: [(x: Range<Int>, top: Int)], bottom: Int, radius: Int
    ) {
        for bar in bars where bar.top < bottom {
            fill(x: bar.x, y: bar.top..<bottom, corners: .top(radius))
        }
    }

    /// Draws the ranges between two values, at least as high as wide, with round ends.
    package mutating func drawRanges(
        _ ranges: [(x: Range<Int>, top: Int, bottom: Int)]
    ) {
        for range in ranges {
            let missing = max(range.x.count - (range.bottom - range.top), 0)
            let top = range.top - missing / 2
            let bottom = max(range.bottom + missing - missing / 2, top + 1)
            fill(x: range.x, y: top..<bottom, corners: .round(range.x.count / 2))
        }
    }

    /// Draws a band from the top down to a row.
    package mutating func drawBand(_ x: Range<Int>, bottom: Int) {
        if bottom > 0 { fill(x: x, y: 0..<bottom, corners: .square) }
    }

    /// Draws the steps of one row of a hypnogram.
    package mutating func drawSteps(_ steps: [Range<Int>], y: Range<Int>, radius: Int) {
        for step in steps { fill(x: step, y: y, corners: .round(radius)) }
    }
}
