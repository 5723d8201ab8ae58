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
            <article class="card \(kind.style) \(Self.style(size))">\
            <h\(level)>\(kind.title)</h\(level)>\(value)\(chart)\(notes)</article>

            """
    }

    /// A card that says in words why it has no chart.
    func missing(_ reason: String) -> HTMLText {
        """
        <article class="card \(kind.style) \(Self.style(size))">\
        <h\(level)>\(kind.title)</h\(level)><p class="why">\(reason)</p></article>

        """
    }

    private static func style(_ size: ReportChart.Size) -> String {
        size == .half ? "half" : "third"
    }

    /// The sizes of some cards, so that each row of three or two is full.
    static func sizes(_ count: Int) -> [ReportChart.Size] {
        let halves = count % 3 == 0 ? 0 : count % 3 == 2 ? 2 : 4
        return (0..<count).map { $0 < halves ? .half : .third }
    }
}
