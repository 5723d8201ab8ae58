import HaloHealth

/// A chart of a value over the last seconds, as lines of text.
///
/// The top line has the title and the latest value. Below it stands the curve with labels at the
/// left, and at the bottom the time axis. A terminal that is too small gets the top line only.
///
/// Memory is bounded: time is divided into ``slotCount`` slots of the window, and of each the chart
/// keeps the first, the last, the least and the greatest value.
struct LiveChart {
    struct Quantity: Hashable, Sendable {
        var title: String
        /// The unit after the latest value; may be empty.
        var unit: String
        /// The decimals of the latest value, from 0 to 4.
        var decimals = 0
        /// The least difference between the limits of the scale.
        var minimumSpan: Double
        /// The value below which the scale does not reach, unless a value does.
        var lowerBound: Double?
        /// The value above which the scale does not reach, unless a value does.
        var upperBound: Double?
    }

    private struct Slot {
        let index: Double
        /// `true` if a line leads from the slot before to this one.
        let isJoined: Bool
        let start: Double
        var end: Double
        let first: Double
        var last: Double
        var least: Double
        var most: Double

        init(_ value: Double, at time: Double, index: Double, isJoined: Bool) {
            (self.index, self.isJoined) = (index, isJoined)
            (start, end) = (time, time)
            (first, last, least, most) = (value, value, value, value)
        }

        mutating func add(_ value: Double, at time: Double) {
            (end, last) = (time, value)
            (least, most) = (min(least, value), max(most, value))
        }
    }

    let quantity: Quantity
    let windowSeconds: Double
    /// The longest time between two values that are joined by a line, in seconds.
    let longestJoin: Double

    /// The time at the right edge, or `nil` before the first one.
    private(set) var now: Double?
    /// The latest value, or `nil` before the first one and in a gap.
    private(set) var latest: Double?
    private(set) var scale: ChartScale
    private var slots: [Slot] = []

    /// The slots of a window: more than the dots in a row of any common terminal.
    static let slotCount = 2048
    /// The smallest size with a curve; anything smaller gets the top line only.
    static let smallest = (columns: 20, rows: 5)
    /// The time for which values are kept, in windows: the column of dots at the left edge begins
    /// before the window does. The widest column is an eighth of the window.
    private static let keptWindows = 1.125
    /// A time farther from 0 is ignored.
    private static let farthestTime = 1e12

    init(_ quantity: Quantity, windowSeconds: Double, longestJoin: Double = .infinity) {
        self.quantity = quantity
        self.windowSeconds = windowSeconds
        self.longestJoin = longestJoin
        let least = quantity.lowerBound ?? 0
        scale = ChartScale(
            least: least, most: least, minimumSpan: quantity.minimumSpan,
            lowerBound: quantity.lowerBound, upperBound: quantity.upperBound)
    }

    var storedCount: Int { slots.count }

    /// Adds a value at a time in seconds of any clock that does not go back. `nil`, an infinite
    /// value and one that is no number begin a gap. A time before the latest one is ignored.
    mutating func append(_ value: Double?, at time: Double) {
        guard isNext(time) else { return }
        if let value, value.isFinite {
            add(ChartScale.bounded(value), at: time)
        } else {
            breakLine()
        }
        advance(to: time)
    }

    /// Begins a gap: no line leads to the next value. A gap within one slot of time does not show.
    mutating func breakLine() { latest = nil }

    /// Moves the right edge of the chart to a time, so that the curve moves on without new values.
    /// A time before the latest one is ignored.
    mutating func advance(to time: Double) {
        guard isNext(time) else { return }
        now = time
        // One more is kept: its line to the next one crosses the left edge.
        let old = slots.prefix { $0.end < time - windowSeconds * Self.keptWindows }.count
        slots.removeFirst(max(old - 1, 0))
        guard let range = visibleRange else { return }
        scale.fit(
            least: range.lowerBound, most: range.upperBound, minimumSpan: quantity.minimumSpan,
            lowerBound: quantity.lowerBound, upperBound: quantity.upperBound)
    }

    private func isNext(_ time: Double) -> Bool {
        abs(time) <= Self.farthestTime && time >= now ?? time
    }

    /// The least and the greatest value that the chart shows, or `nil` without values.
    var visibleRange: ClosedRange<Double>? {
        guard let now else { return nil }
        var range: ClosedRange<Double>?
        for slot in slots where slot.end >= now - windowSeconds {
            let (least, most) = (range?.lowerBound ?? slot.least, range?.upperBound ?? slot.most)
            range = min(least, slot.least)...max(most, slot.most)
        }
        return range
    }

    private mutating func add(_ value: Double, at time: Double) {
        let index = (time / windowSeconds * Double(Self.slotCount)).rounded(.down)
        if let last = slots.last, last.index == index {
            slots[slots.count - 1].add(value, at: time)
        } else {
            slots.append(Slot(value, at: time, index: index, isJoined: latest != nil))
        }
        latest = value
    }

