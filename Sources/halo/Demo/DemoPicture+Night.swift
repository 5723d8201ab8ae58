import HaloDevices
import HaloProtocol

/// The last night, and the week.
extension DemoPicture {
    /// The stages of the last night, each in a lane of its own.
    var night: [String] {
        guard
            let night = record.history.sleep.filter({ !$0.isNap && $0.end > start }).max(
                by: { $0.end < $1.end })
        else { return heading("Sleep", ["no night in these hours"]) }
        let total = max(night.stages.reduce(0) { $0 + $1.minutes }, 1)
        var facts = [
            "\(DemoText.clock(night.start)) to \(DemoText.clock(night.end))",
            "\(DemoText.hours(DemoNight.minutesAsleep(of: night))) asleep",
        ]
        let totals = DemoNight.stages.map { DemoText.hours(DemoNight.minutes(of: $0, in: night)) }
        if !hasRoomForTotals {
            facts += zip(DemoNight.stages, totals).map { "\($0.label) \($1)" }
        }
        var lines = heading("Sleep", facts)
        let stages = (0..<plotWidth).map { column in
            DemoNight.stage(
                in: night, from: column * total / plotWidth,
                to: max((column + 1) * total / plotWidth, column * total / plotWidth + 1))
        }
        for (lane, total) in zip(DemoNight.stages, totals) {
            let blocks = TextColumns.trimmed(stages.map { $0 == lane ? "▆" : " " }.joined())
            let gap = String(repeating: " ", count: plotWidth - blocks.count + 1)
            let behind = hasRoomForTotals ? gap + style.faint(total) : ""
            lines.append(line(lane.label.description, "┤" + style.sleep(blocks, lane)) + behind)
        }
        lines.append(axis(of: night, minutes: total))
        return lines
    }

    /// Whether the time that a stage took in all fits behind its lane.
    private var hasRoomForTotals: Bool {
        width - Self.axisWidth - 1 - plotWidth > DemoText.hours(0).count
    }

    /// The full hours of a night.
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
        return style.faint(String(repeating: " ", count: Self.axisWidth + 1) + marks)
    }

    /// A line for each day.
    var week: [String] {
        let days = DemoDay.days(of: record.history, count: record.options.days)
        let most = days.map(\.steps).max() ?? 0
        let columns = (day: 10, steps: 7, sleep: 8, rates: 8)
        let barWidth = width - columns.day - columns.steps - columns.sleep - columns.rates - 5
        let blank = String(repeating: " ", count: max(barWidth, 0) + 1)
        var lines = [
            style.strong(TextColumns.padded("Days", columns.day)) + " "
                + style.faint(
                    blank + DemoText.right("steps", columns.steps) + " "
                        + DemoText.right("sleep", columns.sleep) + " "
                        + DemoText.right("bpm", columns.rates))
        ]
        for day in days {
            let bar = BlockBar.lying(day.steps, of: most, width: barWidth)
            let sleep = day.sleepMinutes.map(DemoText.hours) ?? "–"
            let rates = day.heartRates.map { "\($0.least)–\($0.most)" } ?? "–"
            lines.append(
                style.faint(DemoText.day(day.date)) + " "
                    + style.steps(bar)
                    + String(repeating: " ", count: max(barWidth - bar.count, 0)) + " "
                    + DemoText.right(DemoText.grouped(day.steps), columns.steps) + " "
                    + DemoText.right(sleep, columns.sleep) + " "
                    + DemoText.right(rates, columns.rates))
        }
        return lines
    }
}
