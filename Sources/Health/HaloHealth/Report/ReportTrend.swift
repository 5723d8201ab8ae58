internal import HaloDevices

/// The figures of which a long page shows the course by weeks and months.
enum ReportTrend: CaseIterable {
    case restingHeartRate, heartRateVariability, sleep, steps

    /// The kind that gives the trend its colour and its scale.
    var kind: ReportKind {
        switch self {
        case .restingHeartRate: .heartRate
        case .heartRateVariability: .heartRateVariability
        case .sleep: .sleep
        case .steps: .steps
        }
    }

    var title: String {
        switch self {
        case .restingHeartRate: "Resting heart rate"
        case .heartRateVariability: "Heart-rate variability at night"
        case .sleep: "Sleep"
        case .steps: "Steps"
        }
    }

    /// The title of a column of a table, which a phone has room for.
    var shortTitle: String {
        switch self {
        case .restingHeartRate: "Resting"
        case .heartRateVariability: "HRV"
        case .sleep, .steps: title
        }
    }

    /// Returns the value of a day, of hours for sleep; `nil` without one, and for one so far.
    func value(_ day: DailyFigures) -> Double? {
        switch self {
        case .restingHeartRate: day.restingBeatsPerMinute.final
        case .heartRateVariability: day.heartRateVariability.final
        case .sleep: day.night.final.map { Double($0.asleepMinutes) / 60 }
        case .steps: day.steps.final.map(Double.init)
        }
    }

    func text(_ value: Double) -> String {
        self == .sleep ? ReportText.duration(Self.minutes(value)) : kind.text(value)
    }

    func shortText(_ value: Double) -> String {
        self == .sleep ? ReportText.hours(Self.minutes(value)) : text(value)
    }

    /// Returns the mean of all days, as a value in large digits.
    func headline(_ value: Double) -> ReportValue {
        switch self {
        case .restingHeartRate, .heartRateVariability:
            ReportValue(kind.number(value), "\(kind.unit) on average")
        case .sleep: ReportValue(minutes: Self.minutes(value)).adding("a night")
        case .steps: ReportValue(kind.number(value), "a day")
        }
    }

    private static func minutes(_ hours: Double) -> Int {
        Int((ChartScale.bounded(hours) * 60).rounded())
    }
}

extension Figure {
    /// The value of a day or a night that is over.
    fileprivate var final: Value? {
        if case .value(let value) = self { value } else { nil }
    }
}

/// The trends of a long page: a card for each, and a table of the months.
struct TrendSection {
    let weeks: [Period]
    let months: [Period]
    private let weekdays: Period
    private let weekends: Period
    private let all: Period

    /// The means of some days.
    struct Period {
        let name: String
        let days: [CivilDate]
        let means: [ReportTrend: (value: Double, days: Int)]

        init(_ name: String, _ days: [CivilDate], _ figures: [CivilDate: HealthReport.DayFigures]) {
            self.name = name
            self.days = days
            var means: [ReportTrend: (value: Double, days: Int)] = [:]
            for trend in ReportTrend.allCases {
                let values = days.compactMap { figures[$0]?.trends[trend] }
                means[trend] = values.mean { $0 }.map { ($0, values.count) }
            }
            self.means = means
        }
    }

    init(_ page: ReportPage) {
        let figures = page.report.figures
        let weeks = page.weeks.map { $0.compactMap(\.self) }
        let months = page.months.map { $0.compactMap(\.self) }
        let days = weeks.flatMap(\.self)
        func period(_ days: [CivilDate]) -> Period {
            Period(
                days.first.map { ReportText.shortPeriod($0, days.last ?? $0) } ?? "", days, figures)
        }
        self.weeks = weeks.map(period)
        self.months = months.map { days in
            Period(days.first.map(ReportText.shortMonth) ?? "", days, figures)
        }
        weekdays = Period("Weekdays", days.filter { ReportText.weekdayIndex($0) < 5 }, figures)
        weekends = Period("Weekends", days.filter { ReportText.weekdayIndex($0) >= 5 }, figures)
        all = Period("All days", days, figures)
    }

    private var trends: [ReportTrend] { ReportTrend.allCases.filter { all.means[$0] != nil } }

    func html() -> HTMLText {
        if trends.isEmpty { return "" }
        let cards = trends.map(card).joined()
        return """
            <section class="trends" id="trends"><h2>Trends</h2>
            <div class="grid">\(cards)</div>
            \(Self.table("Month", months + [weekdays, weekends, all], trends))
            <details><summary>The weeks in numbers</summary>\
            \(Self.table("Week", weeks, trends))</details>
            </section>

            """
    }

