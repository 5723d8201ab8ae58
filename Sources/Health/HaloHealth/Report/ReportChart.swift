internal import HaloDevices

/// A chart of a page: an `svg` element with axes, marks, and values on hover.
///
/// Its units are half a pixel on a desk, so that whole numbers are fine enough.
struct ReportChart {
    /// The sizes of charts, in units.
    enum Size {
        case half
        case third

        var width: Int { self == .half ? 960 : 640 }
        var height: Int { self == .half ? 300 : 230 }
    }

    private let size: Size
    private var marks: HTMLText = ""

    /// The margins of the plot: at the right for the values, below for the times.
    private static let rightMargin = 104
    private static let bottomMargin = 40
    private static let topMargin = 14
    /// The least distance of labels of a time axis.
    private static let labelDistance = 132

    init(_ size: Size) { self.size = size }

    var plotWidth: Int { size.width - Self.rightMargin }
    /// The first row below the plot.
    var plotBottom: Int { size.height - Self.bottomMargin }
    var plotHeight: Int { plotBottom - Self.topMargin }

    /// A path over the whole picture.
    var path: SVGPath { SVGPath(width: plotWidth) }

    func y(_ value: Double, _ scale: ChartScale) -> Int {
        Self.topMargin + scale.dot(of: value, height: plotHeight + 1)
    }

    // MARK: Parts

    /// Adds a path in a style of the style sheet; nothing if it is empty.
    mutating func add(_ path: SVGPath, _ style: String) {
        if !path.data.isEmpty { marks += "<path class=\"\(style)\" d=\"\(path)\"/>" }
    }

    mutating func addBars(
        _ values: [Double?], _ scale: ChartScale, width: Int, radius: Int, _ style: String = "b"
    ) {
        var path = path
        let bars = values.enumerated().compactMap { index, value in
            value.map { (bar(index, of: values.count, width: width), y($0, scale)) }
        }
        path.drawBars(bars, bottom: plotBottom, radius: radius)
        add(path, style)
    }

    mutating func addRanges(
        _ ranges: [ClosedRange<Double>?], _ scale: ChartScale, width: Int, _ style: String
    ) {
        var path = path
        for (index, range) in ranges.enumerated() {
            guard let range else { continue }
            let x = bar(index, of: ranges.count, width: width)
            path.drawRanges([(x, y(range.upperBound, scale), y(range.lowerBound, scale))])
        }
        add(path, style)
    }

    mutating func addDots(_ points: [SVGPath.Point], _ style: String = "d") {
        var path = path
        for point in points { path.line(from: point, to: point) }
        add(path, style)
    }

    private mutating func label(_ text: String, x: Int, y: Int, anchor: String) {
        marks += "<text class=\"\(anchor)\" x=\"\(x)\" y=\"\(y)\">\(text)</text>"
    }

    /// Adds lines at round values, with labels at the right.
    mutating func addValueAxis(_ scale: ChartScale, unit: String = "") {
        let values = scale.values(atMost: size == .half ? 5 : 4)
        var grid = path
        for value in values {
            let y = y(value, scale)
            grid.line(from: (0, y), to: (plotWidth, y))
            let number = ChartNumber.text(value, decimals: scale.decimals) ?? ""
            label(
                (scale.decimals == 0 ? ReportText.grouped(digits: number) : number) + unit,
                x: size.width, y: y + 8, anchor: "e")
        }
        add(grid, "g")
    }

    /// Adds the names of rows at the right, from the top.
    mutating func addRows(_ names: [String]) {
        for (index, name) in names.enumerated() {
            let row = row(index, of: names.count)
            let middle = (row.lowerBound + row.upperBound) / 2
            label(name, x: size.width, y: middle + 8, anchor: "e")
        }
    }

    /// The bars of a row, of some rows of equal height.
    func row(_ index: Int, of count: Int) -> Range<Int> {
        let height = plotHeight / max(count, 1)
        let top = Self.topMargin + index * height
        return top + height / 5..<top + height - height / 5
    }

    mutating func addTimeAxis(_ time: TimeScale) {
        let window = Double(time.seconds)
        let least = window * Double(Self.labelDistance) / Double(plotWidth)
        guard let step = TimeScale.step(window: window, atLeast: max(least, 3600)) else { return }
        var grid = path
        for tick in time.ticks(every: step) {
            let x = time.position(of: tick, width: plotWidth)
            grid.line(from: (x, plotBottom), to: (x, plotBottom + 8))
            // Labels at the edges stay inside.
            let anchor = x < 32 ? "s" : x > plotWidth - 32 ? "e" : "m"
            label(ReportText.clock(tick), x: x, y: size.height - 6, anchor: anchor)
        }
        add(grid, "g")
    }

    mutating func addColumns(_ names: [String]) {
        for (index, name) in names.enumerated() where name != "" {
            label(name, x: middle(index, of: names.count), y: size.height - 6, anchor: "m")
        }
    }

    /// The place of a column, of some columns of equal width.
    func column(_ index: Int, of count: Int) -> Range<Int> {
        let count = max(count, 1)
        return index * plotWidth / count..<(index + 1) * plotWidth / count
    }

    func middle(_ index: Int, of count: Int) -> Int {
        let column = column(index, of: count)
        return (column.lowerBound + column.upperBound) / 2
    }

    /// A bar in the middle of a column, at most this wide.
    func bar(_ index: Int, of count: Int, width: Int) -> Range<Int> {
        let column = column(index, of: count)
        let width = max(min(width, column.count * 7 / 10), 2)
        let start = column.lowerBound + (column.count - width) / 2
        return start..<start + width
    }

    /// Adds texts that show while the pointer is over a column; `nil` for none.
    mutating func addHover(_ texts: [String?]) {
        marks += "<g class=\"t\">"
        for (index, text) in texts.enumerated() {
            guard let text else { continue }
            let x = column(index, of: texts.count)
            marks += """
                <path d="M\(x.lowerBound) 0h\(x.count)v\(plotBottom)h-\(x.count)z">\
                <title>\(text)</title></path>
                """
        }
        marks += "</g>"
    }

    /// Returns the element, with a text in place of the picture.
    func html(title: String, description: String) -> HTMLText {
        """
        <svg viewBox="0 0 \(size.width) \(size.height)" role="img">\
        <title>\(title)</title><desc>\(description)</desc>\(marks)</svg>
        """
    }
}
