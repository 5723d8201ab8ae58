import HaloDevices
import HaloProtocol

/// The picture of a demonstration, for a terminal.
struct DemoPicture {
    private let record: DemoRecord
    private let style: TerminalStyle
    /// The longest line, in characters.
    private let width: Int
    private let columnsPerHour: Int

    /// The label of a chart and its margin, in characters.
    private static let axisWidth = 7
    private static let axisMargin = String(repeating: " ", count: axisWidth + 1)
    private static let widths = 40...120
    private static let secondsPerDay = 24 * 3600
    private static let curveRows = 10
    private static let barRows = 3
    /// The sleep stages from top to bottom, the lightest first.
    private static let stages: [SleepRecord.Stage] = [.awake, .rem, .light, .deep]

    init(_ record: DemoRecord, width: Int, style: TerminalStyle) {
        self.record = record
        self.style = style
        self.width = min(max(width, Self.widths.lowerBound), Self.widths.upperBound)
        columnsPerHour = max((self.width - Self.axisWidth - 1) / 24, 1)
    }

    /// The width of twenty-four hours, in characters.
    private var plotWidth: Int { columnsPerHour * 24 }

    /// The end of the charts: that of the last hour.
    private var end: CivilDateTime {
        let seconds = record.end.secondsSince1970
        return CivilDateTime(secondsSince1970: seconds - seconds % 3600).advanced(bySeconds: 3600)
    }

    private var start: CivilDateTime { end.advanced(bySeconds: -Self.secondsPerDay) }

    /// The lines of the picture, without spaces at their ends.
    var lines: [String] {
        let parts = [summary, heartRate, steps, night, week, failures]
        return Array(parts.filter { !$0.isEmpty }.joined(separator: [""]))
    }

    /// The samples of the charts' hours.
    private func inCharts<Value>(_ samples: [TimedSample<Value>]) -> [TimedSample<Value>] {
        samples.filter { $0.time >= start && $0.time < end }
    }

    /// The seconds from the beginning of the charts to a time.
    private func seconds(_ time: CivilDateTime) -> Int {
        Int(time.secondsSince1970) - Int(start.secondsSince1970)
    }

    /// A line of a chart behind its label.
    private func line(_ label: String, _ text: String) -> String {
        let label = label.rightAligned(Self.axisWidth - 1)
        return style.faint(label) + " " + TextColumns.trimmed(text)
    }

    /// A heading and the facts behind it, on as many lines as they need.
    private func heading(_ title: String, _ facts: [String]) -> [String] {
        let indent = String(repeating: " ", count: title.count + 2)
        let lines = TextLayout.wrapped(facts, separator: " · ", width: width - indent.count)
        guard let first = lines.first else { return [style.strong(title)] }
        return ["\(style.strong(title))  \(first)"] + lines.dropFirst().map { indent + $0 }
    }

    // MARK: Summary

    private var summary: [String] {
        let history = record.history
        let seconds = record.duration.components.seconds
        var lines = heading("halo demo", ["simulated devices", "seed \(record.seed)"])
        lines.append("")
        lines += labelled("found", [text(record.ring), text(record.strap)])
        lines += labelled("connected", [record.firmware, "battery \(record.battery)"])
        lines += labelled(
            "synced",
            [
                keptDays,
                "\(DemoText.grouped(history.heartRates.count)) heart rates",
                "\(DemoText.grouped(history.activity.count)) step counts",
                "\(history.sleep.count) nights and naps",
            ])
        let rates = record.readings.map { "\($0.beatsPerMinute)" }.joined(separator: " ")
        lines += labelled("measured", ["♥ ring \(rates) bpm"])
        if let reading = record.strapReadings.last {
            let intervals = record.strapReadings.flatMap(\.beats).suffix(3)
                .map { "\(Int($0.interval / .milliseconds(1) + 0.5))" }.joined(separator: " ")
            lines += labelled(
                "", ["♥ strap \(reading.beatsPerMinute) bpm", "beats \(intervals) ms apart"])
        }
        lines += labelled("took", ["\(seconds / 60) min \(seconds % 60) s of virtual time"])
        return lines
    }

    /// The days that the ring has kept: `7 of 30 days`.
    private var keptDays: String {
        let days = TextLayout.count(record.days, "day")
        return record.daysNotKept == 0 ? days : "\(record.summaries.count) of \(days)"
    }

    private func text(_ device: DemoRecord.Device) -> String {
        device.rssi.map { "\(device.name) at \($0) dBm" } ?? device.name
    }

    private func labelled(_ label: String, _ facts: [String]) -> [String] {
        let labelWidth = 11
        let lines = TextLayout.wrapped(facts, separator: " · ", width: width - labelWidth)
        return lines.enumerated().map { index, text in
            style.faint(TextColumns.padded(index == 0 ? label : "", labelWidth))
                + (text.hasPrefix("♥") ? style.heart("♥") + text.dropFirst() : text)
        }
    }

    private var failures: [String] {
        record.history.failures.flatMap { failure in
            labelled("not read", ["\(failure.kind)", "\(failure.error)"])
        }
    }

