internal import HaloDevices
internal import HaloProtocol

/// The section of a day, with a chart of each kind.
struct DaySection {
    let charts: DayCharts
    /// The kinds of which the page has a value.
    let kinds: [ReportKind]
    private var day: ReportDay { charts.day }

    private static let mostListed = 12

    func html() -> HTMLText {
        let kinds = kinds.filter(day.has)
        let cards = zip(kinds, Self.sizes(kinds)).map(card).joined()
        // Beside the only card there is room.
        let missing = missing
        return """
            <section class="day" id="d\(day.date.description)">\(Self.heading(day))
            <div class="grid">\(cards)\(kinds.count == 1 ? missing : "")</div>
            \(kinds.count == 1 ? "" : missing)\(kinds.isEmpty ? "" : table(kinds))</section>

            """
    }

    /// The sizes of the cards: sleep and heart rate have half of a row each, where both are there.
    private static func sizes(_ kinds: [ReportKind]) -> [ReportChart.Size] {
        guard kinds.starts(with: [.sleep, .heartRate]) else { return ReportCard.sizes(kinds.count) }
        return [.half, .half] + ReportCard.sizes(kinds.count - 2)
    }

    /// The reasons for the kinds without values, in words.
    private var missing: HTMLText {
        let kinds = kinds.filter {
            $0 != .battery && !day.has($0) && !day.isUnsupported($0)
        }
        if kinds.isEmpty { return "" }
        let items = kinds.map { kind -> HTMLText in
            "<li><b>\(kind.title)</b> \(day.missingSentence(kind))</li>"
        }
        return "<ul class=\"missing\">\(items.joined())</ul>"
    }

    /// The date, the offset of the clock, and what has no chart: naps and workouts.
    static func heading(_ day: ReportDay) -> HTMLText {
        let offset = day.offsets.last.map { offset -> HTMLText in
            "<i>\(ReportText.offset(offset))</i>"
        }
        let until = day.untilInWords.map { until -> HTMLText in " <i>\(until)</i>" }
        var heading: HTMLText = """
            <h3>\(ReportText.weekday(day.date)) <small>\(ReportText.dayAndMonth(day.date)) \
            \(offset ?? "")\(until ?? "")</small></h3>
            """
        if let first = day.offsets.first, let last = day.offsets.last, day.offsets.count > 1 {
            heading += """
                <p class="note">On this day the ring’s clock changed from \
                \(ReportText.offset(first)) to \(ReportText.offset(last)).</p>
                """
        }
        let list = naps(day) + workouts(day)
        if !list.isEmpty {
            let items = list.prefix(mostListed).map { item -> HTMLText in "<li>\(item)</li>" }
            heading += "<ul class=\"chips\">\(items.joined())</ul>"
        }
        return heading
    }

    private static func naps(_ day: ReportDay) -> [String] {
        day.naps.map { nap in
            """
            \(nap.isNap ? "Nap" : "Other sleep") \(ReportText.clock(nap.start))–\
            \(ReportText.clock(nap.end)), \(ReportText.duration(nap.minutesAsleep)) asleep
            """
        }
    }

    private static func workouts(_ day: ReportDay) -> [String] {
        day.workouts.map { workout in
            var parts = [(workout.sport?.label ?? "workout").capitalizedFirst]
            if let start = workout.start { parts[0] += " \(ReportText.clock(start))" }
            if let duration = workout.duration { parts.append("\(duration.wholeMinutes) min") }
            if let metres = workout.metres, metres > 0 {
                parts.append("\(ReportText.grouped(metres)) m")
            }
            if let beats = workout.averageBeatsPerMinute { parts.append("mean \(beats) bpm") }
            return parts.joined(separator: ", ")
        }
    }

    // MARK: Cards

    private func card(_ kind: ReportKind, _ size: ReportChart.Size) -> HTMLText {
        ReportCard.html(
            kind, size, level: 4, value: Self.headline(kind, day),
            chart: charts.chart(kind, size), notes: notes(kind))
    }

