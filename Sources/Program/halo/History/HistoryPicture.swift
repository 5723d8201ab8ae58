import HaloDevices
import HaloHealth
import HaloProtocol

struct HistoryPicture {
    private let history: RingHistory
    private let style: TerminalStyle
    /// The longest line, in characters.
    private let width: Int
    private let columnsPerHour: Int
    /// The end of the charts: that of an hour.
    private let end: CivilDateTime

    private static let axisWidth = 7
    private static let axisMargin = String(repeating: " ", count: axisWidth + 1)
    private static let widths = 40...120
    private static let hoursPerDay = 24
    private static let secondsPerDay = hoursPerDay * 3600
    /// The room for the total time of a stage after its row, as ` 8 h 44`.
    private static let totalWidth = 7
    private static let curveRows = 10
    private static let barRows = 3
    /// The sleep stages from top to bottom, the lightest first.
    private static let stages: [SleepRecord.Stage] = [.awake, .rem, .light, .deep]

    /// Creates charts of the twenty-four hours before the end of a time's hour.
    init(_ history: RingHistory, until time: CivilDateTime, width: Int, style: TerminalStyle) {
        self.history = history
        end = time.advanced(bySeconds: 3600 - Int(time.secondsSince1970 % 3600))
        self.style = style
        self.width = min(max(width, Self.widths.lowerBound), Self.widths.upperBound)
        columnsPerHour = (self.width - Self.axisWidth - 1) / Self.hoursPerDay
    }

    init(_ history: RingHistory, of day: CivilDate, width: Int, style: TerminalStyle) {
        let lastSecond = CivilDateTime(day).advanced(bySeconds: Self.secondsPerDay - 1)
        self.init(history, until: lastSecond, width: width, style: style)
    }

    private var plotWidth: Int { columnsPerHour * Self.hoursPerDay }

    private var start: CivilDateTime { end.advanced(bySeconds: -Self.secondsPerDay) }

    private var time: TimeScale { TimeScale(from: start, to: end) }

    private func inCharts<Value>(_ samples: [TimedSample<Value>]) -> [TimedSample<Value>] {
        samples.filter { $0.time >= start && $0.time < end }
    }

    private func line(_ label: String, _ text: String) -> String {
        let label = label.rightAligned(toColumns: Self.axisWidth - 1)
        return style.faint(label) + " " + TextColumns.trimmed(text)
    }

    func heading(_ title: String, _ facts: [String]) -> [String] {
        let indent = String(repeating: " ", count: title.count + 2)
        let lines = TextLayout.wrapped(facts, separator: " · ", width: width - indent.count)
        guard let first = lines.first else { return [style.strong(title)] }
        return ["\(style.strong(title))  \(first)"] + lines.dropFirst().map { indent + $0 }
    }

    func labelled(_ label: String, _ facts: [String]) -> [String] {
        let labelWidth = 11
        let lines = TextLayout.wrapped(facts, separator: " · ", width: width - labelWidth)
        return lines.enumerated().map { index, text in
            style.faint(TextColumns.padded(index == 0 ? label : "", labelWidth))
                + (text.hasPrefix("♥") ? style.heart("♥") + text.dropFirst() : text)
        }
    }

    // MARK: Twenty-four hours

    var heartRate: [String] {
        let lines = curve("Heart rate", history[.heartRate], .beats, otherValues) {
            style.heartRate($0, $1)
        }
        return lines ?? heading("Heart rate", ["no values on this day"])
    }

    /// What the values of a curve are: whole units, or tenths of them.
    private struct Unit {
        let name: String
        var isTenth = false

        static let beats = Unit(name: " bpm")

        func text(_ value: Int) -> String {
            isTenth ? ReportText.tenths(value) : "\(value)"
        }
    }

