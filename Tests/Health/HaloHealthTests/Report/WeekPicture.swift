import HaloDevices

@testable import HaloHealth

/// A week at a glance as a picture: six cards of the week's section, with text that can still be
/// read on a phone, where the picture has half of its size. It is an SVG file that needs nothing
/// else.
struct WeekPicture {
    private let period: String
    private let ring: String
    private let charts: PeriodCharts
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

    /// A picture of the kinds with values in the latest week; `nil` without any.
    init?(_ report: HealthReport) {
        let page = ReportPage(report)
        charts = PeriodCharts((page.weeks.last ?? []).map { $0.map { ReportDay($0, page) } })
        let known = charts.known
        guard let first = known.first?.date, let last = known.last?.date else { return nil }
        period = ReportText.period(first, last)
        ring = String((report.ring ?? "").prefix(Self.longestName))
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
            <style>\(Self.style)</style>
            <rect class="p" width="\(Self.width)" height="\(height)" rx="24"/>
            <text class="h" x="\(margin)" y="50">\(period)</text>\
            <text class="f e" x="\(Self.width - margin)" y="49">\(ring)</text>
            \(cards.joined())</svg>

            """
    }

    private func card(_ kind: ReportKind, x: Int, y: Int) -> HTMLText {
        let left = x + Self.padding
        let value = PeriodSection.headline(kind, charts.known.filter { $0.has(kind) })
        return """
            <g class="\(kind.style)"><rect class="c" x="\(x)" y="\(y)" \
            width="\(Self.cardWidth)" height="\(Self.cardHeight)" rx="20"/>\
            <text class="k" x="\(left)" y="\(y + 34)">\(kind.title)</text>\
            \(kind == .sleep ? stages(x: left + Self.chartWidth, y: y + 34) : "")\
            <text x="\(left)" y="\(y + 68)">\(Self.text(of: value))</text>\
            <svg x="\(left)" y="\(y + Self.chartTop)" width="\(Self.chartWidth)" \
            height="\(Self.chartHeight)">\(chart(kind))</svg></g>

            """
    }

    /// The colours of the stages of sleep, which end at a place.
    private func stages(x: Int, y: Int) -> HTMLText {
        let names = DayCharts.stages.dropFirst().map { stage, style -> HTMLText in
            "\u{2003}<tspan class=\"\(style)\">●</tspan> \(DayCharts.name(stage))"
        }
        return "<text class=\"f e\" x=\"\(x)\" y=\"\(y)\">\(names.joined())</text>"
    }

    /// The chart of a page without values on hover, and without dots that only a page explains.
    private func chart(_ kind: ReportKind) -> HTMLText {
        let chart = String(decoding: charts.chart(kind, Self.size).bytes, as: UTF8.self)
        return HTMLText(
            stringLiteral: chart.replacing(/<g class="t">.*?<\/g>|<path class="o".*?\/>/, with: ""))
    }

    /// The elements of a `text` of a picture.
    private static func text(of value: ReportValue) -> HTMLText {
        value.parts.enumerated().map { index, part -> HTMLText in
            let style = part.isNumber ? "n" : "w"
            return "<tspan class=\"\(style)\" dx=\"\(index > 0 ? 5 : 0)\">\(part.text)</tspan>"
        }.joined()
    }

    private static let style: HTMLText = """
        \(ReportStyle.charts)\
        svg{overflow:visible}
        text{font-family:\(ReportStyle.fonts);font-variant-numeric:tabular-nums}
        svg svg text{font-size:29px}
        .p{fill:var(--bg)}.c{fill:var(--card)}
        .h{font-size:28px;font-weight:700;letter-spacing:-.02em;fill:var(--ink)}
        .k{font-size:17px;font-weight:600;fill:var(--k)}
        .f,.w{font-size:17px}
        .n{font-size:29px;font-weight:600;letter-spacing:-.02em;fill:var(--ink)}

        """
}
