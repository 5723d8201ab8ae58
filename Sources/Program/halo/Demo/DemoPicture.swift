import HaloDevices
import HaloHealth
import HaloTransport

struct DemoPicture {
    let record: DemoRecord
    let charts: HistoryPicture

    var lines: [String] {
        let week = charts.week(record.summaries, earlier: earlierDays)
        let parts = [summary, charts.heartRate, charts.steps, charts.night, week]
        return Array(parts.joined(separator: [""]))
    }

    private var summary: [String] {
        let history = record.history
        let seconds = record.duration.components.seconds
        var lines = charts.heading("halo demo", ["simulated devices", "seed \(record.seed)"])
        lines.append("")
        lines += charts.labelled("found", [text(record.ring), text(record.strap)])
        lines += charts.labelled("connected", [record.firmware, "battery \(record.battery)"])
        lines += charts.labelled(
            "synced",
            [
                keptDays,
                "\(ReportText.grouped(history[.heartRate].count)) heart rates",
                "\(ReportText.grouped(history[.activity].count)) step counts",
                TextLayout.count(history[.sleep].count, "night or nap", "nights and naps"),
            ])
        let rates = record.readings.map { "\($0.beatsPerMinute)" }.joined(separator: " ")
        lines += charts.labelled("measured", ["♥ ring \(rates) bpm"])
        if let reading = record.strapReadings.last {
            let intervals = record.strapReadings.flatMap(\.beats).suffix(3)
                .map { "\(Int($0.interval / .milliseconds(1) + 0.5))" }.joined(separator: " ")
            lines += charts.labelled(
                "", ["♥ strap \(reading.beatsPerMinute) bpm", "beats \(intervals) ms apart"])
        }
        lines += charts.labelled("took", ["\(seconds / 60) min \(seconds % 60) s of virtual time"])
        return lines
    }

    private var earlierDays: String? {
        guard record.daysNotKept > 0 else { return nil }
        let count = TextLayout.count(record.daysNotKept, "earlier day")
        return "\(count) not kept: no ring is known to hold a second week"
    }

    private var keptDays: String {
        let days = TextLayout.count(record.days, "day")
        return record.daysNotKept == 0 ? days : "\(record.summaries.count) of \(days)"
    }

    private func text(_ device: Discovery) -> String {
        device.nameInWords + (device.rssi.map { " at \($0) dBm" } ?? "")
    }
}