    private func curve(
        _ title: String, _ samples: [TimedSample<Int>], _ unit: Unit, _ facts: [String] = [],
        colored: (String, Int) -> String
    ) -> [String]? {
        let samples = inCharts(samples)
        let values = samples.map(\.value)
        guard let least = values.min(), let most = values.max() else { return nil }
        let mean = Int((Double(values.reduce(0, +)) / Double(values.count)).rounded())
        let range =
            (least == most ? "" : "\(unit.text(least)) to ") + unit.text(most) + unit.name
        var lines = heading(title, [range, "mean \(unit.text(mean))"] + facts)
        let low = Int((Double(least - 2) / 10).rounded(.down)) * 10
        let scale = (low: low, high: (most + 10) / 10 * 10)
        let canvas = curve(samples, scale)
        for row in 0..<Self.curveRows {
            // The value at the upper edge of a row.
            let value = scale.high - (scale.high - scale.low) * row / Self.curveRows
            let label = row % 2 == 0 ? unit.text(value) : ""
            let text = TextColumns.trimmed(canvas.row(row))
            lines.append(line(label, "┤" + colored(text, value)))
        }
        lines.append(axis)
        return lines
    }

    // MARK: One kind

    func chart(
        of kind: HistoryKind, titled title: String, _ facts: [String] = []
    ) -> [String]? {
        let plain = { (text: String, _: Int) in style.steps(text) }
        func tenths(_ samples: [TimedSample<Double>]) -> [TimedSample<Int>] {
            samples.map { sample in
                TimedSample(
                    time: sample.time, minutes: sample.minutes,
                    value: Int((ChartScale.bounded(sample.value) * 10).rounded()))
            }
        }
        switch kind {
        case .heartRate:
            return curve(title, history[.heartRate], .beats, facts) { style.heartRate($0, $1) }
        case .stress: return curve(title, history[.stress], Unit(name: ""), facts, colored: plain)
        case .heartRateVariability:
            return curve(
                title, history[.heartRateVariability], Unit(name: " ms"), facts, colored: plain)
        case .temperature:
            let unit = Unit(name: " °C", isTenth: true)
            return curve(title, tenths(history[.temperature]), unit, facts, colored: plain)
        case .bloodOxygen:
            let lowest = history[.bloodOxygen].map {
                TimedSample(time: $0.time, minutes: $0.minutes, value: $0.value.lowestPercent)
            }
            return curve(
                title, lowest, Unit(name: " %"), ["lowest of each hour"] + facts, colored: plain)
        case .activity:
            return inCharts(history[.activity]).isEmpty ? nil : steps(titled: title, facts)
        case .sleep, .workouts, .totals: return nil
        }
    }

    func chart(of record: SleepRecord, titled title: String) -> [String] {
        stages(of: record, title, [record.isNap ? "nap" : "night"])
    }

    private var otherValues: [String] {
        func values<Value>(_ samples: [TimedSample<Value>]) -> [Value] {
            inCharts(samples).map(\.value)
        }
        let oxygen = values(history[.bloodOxygen]).flatMap {
            [$0.lowestPercent, $0.highestPercent]
        }
        let skin = values(history[.temperature]).map { Int(($0 * 10).rounded()) }
        return [
            ReportText.range(values(history[.heartRateVariability])).map { "HRV \($0) ms" },
            ReportText.range(oxygen).map { "SpO₂ \($0) %" },
            ReportText.range(values(history[.stress])).map { "stress \($0)" },
            skin.min().map {
                "skin \(ReportText.tenths($0))–\(ReportText.tenths(skin.max() ?? $0)) °C"
            },
        ].compactMap(\.self)
    }

    /// The curve through the means of the values in each column of dots. Values more than an hour
    /// and a half apart are not joined.
    private func curve(
        _ samples: [TimedSample<Int>], _ scale: (low: Int, high: Int)
    ) -> Canvas {
        var canvas = Canvas(columns: plotWidth, rows: Self.curveRows)
        var sums = Array(repeating: (sum: 0, count: 0), count: canvas.width)
        for sample in samples {
            let x = time.position(of: sample.time, width: canvas.width)
            sums[x].sum += sample.value
            sums[x].count += 1
        }
        let span = scale.high - scale.low
        let points = sums.enumerated().filter { $1.count > 0 }.map { x, column in
            let above = scale.high * column.count - column.sum
            return (x: x, y: above * (canvas.height - 1) / (span * column.count))
        }
        let dotsPerHour = canvas.width / Self.hoursPerDay
        ChartLine.draw(points, widestGap: dotsPerHour * 3 / 2) { canvas.line(from: $0, to: $1) }
        return canvas
    }