    static func headline(_ kind: ReportKind, _ day: ReportDay) -> ReportValue {
        switch kind {
        case .sleep:
            guard let night = day.night else { return ReportValue() }
            let (start, end) = (ReportText.clock(night.start), ReportText.clock(night.end))
            return ReportValue(minutes: night.minutesAsleep).adding("asleep, \(start)–\(end)")
        case .steps:
            let kilometres = ChartNumber.text(day.metres / 1000, decimals: 1) ?? "–"
            return ReportValue(kind.number(day.total(kind) ?? 0), "\(kilometres) km")
        default:
            guard let range = day.range(kind), let mean = day.mean(kind) else {
                return ReportValue()
            }
            let value = ReportValue(kind.number(range), kind.unit)
            return kind == .battery || range.lowerBound == range.upperBound
                ? value : value.adding("mean \(kind.number(mean))")
        }
    }

    private static func legend(_ night: SleepRecord) -> HTMLText {
        let stages = DayCharts.stages + [(.unclassified, "s0")]
        return stages.filter { night.minutes(of: $0.stage) > 0 }.map { stage, style -> HTMLText in
            """
            <span class="key \(style)"><i></i>\(DayCharts.name(stage)) \
            \(ReportText.duration(night.minutes(of: stage)))</span>
            """
        }.joined()
    }

    private func notes(_ kind: ReportKind) -> [HTMLText] {
        var notes: [HTMLText] = []
        if kind == .sleep, let night = day.night { notes.append(Self.legend(night)) }
        if kind == .heartRate, !day.asleep.isEmpty {
            notes.append("<span class=\"key\"><i class=\"night\"></i>Asleep</span>")
        }
        if kind == .heartRate, let beats = day.figures.restingBeatsPerMinute {
            notes.append("<span class=\"key\"><i class=\"dash\"></i>Resting \(beats) bpm</span>")
        }
        for figure in day.figures.others.prefix(Self.mostListed) where figure.kind == kind.history {
            notes.append("\(figure.name) <b>\(figure.text)</b>")
        }
        if let until = day.untilInWords(kind), until != day.untilInWords {
            notes.append("\(until.capitalizedFirst)")
        }
        let gaps = day.gaps(kind)
        if !gaps.isEmpty { notes.append("No values \(gaps.joined(separator: ", "))") }
        return notes
    }

    // MARK: Table

    /// The values by the hour as a table, for screen readers.
    private func table(_ all: [ReportKind]) -> HTMLText {
        let kinds = all.filter { $0 != .sleep && day.has($0) }
        let ranges = kinds.map { day.hourRanges($0) }
        let head = kinds.map { kind -> HTMLText in "<th scope=\"col\">\(kind.title)</th>" }
        let rows = (0..<24).map { hour -> HTMLText in
            let cells = zip(kinds, ranges).map { kind, ranges -> HTMLText in
                ranges[hour].map { "<td>\(kind.text($0))</td>" } ?? "<td class=\"no\">–</td>"
            }
            return "<tr><th scope=\"row\">\(DecimalText.two(hour)):00</th>\(cells.joined())</tr>"
        }
        let stages = (day.night?.stages ?? []).map { stage -> HTMLText in
            """
            <li>\(ReportText.clock(stage.time)) \(DayCharts.name(stage.value)), \
            \(stage.minutes) min</li>
            """
        }
        let night: HTMLText =
            stages.isEmpty
            ? "" : "<h4>Stages of sleep</h4><ol class=\"stages\">\(stages.joined())</ol>"
        return """
            <details><summary>\(ReportText.weekday(day.date)) in numbers</summary>\
            <div class="wide"><table><thead><tr><th scope="col">Hour</th>\(head.joined())</tr>\
            </thead><tbody>\(rows.joined())</tbody></table></div>\(night)</details>
            """
    }
}