    private func card(_ trend: ReportTrend) -> HTMLText {
        var notes: [HTMLText] = [
            "<span class=\"key\"><i class=\"dash\"></i>Mean of the month</span>"
        ]
        let parts = [weekdays, weekends].compactMap { period -> HTMLText? in
            period.means[trend].map { "\(period.name) <b>\(trend.text($0.value))</b>" }
        }
        if parts.count == 2 { notes.append("\(parts[0]) · \(parts[1])") }
        return ReportCard.html(
            trend.kind, .half, level: 3, title: trend.title,
            value: all.means[trend].map { trend.headline($0.value) } ?? ReportValue(),
            chart: chart(trend), notes: notes)
    }

    // MARK: Chart

    /// Returns a chart with a column for each week, and a line at the mean of each month.
    private func chart(_ trend: ReportTrend) -> HTMLText {
        var chart = ReportChart(.half)
        let values = weeks.map { $0.means[trend]?.value }
        let shown = (weeks + months).compactMap { $0.means[trend]?.value }
        let scale = trend.kind.scale(shown.min() ?? 0, shown.max() ?? 0)
        chart.addValueAxis(scale, unit: trend == .sleep ? " h" : "")
        switch trend {
        case .sleep, .steps: chart.addBars(values, scale, width: 40, radius: 6, "f")
        case .restingHeartRate, .heartRateVariability: addLine(values, scale, &chart)
        }
        addMonths(trend, scale, &chart)
        chart.addHover(weeks.map { Self.text(trend, $0) })
        let words = months.compactMap { Self.text(trend, $0) }
        return chart.html(
            title: "\(trend.title), week by week", description: words.joined(separator: "; ") + ".")
    }

    private static func text(_ trend: ReportTrend, _ period: Period) -> String? {
        period.means[trend].map { mean in
            let days = mean.days == 1 ? "1 day" : "\(mean.days) days"
            return "\(period.name): \(trend.text(mean.value)) on \(days)"
        }
    }

    private func addLine(_ values: [Double?], _ scale: ChartScale, _ chart: inout ReportChart) {
        let points = values.enumerated().compactMap { index, value in
            value.map { value -> SVGPath.Point in
                (chart.middle(index, of: values.count), chart.y(value, scale))
            }
        }
        var path = chart.path
        ChartLine.draw(points, widestGap: chart.plotWidth / max(values.count, 1) + 1) {
            path.line(from: $0, to: $1)
        }
        chart.add(path, "l")
        chart.addDots(points)
    }

    /// Adds the names of the months and their means. A week belongs to the month of its middle.
    private func addMonths(
        _ trend: ReportTrend, _ scale: ChartScale, _ chart: inout ReportChart
    ) {
        var names = [String](repeating: "", count: weeks.count)
        var path = chart.path
        for month in months {
            let columns = weeks.indices.filter { index in
                let days = weeks[index].days
                return month.days.contains(days[days.count / 2])
            }
            guard let first = columns.first, let last = columns.last else { continue }
            // A month of a few days has no room for its name.
            if columns.count > 2 || weeks.count < 20 {
                names[(first + last) / 2] = "\(month.name.prefix(3))"
            }
            guard let mean = month.means[trend] else { continue }
            let y = chart.y(mean.value, scale)
            path.line(
                from: (chart.column(first, of: weeks.count).lowerBound, y),
                to: (chart.column(last, of: weeks.count).upperBound, y))
        }
        chart.add(path, "z")
        chart.addColumns(names)
    }

    // MARK: Tables

    private static func table(
        _ name: String, _ periods: [Period], _ trends: [ReportTrend]
    ) -> HTMLText {
        let head = trends.map { trend -> HTMLText in "<th scope=\"col\">\(trend.shortTitle)</th>" }
        let rows = periods.map { period -> HTMLText in
            let cells = trends.map { trend -> HTMLText in
                period.means[trend].map { "<td>\(trend.shortText($0.value))</td>" }
                    ?? "<td class=\"no\">–</td>"
            }
            return "<tr><th scope=\"row\">\(period.name)</th>\(cells.joined())</tr>"
        }
        return """
            <div class="wide"><table><thead><tr><th scope="col">\(name)</th>\(head.joined())</tr>\
            </thead><tbody>\(rows.joined())</tbody></table></div>
            """
    }
}