    private var axis: String {
        var marks = ""
        for hour in stride(from: 0, to: Self.hoursPerDay, by: 3) {
            let time = start.advanced(bySeconds: hour * 3600)
            marks += TextColumns.padded("╵\(time.time.hour)", 3 * columnsPerHour)
        }
        let last = "╵\(end.time.hour)"
        if Self.axisWidth + 1 + plotWidth + last.count <= width { marks += last }
        return style.faint(Self.axisMargin + TextColumns.trimmed(marks))
    }

    var steps: [String] {
        inCharts(history[.activity]).isEmpty
            ? heading("Steps", ["no values on this day"]) : steps(titled: "Steps")
    }

    private func steps(titled title: String, _ facts: [String] = []) -> [String] {
        let activity = inCharts(history[.activity])
        var hours = Array(repeating: 0, count: Self.hoursPerDay)
        for sample in activity {
            hours[time.position(of: sample.time, width: Self.hoursPerDay)] += sample.value.steps
        }
        let most = hours.reduce(0, max)
        let metres = activity.reduce(0) { $0 + $1.value.metres }
        var lines = heading(
            title,
            [
                ReportText.grouped(hours.reduce(0, +)),
                "\(ReportText.tenths((metres + 50) / 100)) km",
                "most in an hour \(ReportText.grouped(most))",
            ] + facts)
        let barWidth = max(columnsPerHour - 1, 1)
        for row in (0..<Self.barRows).reversed() {
            let bars = hours.map { steps in
                let block = BlockBar.vertical(steps, of: most, row: row, rows: Self.barRows)
                return TextColumns.padded(
                    String(repeating: block, count: barWidth), columnsPerHour)
            }
            let label = row == Self.barRows - 1 ? ReportText.grouped(most) : ""
            let text = TextColumns.trimmed(bars.joined())
            lines.append(line(label, "┤" + style.steps(text)))
        }
        lines.append(axis)
        return lines
    }

    // MARK: The last night

    var night: [String] {
        let nights = history[.sleep].filter { !$0.isNap && $0.end > start }
        guard let night = nights.max(by: { $0.end < $1.end }) else {
            return heading("Sleep", ["no night in these hours"])
        }
        return stages(of: night, "Sleep", [])
    }

    private func stages(
        of night: SleepRecord, _ title: String, _ others: [String]
    ) -> [String] {
        let total = max(night.stages.reduce(0) { $0 + $1.minutes }, 1)
        var facts = others
        facts += [
            "\(ReportText.clock(night.start)) to \(ReportText.clock(night.end))",
            "\(ReportText.hours(night.minutesAsleep)) asleep",
        ]
        let totals = Self.stages.map { ReportText.hours(night.minutes(of: $0)) }
        if !hasRoomForTotals {
            facts += zip(Self.stages, totals).map { "\($0) \($1)" }
        }
        var lines = heading(title, facts)
        let stages = (0..<plotWidth).map { column in
            let first = column * total / plotWidth
            return night.stage(from: first, to: max((column + 1) * total / plotWidth, first + 1))
        }
        for (stage, total) in zip(Self.stages, totals) {
            let blocks = TextColumns.trimmed(stages.map { $0 == stage ? "▆" : " " }.joined())
            let gap = String(repeating: " ", count: plotWidth - blocks.count + 1)
            let behind = hasRoomForTotals ? gap + style.faint(total) : ""
            lines.append(line("\(stage)", "┤" + style.sleep(blocks, stage)) + behind)
        }
        lines.append(axis(of: night, minutes: total))
        return lines
    }

    private var hasRoomForTotals: Bool {
        width - Self.axisWidth - 1 - plotWidth >= Self.totalWidth
    }

    private func axis(of night: SleepRecord, minutes: Int) -> String {
        var marks = ""
        let end = night.start.advanced(bySeconds: minutes * 60)
        let time = TimeScale(from: night.start, to: end)
        for hour in time.ticks(every: 3600) where hour < night.end {
            let column = time.position(of: hour, width: plotWidth)
            let mark = "╵\(hour.time.hour)"
            let room = width - Self.axisWidth - 1
            if column >= marks.count, column + mark.count <= room {
                marks = TextColumns.padded(marks, column) + mark
            }
        }
        return style.faint(Self.axisMargin + marks)
    }

