import HaloDevices
import HaloProtocol

/// The last twenty-four hours.
extension DemoPicture {
    private static let curveRows = 8
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
        let scale = (low: (least - 5) / 20 * 20, high: (most + 24) / 20 * 20)
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

    /// Each dot stands for some minutes, and goes from the least to the most of them.
    private func curve(
        _ samples: [TimedSample<Int>], _ scale: (low: Int, high: Int)
    ) -> BrailleCanvas {
        var canvas = BrailleCanvas(columns: plotWidth, rows: Self.curveRows)
        func height(_ value: Int) -> Int {
            let span = max(scale.high - scale.low, 1)
            return (scale.high - value) * (canvas.height - 1) / span
        }
        var previous: (x: Int, y: Int)?
        for sample in samples {
            let seconds = Int(sample.time.secondsSince1970) - Int(start.secondsSince1970)
            let x = seconds * canvas.width / (24 * 3600)
            let y = height(sample.value)
            if let previous, x - previous.x <= 6 {
                for (step, column) in (previous.x...x).enumerated() {
                    let steps = max(x - previous.x, 1)
                    let from = previous.y + (y - previous.y) * max(step - 1, 0) / steps
                    let to = previous.y + (y - previous.y) * step / steps
                    for dot in min(from, to)...max(from, to) { canvas.dot(column, dot) }
                }
            }
            canvas.dot(x, y)
            previous = (x, y)
        }
        return canvas
    }

    /// The hours under a chart.
    var axis: String {
        var marks = ""
        for hour in stride(from: 0, to: 24, by: 3) {
            let time = start.advanced(bySeconds: hour * 3600)
            let label = "\(time.time.hour)"
            marks += TextColumns.padded("╵" + label, 3 * columnsPerHour)
        }
        marks += "╵\(end.time.hour)"
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
