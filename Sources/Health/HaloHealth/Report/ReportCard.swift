/// A card of a page: a title, a value, a chart, and notes.
struct ReportCard {
    let kind: ReportKind
    let size: ReportChart.Size
    /// The level of the heading, 3 or 4.
    let level: Int
    var value = ReportValue()
    var chart: HTMLText = ""
    var notes: [HTMLText] = []

    func html() -> HTMLText {
        let notes = notes.map { note -> HTMLText in "<p class=\"n\">\(note)</p>" }.joined()
        let value: HTMLText = value.isEmpty ? "" : "<p class=\"v\">\(value.html)</p>"
        return """
            <article class="card \(kind.style) \(size == .half ? "half" : "third")">\
            <h\(level)>\(kind.title)</h\(level)>\(value)\(chart)\(notes)</article>

            """
    }

    /// The sizes of some cards, so that each row of three or two is full.
    static func sizes(_ count: Int) -> [ReportChart.Size] {
        let halves = count % 3 == 0 ? 0 : count % 3 == 2 ? 2 : 4
        return (0..<count).map { $0 < halves ? .half : .third }
    }
}
