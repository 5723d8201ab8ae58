package enum ChartLine {
    /// A position in whole units from the top left.
    package typealias Point = (x: Int, y: Int)

    /// Draws a line through points, each part of it between two. Two that are farther apart than
    /// the widest gap are not joined: a value that is alone becomes a dot, a part from a point to
    /// itself.
    package static func draw(
        _ points: [Point], widestGap: Int, _ line: (_ first: Point, _ last: Point) -> Void
    ) {
        var previous: Point?
        var isAlone = false
        for point in points {
            if let last = previous, point.x >= last.x, point.x - last.x <= widestGap {
                line(last, point)
                isAlone = false
            } else {
                if isAlone, let previous { line(previous, previous) }
                isAlone = true
            }
            previous = point
        }
        if isAlone, let previous { line(previous, previous) }
    }
}
