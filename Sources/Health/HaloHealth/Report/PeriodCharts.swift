internal import HaloDevices

/// The charts of a week or a month: a column for each day.
struct PeriodCharts {
    let days: [ReportDay?]
    /// The days that belong to the report.
    let known: [ReportDay]
    /// The vertical scales of the charts of single days, the same for all of them.
    let dayScales: [ReportKind: ChartScale]

    init(_ days: [ReportDay?]) {
        self.days = days
        known = days.compactMap { $0 }
        dayScales = Self.dayScales(known)
    }

    private static func dayScales(_ known: [ReportDay]) -> [ReportKind: ChartScale] {
        var scales: [ReportKind: ChartScale] = [:]
        for kind in ReportKind.allCases where kind != .sleep {
            let ranges = known.flatMap { day in
                kind == .steps
                    ? day.hourRanges(kind).compactMap { $0 } : [day.range(kind)].compactMap { $0 }
            }
            let resting =
                kind == .heartRate ? known.compactMap(\.figures.restingBeatsPerMinute) : []
            let lows = ranges.map(\.lowerBound) + resting.map(Double.init)
            let highs = ranges.map(\.upperBound) + resting.map(Double.init)
            guard let least = lows.min(), let most = highs.max() else { continue }
            scales[kind] = kind.scale(least, most)
        }
        return scales
    }

    func chart(_ kind: ReportKind, _ size: ReportChart.Size) -> HTMLText {
        var chart = ReportChart(size)
        switch kind {
        case .sleep: addNights(&chart)
        case .steps:
            let scale = kind.scale(0, known.compactMap { $0.total(kind) }.max() ?? 0)
            chart.addValueAxis(scale)
            for (isWhole, style) in [(true, "b"), (false, "f")] {
                let totals = days.map { $0?.isWhole(kind) == isWhole ? $0?.total(kind) : nil }
                chart.addBars(totals, scale, width: 40, radius: 10, style)
            }
        default: addRanges(kind, &chart)
        }
        if kind == .heartRate { addResting(&chart) }
        chart.addColumns(days.map { $0.map(label) ?? "" })
        chart.addHover(days.map { $0.map { text(kind, $0) } })
        return chart.html(
            title: "\(kind.title), day by day",
            description: known.map { text(kind, $0) }.joined(separator: "; ") + ".")
    }

    /// `true` for more days than a week: their names are numbers.
    var isMonth: Bool { days.count > 7 }

    /// The day of the week; of a month, the number of its first day and of each seventh one.
    private func label(_ day: ReportDay) -> String {
        guard isMonth else { return "\(ReportText.weekday(day.date).prefix(3))" }
        return day.date.day % 7 == 1 ? "\(day.date.day)" : ""
    }

    private func text(_ kind: ReportKind, _ day: ReportDay) -> String {
        let value = Self.value(kind, day)
        let until = value == nil || day.isWhole(kind) ? nil : day.untilInWords(kind)
        return "\(ReportText.day(day.date)): \(value ?? day.missingWord(kind))"
            + (until.map { ", \($0)" } ?? "")
    }

    /// The value of a day in words; `nil` without one.
    static func value(_ kind: ReportKind, _ day: ReportDay) -> String? {
        switch kind {
        case .sleep: day.minutesAsleep.map { "\(ReportText.duration($0)) asleep" }
        case .steps: day.total(kind).map(kind.text)
        case .heartRateVariability, .stress, .temperature:
            day.mean(kind).flatMap { mean in
                day.range(kind).map { "mean \(kind.text(mean)), \(kind.text($0))" }
            }
        case .heartRate, .bloodOxygen, .battery: day.range(kind).map(kind.text)
        }
    }

    // MARK: Marks

    /// Adds a bar of the time asleep for each night, divided by stages.
    private func addNights(_ chart: inout ReportChart) {
        let most = known.compactMap(\.minutesAsleep).max() ?? 0
        let scale = ReportKind.sleep.scale(0, Double(most) / 60)
        chart.addValueAxis(scale, unit: " h")
        let stages = DayCharts.stages.dropFirst()
        var paths = stages.map { _ in chart.path }
        for (index, day) in days.enumerated() {
            guard let night = day?.night else { continue }
            let x = chart.bar(index, of: days.count, width: 40)
            var minutes = night.minutesAsleep
            for (number, (stage, _)) in stages.enumerated() {
                let top = chart.y(Double(minutes) / 60, scale)
                minutes -= night.minutes(of: stage)
                let bottom = chart.y(Double(minutes) / 60, scale)
                guard bottom > top else { continue }
                let isTop = minutes + night.minutes(of: stage) == night.minutesAsleep
                paths[number].fill(x: x, y: top..<bottom, radius: isTop ? 10 : 0, isTopOnly: true)
            }
        }
        for (path, (_, style)) in zip(paths, stages) { chart.add(path, style) }
    }

    /// Adds the range of each day, and a line through the means where these say more.
    private func addRanges(_ kind: ReportKind, _ chart: inout ReportChart) {
        guard let scale = dayScales[kind] else { return }
        chart.addValueAxis(scale)
        let hasMeans = [.heartRateVariability, .stress, .temperature].contains(kind)
        let width = 24
        chart.addRanges(days.map { $0?.range(kind) }, scale, width: width, hasMeans ? "r" : "b")
        guard hasMeans else { return }
        let points = days.enumerated().compactMap { index, day in
            day?.mean(kind).map { mean -> SVGPath.Point in
                let x = chart.bar(index, of: days.count, width: width)
                return ((x.lowerBound + x.upperBound) / 2, chart.y(mean, scale))
            }
        }
        var means = chart.path
        ChartLine.draw(points, widestGap: chart.plotWidth / max(days.count, 1) + 1) {
            means.line(from: $0, to: $1)
        }
        chart.add(means, "l")
        chart.addDots(points)
    }

    /// Adds a dot in the range of each day with a resting heart rate.
    private func addResting(_ chart: inout ReportChart) {
        guard let scale = dayScales[.heartRate] else { return }
        let points = days.enumerated().compactMap { index, day -> SVGPath.Point? in
            guard let day, day.has(.heartRate), let beats = day.figures.restingBeatsPerMinute else {
                return nil
            }
            return (chart.middle(index, of: days.count), chart.y(Double(beats), scale))
        }
        chart.addDots(points, "o")
    }
}
