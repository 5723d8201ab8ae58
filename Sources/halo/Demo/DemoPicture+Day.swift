import HaloDevices
import HaloProtocol

/// The last twenty-four hours.
extension DemoPicture {
    private static let day = 24 * 3600
    private static let curveRows = 10
    private static let barRows = 3

    /// The heart rate as a curve.
    var heartRate: [String] {
        let samples = record.history.heartRates.filter { $0.time >= start && $0.time < end }
        let rates = samples.map(\.value)
        guard let least = rates.min(), let most = rates.max() else {
            return heading("Heart rate", ["nothing of this day"])
        }
        let mean = rates.reduce(0, +) / rates.count
        var lines = heading(
            "Heart rate",
            ["\(least) to \(most) bpm", "mean \(mean)"] + otherValues)
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
        func today<Value>(_ samples: [TimedSample<Value>]) -> [Value] {
            samples.filter { $0.time >= start && $0.time < end }.map(\.value)
        }
        var parts: [String] = []
        if let range = DemoText.range(today(history.variability)) {
            parts.append("HRV \(range) ms")
        }
        let oxygen = today(history.bloodOxygen).flatMap { [$0.least, $0.most] }
        if let range = DemoText.range(oxygen) { parts.append("SpO₂ \(range) %") }
        if let range = DemoText.range(today(history.stress)) { parts.append("stress \(range)") }
        let skin = today(history.temperatures).map { Int(($0 * 10).rounded()) }
        if let least = skin.min(), let most = skin.max() {
            parts.append("skin \(DemoText.tenths(least))–\(DemoText.tenths(most)) °C")
        }
        return parts
    }

    /// A column of dots stands for some minutes, and shows their mean; what lies further apart than
    /// an hour and a half is not joined.
    private func curve(
        _ samples: [TimedSample<Int>], _ scale: (low: Int, high: Int)
    ) -> BrailleCanvas {
        var canvas = BrailleCanvas(columns: plotWidth, rows: Self.curveRows)
        var sums = Array(repeating: (sum: 0, count: 0), count: canvas.width)
        for sample in samples {
            let seconds = Int(sample.time.secondsSince1970) - Int(start.secondsSince1970)
            let x = min(max(seconds * canvas.width / Self.day, 0), canvas.width - 1)
            sums[x].sum += sample.value
            sums[x].count += 1
        }
        let widestGap = canvas.width * 95 * 60 / Self.day
        let span = max(scale.high - scale.low, 1)
        var previous: (x: Int, y: Int)?
        for (x, column) in sums.enumerated() where column.count > 0 {
            let above = scale.high * column.count - column.sum
            let y = above * (canvas.height - 1) / (span * column.count)
            let first = previous.flatMap { x - $0.x <= widestGap ? $0 : nil } ?? (x, y)
            join(first, (x, y), in: &canvas)
            previous = (x, y)
        }
        return canvas
    }

    /// Draws a line without gaps from one dot to another one that does not lie left of it.
    private func join(
        _ first: (x: Int, y: Int), _ last: (x: Int, y: Int), in canvas: inout BrailleCanvas
    ) {
        let steps = max(last.x - first.x, 1)
        var y = first.y
        for step in 0...(last.x - first.x) {
            let next = first.y + (last.y - first.y) * step / steps
            for dot in min(y, next)...max(y, next) { canvas.dot(first.x + step, dot) }
            y = next
        }
    }

    /// The hours under a chart.
    var axis: String {
        var marks = ""
        for hour in stride(from: 0, to: 24, by: 3) {
            let time = start.advanced(bySeconds: hour * 3600)
            let label = "\(time.time.hour)"
            marks += TextColumns.padded("╵" + label, 3 * columnsPerHour)
        }
        let last = "╵\(end.time.hour)"
        if Self.axisWidth + 1 + plotWidth + last.count <= width { marks += last }
        marks = TextColumns.trimmed(marks)
        return style.faint(String(repeating: " ", count: Self.axisWidth + 1) + marks)
    }

    /// Steps as a bar for each hour.
    var steps: [String] {
        let activity = record.history.activity.filter { $0.time >= start && $0.time < end }
        var hours = Array(repeating: 0, count: 24)
        for sample in activity {
            let seconds = Int(sample.time.secondsSince1970) - Int(start.secondsSince1970)
            hours[min(max(seconds / 3600, 0), 23)] += sample.value.steps
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
                let block = BlockBar.upright(steps, of: most, row: row, rows: Self.barRows)
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
}