    // MARK: The last twenty-four hours

    private var heartRate: [String] {
        let samples = inCharts(record.history.heartRates)
        let rates = samples.map(\.value)
        guard let least = rates.min(), let most = rates.max() else {
            return heading("Heart rate", ["no values on this day"])
        }
        let mean = rates.reduce(0, +) / rates.count
        var lines = heading(
            "Heart rate", ["\(least) to \(most) bpm", "mean \(mean)"] + otherValues)
        let scale = (low: (least - 2) / 10 * 10, high: (most + 10) / 10 * 10)
        let canvas = curve(samples, scale)
        for row in 0..<Self.curveRows {
            // The value at the upper edge of a row.
            let value = scale.high - (scale.high - scale.low) * row / Self.curveRows
            let label = row % 2 == 0 ? "\(value)" : ""
            let text = TextColumns.trimmed(canvas.row(row))
            lines.append(line(label, "┤" + style.heartRate(text, value)))
        }
        lines.append(axis)
        return lines
    }

    private var otherValues: [String] {
        let history = record.history
        func values<Value>(_ samples: [TimedSample<Value>]) -> [Value] {
            inCharts(samples).map(\.value)
        }
        var facts: [String] = []
        if let range = DemoText.range(values(history.heartRateVariability)) {
            facts.append("HRV \(range) ms")
        }
        let oxygen = values(history.bloodOxygen).flatMap { [$0.least, $0.most] }
        if let range = DemoText.range(oxygen) { facts.append("SpO₂ \(range) %") }
        if let range = DemoText.range(values(history.stress)) { facts.append("stress \(range)") }
        let skin = values(history.temperatures).map { Int(($0 * 10).rounded()) }
        if let least = skin.min(), let most = skin.max() {
            facts.append("skin \(DemoText.tenths(least))–\(DemoText.tenths(most)) °C")
        }
        return facts
    }

    /// The curve through the means of the values in each column of dots. Values more than an hour
    /// and a half apart are not joined.
    private func curve(
        _ samples: [TimedSample<Int>], _ scale: (low: Int, high: Int)
    ) -> Canvas {
        var canvas = Canvas(columns: plotWidth, rows: Self.curveRows)
        var sums = Array(repeating: (sum: 0, count: 0), count: canvas.width)
        for sample in samples {
            let column = seconds(sample.time) * canvas.width / Self.secondsPerDay
            let x = min(max(column, 0), canvas.width - 1)
            sums[x].sum += sample.value
            sums[x].count += 1
        }
        let widestGap = canvas.width * 95 * 60 / Self.secondsPerDay
        let span = max(scale.high - scale.low, 1)
        var previous: (x: Int, y: Int)?
        for (x, column) in sums.enumerated() where column.count > 0 {
            let above = scale.high * column.count - column.sum
            let y = above * (canvas.height - 1) / (span * column.count)
            let first = previous.flatMap { x - $0.x <= widestGap ? $0 : nil } ?? (x, y)
            canvas.line(from: first, to: (x, y))
            previous = (x, y)
        }
        return canvas
    }

    /// The hours below a chart.
    private var axis: String {
        var marks = ""
        for hour in stride(from: 0, to: 24, by: 3) {
            let time = start.advanced(bySeconds: hour * 3600)
            marks += TextColumns.padded("╵\(time.time.hour)", 3 * columnsPerHour)
        }
        let last = "╵\(end.time.hour)"
        if Self.axisWidth + 1 + plotWidth + last.count <= width { marks += last }
        return style.faint(Self.axisMargin + TextColumns.trimmed(marks))
    }

    /// The steps as a bar for each hour.
    private var steps: [String] {
        let activity = inCharts(record.history.activity)
        var hours = Array(repeating: 0, count: 24)
        for sample in activity {
            hours[min(max(seconds(sample.time) / 3600, 0), 23)] += sample.value.steps
        }
        let most = hours.max() ?? 0
        let metres = activity.reduce(0) { $0 + $1.value.metres }
        var lines = heading(
            "Steps",
            [
                DemoText.grouped(hours.reduce(0, +)),
                "\(DemoText.tenths((metres + 50) / 100)) km",
                "most in an hour \(DemoText.grouped(most))",
            ])
        let barWidth = max(columnsPerHour - 1, 1)
        for row in (0..<Self.barRows).reversed() {
            let bars = hours.map { steps in
                let block = BlockBar.vertical(steps, of: most, row: row, rows: Self.barRows)
                return TextColumns.padded(
                    String(repeating: block, count: barWidth), columnsPerHour)
            }
            let label = row == Self.barRows - 1 ? DemoText.grouped(most) : ""
            let text = TextColumns.trimmed(bars.joined())
            lines.append(line(label, "┤" + style.steps(text)))
        }
        lines.append(axis)
        return lines
    }

    // MARK: The last night