    // MARK: The week

    /// - Parameter earlier: A sentence on the days before the first one.
    func week(_ days: [DaySummary], earlier: String?) -> [String] {
        let table = DayTable(width: width, marks: days.compactMap(\.until))
        let title = style.strong(TextColumns.padded("Days", table.dayWidth))
        let blank = String(repeating: " ", count: table.barWidth + table.markWidth + 1)
        var lines = ["\(title) \(style.faint(blank + table.cells("steps", "sleep", "bpm")))"]
        if let words = earlier {
            lines += TextLayout.wrapped(words, width: width).map(style.faint)
        }
        let most = days.map(\.steps).max() ?? 0
        var index = 0
        while index < days.count {
            if let sentence = days[index].notSynced {
                let end = days[index...].firstIndex { $0.notSynced != sentence } ?? days.count
                let dates = ReportText.shortPeriod(days[index].date, days[end - 1].date)
                lines += TextLayout.wrapped("\(dates): \(sentence)", width: width)
                    .map(style.faint)
                index = end
            } else {
                lines.append(row(days[index], most, table))
                index += 1
            }
        }
        return lines
    }

    private func row(_ day: DaySummary, _ most: Int, _ table: DayTable) -> String {
        let bar = BlockBar.horizontal(day.steps, of: most, width: table.barWidth)
        let gap = String(repeating: " ", count: max(table.barWidth - bar.count, 0))
        let mark = TextColumns.padded(day.until ?? "", table.markWidth)
        let values = table.cells(
            day.missingSteps ?? ReportText.grouped(day.steps),
            day.sleepMinutes.map(ReportText.hours) ?? day.missingSleep ?? "",
            day.heartRates.map { "\($0.lowerBound)–\($0.upperBound)" }
                ?? day.missingHeartRates ?? "")
        return "\(style.faint(ReportText.day(day.date))) \(style.steps(bar))\(gap)"
            + "\(style.faint(mark)) \(values)"
    }
}

/// The columns of a table of days.
private struct DayTable {
    let dayWidth = 10
    /// The columns of marks after the bars, with a space before them; 0 without marks.
    let markWidth: Int
    let barWidth: Int

    private static let widths = (steps: 8, sleep: 8, rates: 8)

    init(width: Int, marks: [String]) {
        markWidth = marks.map { $0.count + 1 }.max() ?? 0
        let values = Self.widths.steps + Self.widths.sleep + Self.widths.rates
        barWidth = max(width - dayWidth - values - 5 - markWidth, 0)
    }

    func cells(_ steps: String, _ sleep: String, _ rates: String) -> String {
        [
            steps.rightAligned(toColumns: Self.widths.steps),
            sleep.rightAligned(toColumns: Self.widths.sleep),
            rates.rightAligned(toColumns: Self.widths.rates),
        ].joined(separator: " ")
    }
}

enum BlockBar {
    /// The characters of a vertical bar, from the empty to the full one in equal steps.
    private static let steps = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// Returns the character of a vertical bar in one row. Rows are counted from the bottom.
    ///
    /// A value above 0 has at least one step, so that it shows.
    static func vertical(_ value: Int, of most: Int, row: Int, rows: Int) -> String {
        let perRow = steps.count - 1
        guard value > 0, most > 0 else { return steps[0] }
        let filled = parts(value, of: most, in: Double(rows) * Double(perRow))
        let rest = filled - Double(row) * Double(perRow)
        return steps[Int(min(max(rest, 0), Double(perRow)))]
    }

    /// Returns a thin horizontal bar of at most `width` characters, in steps of a half.
    static func horizontal(_ value: Int, of most: Int, width: Int) -> String {
        guard value > 0, most > 0, width > 0 else { return "" }
        let width = min(width, Canvas.limit.columns)
        let halves = Int(parts(min(value, most), of: most, in: Double(width) * 2))
        return String(repeating: "━", count: halves / 2) + (halves % 2 == 0 ? "" : "╸")
    }

    /// Returns how many whole parts out of `total` a value fills, at least one.
    private static func parts(_ value: Int, of most: Int, in total: Double) -> Double {
        max((Double(value) * total / Double(most)).rounded(.down), 1)
    }
}
