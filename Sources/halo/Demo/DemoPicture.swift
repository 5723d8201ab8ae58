import HaloDevices
import HaloProtocol

/// A demonstration as a picture for a terminal.
struct DemoPicture {
    let record: DemoRecord
    let style: TerminalStyle
    /// How wide a line may be.
    let width: Int
    /// How many characters stand for an hour.
    let columnsPerHour: Int

    /// What stands left of a chart: a label and its margin.
    static let axisWidth = 7
    private static let widths = 40...120

    init(_ record: DemoRecord, width: Int, style: TerminalStyle) {
        self.record = record
        self.style = style
        self.width = min(max(width, Self.widths.lowerBound), Self.widths.upperBound)
        columnsPerHour = max((self.width - Self.axisWidth - 1) / 24, 1)
    }

    /// How many characters the twenty-four hours take.
    var plotWidth: Int { columnsPerHour * 24 }

    /// When the picture's hours end: with the hour that runs.
    var end: CivilDateTime {
        let seconds = record.end.secondsSince1970
        return CivilDateTime(secondsSince1970: seconds - seconds % 3600).advanced(bySeconds: 3600)
    }

    /// When they begin.
    var start: CivilDateTime { end.advanced(bySeconds: -24 * 3600) }

    /// All of it, line by line, without spaces at the ends of lines.
    var lines: [String] {
        let parts = [story, heartRate, steps, night, week, closing]
        return Array(parts.filter { !$0.isEmpty }.joined(separator: [""]))
    }

    /// A line that begins with what stands left of a chart.
    func line(_ label: String, _ text: String) -> String {
        let padded = DemoText.right(label, Self.axisWidth - 1)
        return style.faint(padded) + " " + TextColumns.trimmed(text)
    }

    /// A heading with what is to be said beside it, on as many lines as that needs.
    func heading(_ title: String, _ parts: [String]) -> [String] {
        let indent = String(repeating: " ", count: title.count + 2)
        let lines = DemoText.wrapped(parts, width: width - indent.count)
        guard let first = lines.first else { return [style.strong(title)] }
        return ["\(style.strong(title))  \(first)"] + lines.dropFirst().map { indent + $0 }
    }
}

extension DemoPicture {
    private var story: [String] {
        let record = record
        let days = record.options.days
        let minutes = record.duration.components.seconds / 60
        let seconds = record.duration.components.seconds % 60
        let history = record.history
        let read = [
            "\(DemoText.grouped(history.heartRates.count)) heart rates",
            "\(DemoText.grouped(history.activity.count)) step counts",
            "\(history.sleep.count) nights and naps",
        ]
        var lines = heading("halo demo", ["nothing here is real", "seed \(record.options.seed)"])
        lines.append("")
        lines += told("heard", [device(record.ring), device(record.strap)])
        lines += told("connected", [record.firmware, "battery \(record.battery)"])
        lines += told("synced", ["\(days) \(days == 1 ? "day" : "days")"] + read)
        let rates = record.beats.map { "\($0.bpm)" }.joined(separator: " ")
        lines += told("measured", ["♥ ring \(rates) bpm"])
        if let beat = record.strapBeats.last {
            let intervals = record.strapBeats.flatMap(\.measurement.rrMilliseconds)
                .suffix(3).map { "\(Int($0 + 0.5))" }.joined(separator: " ")
            lines += told("", ["♥ strap \(beat.bpm) bpm", "beats \(intervals) ms apart"])
        }
        lines += told("took", ["\(minutes) min \(seconds) s of the ring's time"])
        return lines
    }

    private func device(_ device: DemoRecord.Device) -> String {
        device.rssi.map { "\(device.name) at \($0) dBm" } ?? device.name
    }

    private func told(_ label: String, _ parts: [String]) -> [String] {
        let labelWidth = 11
        return DemoText.wrapped(parts, width: width - labelWidth).enumerated().map { index, text in
            let isHeart = text.hasPrefix("♥")
            return style.faint(TextColumns.padded(index == 0 ? label : "", labelWidth))
                + (isHeart ? style.heart("♥") + text.dropFirst() : text)
        }
    }

    private var closing: [String] {
        let history = record.history
        return history.failures.flatMap { failure in
            told("not read", ["\(failure.kind)", "\(failure.error)"])
        }
    }
}
