internal import HaloDevices

/// The charts of a week: a column for each day.
struct WeekCharts {
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
            chart.addBars(days.map { $0?.total(kind) }, scale, width: 40, radius: 10)
        default: addRanges(kind, &chart)
        }
        if kind == .heartRate { addResting(&chart) }
        chart.addColumns(days.map { $0.map { "\(ReportText.weekday($0.date).prefix(3))" } ?? "" })
        chart.addHover(days.map { $0.map { text(kind, $0) } })
        return chart.html(
            title: "\(kind.title), day by day",
            description: known.map { text(kind, $0) }.joined(separator: "; ") + ".")
    }

    private func text(_ kind: ReportKind, _ day: ReportDay) -> String {
        "\(ReportText.day(day.date)): \(Self.value(kind, day) ?? day.missingWord(kind))"
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
            let column = chart.column(index, of: days.count)
            let middle = (column.lowerBound + column.upperBound) / 2
            return (middle, chart.y(Double(beats), scale))
        }
        chart.addDots(points, "o")
    }
}
