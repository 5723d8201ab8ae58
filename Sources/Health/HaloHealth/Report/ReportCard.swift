/// A card of a page: a title, a value, a chart, and notes.
enum ReportCard {
    static func html(
        _ kind: ReportKind, _ size: ReportChart.Size, level: Int, title: String? = nil,
        value: ReportValue = ReportValue(), chart: HTMLText, notes: [HTMLText] = []
    ) -> HTMLText {
        let notes = notes.map { note -> HTMLText in "<p class=\"n\">\(note)</p>" }.joined()
        let value: HTMLText = value.isEmpty ? "" : "<p class=\"v\">\(value.html)</p>"
        return """
            <article class="card \(kind.style) \(size == .half ? "half" : "third")">\
            <h\(level)>\(title ?? kind.title)</h\(level)>\(value)\(chart)\(notes)</article>

            """
    }

    /// The sizes of some cards, so that each row of three or two is full.
    static func sizes(_ count: Int) -> [ReportChart.Size] {
        let halves = count % 3 == 0 ? 0 : count % 3 == 2 ? 2 : 4
        return (0..<count).map { $0 < halves ? .half : .third }
    }
}