    /// The stages of the last night, one in each row.
    private var night: [String] {
        let nights = record.history.sleep.filter { !$0.isNap && $0.end > start }
        guard let night = nights.max(by: { $0.end < $1.end }) else {
            return heading("Sleep", ["no night in these hours"])
        }
        let total = max(night.stages.reduce(0) { $0 + $1.minutes }, 1)
        var facts = [
            "\(DemoText.clock(night.start)) to \(DemoText.clock(night.end))",
            "\(DemoText.hours(night.minutesAsleep)) asleep",
        ]
        let totals = Self.stages.map { DemoText.hours(night.minutes(of: $0)) }
        if !hasRoomForTotals {
            facts += zip(Self.stages, totals).map { "\($0) \($1)" }
        }
        var lines = heading("Sleep", facts)
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

    /// `true` if the total time of a stage fits behind its row.
    private var hasRoomForTotals: Bool {
        width - Self.axisWidth - 1 - plotWidth > DemoText.hours(0).count
    }

    /// The full hours below a night.
    private func axis(of night: SleepRecord, minutes: Int) -> String {
        var marks = ""
        var hour = night.start.advanced(
            bySeconds: (3600 - Int(night.start.secondsSince1970 % 3600)) % 3600)
        while hour < night.end {
            let minute = Int(hour.secondsSince1970 - night.start.secondsSince1970) / 60
            let column = minute * plotWidth / minutes
            let mark = "╵\(hour.time.hour)"
            let room = width - Self.axisWidth - 1
            if column >= marks.count, column + mark.count <= room {
                marks = TextColumns.padded(marks, column) + mark
            }
            hour = hour.advanced(bySeconds: 3600)
        }
        return style.faint(Self.axisMargin + marks)
    }

    // MARK: The week

    /// A table with a line for each day.
    private var week: [String] {
        let days = record.summaries
        let most = days.map(\.steps).max() ?? 0
        let (dayWidth, stepsWidth, sleepWidth, ratesWidth) = (10, 8, 8, 8)
        let barWidth = max(width - dayWidth - stepsWidth - sleepWidth - ratesWidth - 5, 0)
        func cells(_ steps: String, _ sleep: String, _ rates: String) -> String {
            [
                steps.rightAligned(stepsWidth), sleep.rightAligned(sleepWidth),
                rates.rightAligned(ratesWidth),
            ].joined(separator: " ")
        }
        let blank = String(repeating: " ", count: barWidth + 1)
        let title = style.strong(TextColumns.padded("Days", dayWidth))
        let head = "\(title) \(style.faint(blank + cells("steps", "sleep", "bpm")))"
        var lines = [head]
        if record.daysNotKept > 0 {
            let count = TextLayout.count(record.daysNotKept, "earlier day")
            let words = "\(count) not kept: no ring is known to hold a second week"
            lines += TextLayout.wrapped(words.split(separator: " "), separator: " ", width: width)
                .map(style.faint)
        }
        return lines
            + days.map { day in
                let bar = BlockBar.horizontal(day.steps, of: most, width: barWidth)
                let gap = String(repeating: " ", count: max(barWidth - bar.count, 0))
                let sleep = day.sleepMinutes.map(DemoText.hours) ?? day.missingSleep ?? ""
                let rates =
                    day.heartRates.map { "\($0.lowerBound)–\($0.upperBound)" }
                    ?? day.missingHeartRates ?? ""
                let steps = day.missingSteps ?? DemoText.grouped(day.steps)
                let values = cells(steps, sleep, rates)
                return "\(style.faint(DemoText.day(day.date))) \(style.steps(bar))\(gap) \(values)"
            }
    }
}

/// Bars of characters.
enum BlockBar {
    /// Returns the character of a vertical bar in one row, in the finest steps that the glyph set
    /// has. Rows are counted from the bottom.
    ///
    /// A value above 0 has at least one step, so that it shows.
    static func vertical(
        _ value: Int, of most: Int, row: Int, rows: Int, glyphs: GlyphSet = .braille
    ) -> String {
        let steps = glyphs.risingBar
        let perRow = steps.count - 1
        guard value > 0, most > 0, rows > 0, row >= 0 else { return steps[0] }
        let filled = parts(value, of: most, in: Double(rows) * Double(perRow))
        let rest = filled - Double(row) * Double(perRow)
        return steps[Int(min(max(rest, 0), Double(perRow)))]
    }

    /// Returns a thin horizontal bar of at most `width` characters, in steps of a half.
    static func horizontal(
        _ value: Int, of most: Int, width: Int, glyphs: GlyphSet = .braille
    ) -> String {
        guard value > 0, most > 0, width > 0 else { return "" }
        let width = min(width, Canvas.limit.columns)
        let halves = Int(parts(min(value, most), of: most, in: Double(width) * 2))
        let full = String(repeating: glyphs.fullBar, count: halves / 2)
        return full + (halves % 2 == 0 ? "" : glyphs.halfBar)
    }

    /// Returns how many whole parts out of `total` a value fills, at least one.
    private static func parts(_ value: Int, of most: Int, in total: Double) -> Double {
        max((Double(value) * total / Double(most)).rounded(.down), 1)
    }
}