    /// Returns the lines of the chart: as many as the rows, or one if there are fewer than
    /// ``smallest``, or none without any room. A picture has at most the size that a ``Canvas`` can
    /// have.
    ///
    /// - Parameter style: The style of a value: of the latest one, and of each row of the curve by
    ///   the value at the middle of the row.
    func lines(
        columns: Int, rows: Int, glyphs: GlyphSet, style: (Double) -> TextStyle
    ) -> [StyledText] {
        guard columns > 0, rows > 0 else { return [] }
        let columns = min(columns, Canvas.limit.columns)
        let title = titleLine(columns: columns, glyphs: glyphs, style: style)
        guard columns >= Self.smallest.columns, rows >= Self.smallest.rows else { return [title] }
        let plotRows = min(rows, Canvas.limit.rows) - 2
        let dotsPerRow = glyphs.dotsPerRow
        var labels: [Int: String] = [:]
        for (row, value) in scale.ticks(rows: plotRows, dotsPerRow: dotsPerRow) {
            labels[row] = ChartNumber.text(value, decimals: scale.decimals)
        }
        let margin = labels.values.map(\.columnCount).max() ?? 0
        // A label of a huge number does not leave a chart without columns.
        let labelColumns = min(margin, columns / 2)
        let plotColumns = columns - labelColumns - 1
        var canvas = Canvas(columns: plotColumns, rows: plotRows, glyphs: glyphs)
        drawCurve(on: &canvas)
        var lines = [title]
        for row in 0..<plotRows {
            let label = labels[row] ?? ""
            let axis = labels[row] == nil ? glyphs.verticalLine : glyphs.valueTick
            var line = StyledText(
                label.truncated(toColumns: labelColumns, glyphs: glyphs)
                    .rightAligned(toColumns: labelColumns) + axis, .faint)
            let middle = Double(row * dotsPerRow) + Double(dotsPerRow - 1) / 2
            let value = scale.value(atDot: middle, height: canvas.height)
            line.append(canvas.row(row).withoutTrailingSpaces, style(value))
            lines.append(line)
        }
        let blank = "".padded(toColumns: labelColumns + 1)
        lines.append(
            StyledText(blank + timeAxis(columns: plotColumns, glyphs: glyphs), .faint))
        return lines
    }

    private func titleLine(
        columns: Int, glyphs: GlyphSet, style: (Double) -> TextStyle
    ) -> StyledText {
        let unit = quantity.unit == "" ? "" : " " + quantity.unit
        let number = latest.flatMap { ChartNumber.text($0, decimals: quantity.decimals) }
        let value = StyledText(
            glyphs.plain((number ?? glyphs.dash) + unit), latest.map(style) ?? .faint)
        let title = StyledText(glyphs.plain(quantity.title), .strong)
        let gap = StyledText(title.isEmpty ? "" : "  ")
        let line = title + gap + value
        // The value is more important than its name.
        guard line.columnCount <= columns else {
            let room = columns - value.columnCount - gap.columnCount
            guard room >= 4 else { return value.truncated(toColumns: columns, glyphs: glyphs) }
            return title.truncated(toColumns: room, glyphs: glyphs) + gap + value
        }
        guard let range = visibleRange,
            let least = ChartNumber.text(range.lowerBound, decimals: quantity.decimals),
            let most = ChartNumber.text(range.upperBound, decimals: quantity.decimals)
        else { return line }
        let text = StyledText("\(least)\(glyphs.dash)\(most)\(glyphs.plain(unit))", .faint)
        let room = columns - line.columnCount
        guard text.columnCount + 2 <= room else { return line }
        return line + text.rightAligned(toColumns: room)
    }

    /// Draws the values. The curve moves in whole columns of dots: positions are counted from a
    /// column that does not depend on the current time, so that its form stays as it moves.
    private func drawCurve(on canvas: inout Canvas) {
        guard let now else { return }
        let secondsPerDot = windowSeconds / Double(canvas.width - 1)
        let right = (now / secondsPerDot).rounded(.down)
        let (width, height) = (canvas.width, canvas.height)
        func dot(_ time: Double, _ value: Double) -> (x: Int, y: Int) {
            let distance = right - (time / secondsPerDot).rounded(.down)
            // The one value left of the window may be as far away as it likes.
            let x = width - 1 - Int(min(distance, 1e9))
            return (x, scale.dot(of: value, height: height))
        }
        var previous: Slot?
        for slot in slots {
            let first = dot(slot.start, slot.first)
            if let previous, slot.isJoined, slot.start - previous.end <= longestJoin {
                canvas.line(from: dot(previous.end, previous.last), to: first)
            }
            canvas.line(from: dot(slot.start, slot.least), to: dot(slot.start, slot.most))
            canvas.line(from: first, to: dot(slot.end, slot.last))
            previous = slot
        }
    }

    private func timeAxis(columns: Int, glyphs: GlyphSet) -> String {
        let tick = glyphs.timeTick
        let end = "now" + tick
        let last = columns - end.columnCount
        // A label and the space after it have twelve columns.
        let least = 12 * windowSeconds / Double(columns - 1)
        let step =
            TimeScale.step(window: windowSeconds, atLeast: least) ?? Int(windowSeconds)
        var text = ""
        let longest = Int(windowSeconds) / step * step
        var seconds = longest
        while seconds > 0 {
            let part = Double(seconds) / windowSeconds
            let column = columns - 1 - Int((part * Double(columns - 1)).rounded())
            let duration = ChartNumber.duration(seconds: seconds, step: step, longest: longest)
            let label = "\(tick)-\(duration)"
            let isFree = text == "" || column > text.columnCount
            if isFree, column + label.columnCount < last {
                text = text.padded(toColumns: column) + label
            }
            seconds -= step
        }
        return text.padded(toColumns: last) + end
    }
}

// The benchmark of charts compiles this folder without the package's access to `TextColumns`.
extension String {
    fileprivate var withoutTrailingSpaces: String {
        guard let last = utf8.lastIndex(where: { $0 != UInt8(ascii: " ") }) else { return "" }
        return String(self[...last])
    }
}
