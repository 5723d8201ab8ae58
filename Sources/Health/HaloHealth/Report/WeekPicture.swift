internal import HaloDevices

/// A week at a glance as a picture: six cards of the week's section, with text that can still be
/// read on a phone, where the picture has half of its size.
struct WeekPicture {
    private let period: String
    private let ring: String
    private let charts: WeekCharts
    private let kinds: [ReportKind]

    private static let kinds: [ReportKind] = [
        .sleep, .heartRate, .steps, .bloodOxygen, .stress, .temperature,
    ]
    private static let size = ReportChart.Size.third
    /// The longest name of a ring that is shown, in characters.
    private static let longestName = 30

    // MARK: Sizes in pixels

    private static let width = 800
    private static let (gap, padding) = (16, 20)
    private static let header = 72
    private static let cardWidth = (width - 3 * gap) / 2
    private static let chartTop = 84
    private static let chartWidth = cardWidth - 2 * padding
    private static let chartHeight = chartWidth * size.height / size.width
    private static let cardHeight = chartTop + chartHeight + 14

    /// A picture of the kinds with values; `nil` without any.
    init?(_ week: ReportWeek, ring: String?) {
        guard let first = week.first, let last = week.last else { return nil }
        period = ReportText.period(first, last)
        self.ring = String((ring ?? "").prefix(Self.longestName))
        charts = WeekCharts(week.days())
        let known = charts.known
        kinds = Self.kinds.filter { kind in known.contains { $0.has(kind) } }
        if kinds.isEmpty { return nil }
    }

    func svg() -> HTMLText {
        let rows = (kinds.count + 1) / 2
        let height = Self.header + rows * (Self.cardHeight + Self.gap)
        let margin = Self.gap + Self.padding
        let cards = kinds.enumerated().map { index, kind in
            card(
                kind, x: Self.gap + index % 2 * (Self.cardWidth + Self.gap),
                y: Self.header + index / 2 * (Self.cardHeight + Self.gap))
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(Self.width)" height="\(height)" \
            viewBox="0 0 \(Self.width) \(height)" role="img">
            <title>A week of a ring, \(period)</title>
            <style>\(ReportStyle.picture)</style>
            <rect class="p" width="\(Self.width)" height="\(height)" rx="24"/>
            <text class="h" x="\(margin)" y="50">\(period)</text>\
            <text class="f e" x="\(Self.width - margin)" y="49">\(ring)</text>
            \(cards.joined())</svg>

            """
    }

    private func card(_ kind: ReportKind, x: Int, y: Int) -> HTMLText {
        let left = x + Self.padding
        let value = WeekSection.headline(kind, charts.known.filter { $0.has(kind) })
        return """
            <g class="\(kind.style)"><rect class="c" x="\(x)" y="\(y)" \
            width="\(Self.cardWidth)" height="\(Self.cardHeight)" rx="20"/>\
            <text class="k" x="\(left)" y="\(y + 34)">\(kind.title)</text>\
            \(kind == .sleep ? stages(x: left + Self.chartWidth, y: y + 34) : "")\
            <text x="\(left)" y="\(y + 68)">\(value.svg)</text>\
            <svg x="\(left)" y="\(y + Self.chartTop)" width="\(Self.chartWidth)" \
            height="\(Self.chartHeight)">\(charts.chart(kind, Self.size, isPicture: true))</svg></g>

            """
    }

    /// The colours of the stages of sleep, which end at a place.
    private func stages(x: Int, y: Int) -> HTMLText {
        let names = DayCharts.stages.dropFirst().map { stage, style -> HTMLText in
            "\u{2003}<tspan class=\"\(style)\">●</tspan> \(DayCharts.name(stage))"
        }
        return "<text class=\"f e\" x=\"\(x)\" y=\"\(y)\">\(names.joined())</text>"
    }
}
