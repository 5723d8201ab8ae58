internal import HaloDevices
internal import HaloProtocol

struct DayCharts {
    let day: ReportDay
    /// The vertical scales, which all days of a week share.
    let scales: [ReportKind: ChartScale]

    /// The stages from top to bottom, with their classes of the style sheet.
    static let stages: [(stage: SleepRecord.Stage, style: String)] = [
        (.awake, "s1"), (.rem, "s2"), (.light, "s3"), (.deep, "s4"),
    ]
    /// The name of a stage at the beginning of a line.
    static func name(_ stage: SleepRecord.Stage) -> String { "\(stage)".capitalizedFirst }

    private var time: TimeScale { TimeScale(day: day.date) }

    // MARK: Sleep

    /// Returns the stages of the night, one in each row, in the order of time.
    func hypnogram(_ night: SleepRecord, _ size: ReportChart.Size) -> HTMLText {
        var chart = ReportChart(size)
        let time = Self.scale(of: night)
        let rows = Self.stages.count
        chart.addRows(Self.stages.map { Self.name($0.stage) })
        chart.addTimeAxis(time)
        chart.add(connectors(night, time, chart), "x")
        for (index, (stage, style)) in Self.stages.enumerated() {
            var path = chart.path
            for step in night.stages where step.value == stage {
                path.fill(
                    x: Self.columns(of: step, time, path.width), y: chart.row(index, of: rows),
                    radius: 6)
            }
            chart.add(path, style)
        }
        chart.addHover(hours(of: night, time))
        return chart.html(
            title: "Sleep from \(ReportText.clock(night.start)) to \(ReportText.clock(night.end))",
            description: Self.stages.map {
                "\(Self.name($0.stage)) \(ReportText.duration(night.minutes(of: $0.stage)))"
            }.joined(separator: ", ") + ".")
    }

    /// The time from falling asleep to waking up, at most the last day of it.
    private static func scale(of night: SleepRecord) -> TimeScale {
        let last = night.stages.last.map { Self.end(of: $0) } ?? night.end
        let end = max(night.end, last)
        return TimeScale(from: max(night.start, end.advanced(bySeconds: -86_400)), to: end)
    }

    private static func end(of stage: TimedSample<SleepRecord.Stage>) -> CivilDateTime {
        stage.time.advanced(bySeconds: min(max(stage.minutes, 0), 1440) * 60)
    }

    private static func columns(
        of stage: TimedSample<SleepRecord.Stage>, _ time: TimeScale, _ width: Int
    ) -> Range<Int> {
        let start = time.position(of: stage.time, width: width)
        let end = time.position(of: end(of: stage), width: width)
        // A minute of a long night shows, too.
        return start..<max(end, start + (stage.minutes > 0 ? 2 : 0))
    }

    /// The lines from one stage to the next, between the middles of their rows.
    private func connectors(
        _ night: SleepRecord, _ time: TimeScale, _ chart: ReportChart
    ) -> SVGPath {
        var path = chart.path
        func middle(_ stage: SleepRecord.Stage) -> Int? {
            guard let index = Self.stages.firstIndex(where: { $0.stage == stage }) else {
                return nil
            }
            let row = chart.row(index, of: Self.stages.count)
            return (row.lowerBound + row.upperBound) / 2
        }
        for (stage, next) in zip(night.stages, night.stages.dropFirst()) {
            guard next.time <= Self.end(of: stage), let from = middle(stage.value),
                let to = middle(next.value), from != to
            else { continue }
            let x = time.position(of: next.time, width: path.width)
            path.line(from: (x, from), to: (x, to))
        }
        return path
    }

    /// The stages of each quarter of an hour or so, in as many columns.
    private func hours(of night: SleepRecord, _ time: TimeScale) -> [String?] {
        let count = 24
        var texts = [[String]](repeating: [], count: count)
        for stage in night.stages {
            let columns = Self.columns(of: stage, time, count * 100)
            let text = """
                \(Self.name(stage.value)) \(ReportText.clock(stage.time))–\
                \(ReportText.clock(Self.end(of: stage)))
                """
            for column in columns.lowerBound / 100..<(columns.upperBound + 99) / 100
            where column < count {
                texts[column].append(text)
            }
        }
        return texts.map { $0.isEmpty ? nil : $0.joined(separator: "\n") }
    }

    // MARK: Values over the day

    func chart(_ kind: ReportKind, _ size: ReportChart.Size) -> HTMLText {
        if kind == .sleep, let night = day.night { return hypnogram(night, size) }
        var chart = ReportChart(size)
        guard let scale = scales[kind] else { return "" }
        chart.addValueAxis(scale)
        chart.addTimeAxis(time)
        let ranges = day.hourRanges(kind)
        switch kind {
        case .steps:
            chart.addBars(ranges.map { $0?.upperBound }, scale, width: 26, radius: 8)
        case .stress: addSlotBars(kind, scale, &chart)
        case .bloodOxygen: chart.addRanges(ranges, scale, width: 16, "b")
        case .heartRate:
            addSleep(&chart)
            chart.addRanges(ranges, scale, width: 30, "r")
            addResting(scale, &chart)
            addLine(kind, scale, &chart)
        case .heartRateVariability, .temperature, .battery, .sleep:
            addLine(kind, scale, &chart)
            chart.addDots(points(day.readings[kind] ?? [], scale, chart))
        }
        chart.addHover(
            ranges.enumerated().map { hour, range in
                range.map { "\(Self.hour(hour)): \(kind.text($0))" }
            })
        return chart.html(
            title: "\(kind.title) on \(ReportText.day(day.date))",
            description: description(kind, ranges))
    }

    private static func hour(_ hour: Int) -> String {
        "\(DecimalText.two(hour)):00–\(DecimalText.two(hour + 1)):00"
    }

    private func description(_ kind: ReportKind, _ ranges: [ClosedRange<Double>?]) -> String {
        guard let range = day.range(kind) else { return day.missingSentence(kind) }
        let hours = ranges.filter { $0 != nil }.count
        let total = day.total(kind).map(kind.text) ?? ""
        return kind == .steps
            ? "\(total) in \(hours) of 24 hours." : "\(kind.text(range)), in \(hours) of 24 hours."
    }

    /// Shades the times at which the wearer slept.
    private func addSleep(_ chart: inout ReportChart) {
        var path = chart.path
        for (start, end) in day.asleep {
            let first = time.position(of: start, width: path.width)
            let last = time.position(of: end, width: path.width)
            path.fill(x: first..<max(last, first), y: 0..<chart.plotBottom)
        }
        chart.add(path, "q")
    }

    private func addLine(_ kind: ReportKind, _ scale: ChartScale, _ chart: inout ReportChart) {
        var path = chart.path
        let gap = day.longestJoin(kind) * path.width / 86_400
        for readings in day.readingsByClock(kind) {
            ChartLine.draw(points(readings, scale, chart), widestGap: gap) {
                path.line(from: $0, to: $1)
            }
        }
        chart.add(path, "l")
    }

    private func points(
        _ readings: [Reading], _ scale: ChartScale, _ chart: ReportChart
    ) -> [SVGPath.Point] {
        readings.map { reading in
            (
                time.position(of: reading.time, width: chart.plotWidth),
                chart.y((reading.least + reading.most) / 2, scale)
            )
        }
    }

    private func addSlotBars(
        _ kind: ReportKind, _ scale: ChartScale, _ chart: inout ReportChart
    ) {
        var path = chart.path
        let bars = (day.readings[kind] ?? []).map { reading in
            let x = time.position(of: reading.time, width: path.width)
            let width = max(reading.minutes * path.width / 1440 * 7 / 10, 4)
            return (x..<x + width, chart.y(reading.most, scale))
        }
        path.drawBars(bars, bottom: chart.plotBottom, radius: 4)
        chart.add(path, "b")
    }

    private func addResting(_ scale: ChartScale, _ chart: inout ReportChart) {
        guard let resting = day.figures.restingBeatsPerMinute else { return }
        var path = chart.path
        let y = chart.y(Double(resting), scale)
        path.line(from: (0, y), to: (chart.plotWidth, y))
        chart.add(path, "z")
    }
}
