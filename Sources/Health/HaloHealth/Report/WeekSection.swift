internal import HaloDevices

/// The section of a week: its charts at a glance, and its days.
struct WeekSection {
    let charts: WeekCharts
    let isOnly: Bool
    let isCompact: Bool

    private var known: [ReportDay] { charts.known }

    func html() -> HTMLText {
        guard let first = known.first?.date, let last = known.last?.date else { return "" }
        let heading =
            !isOnly
            ? ReportText.period(first, last)
            : first == last ? "At a glance" : "The week at a glance"
        let kinds = ReportKind.allCases.filter { kind in
            kind != .battery && known.contains { $0.has(kind) || !$0.isUnsupported(kind) }
                || known.contains { $0.has(kind) }
        }
        let sizes = ReportCard.sizes(kinds.count)
        let cards = zip(kinds, sizes).map { card($0, $1) }.joined()
        let days = known.map { day -> HTMLText in
            let charts = DayCharts(day: day, scales: charts.dayScales, isCompact: isCompact)
            return isCompact
                ? CompactDaySection(charts: charts).html() : DaySection(charts: charts).html()
        }
        return """
            <section class="week" id="w\(first.description)"><h2>\(heading)</h2>
            <div class="grid">\(cards)</div>
            \(table(kinds))
            \(days.joined())</section>

            """
    }

    // MARK: Cards

    private func card(_ kind: ReportKind, _ size: ReportChart.Size) -> HTMLText {
        let withValue = known.filter { $0.has(kind) }
        guard !withValue.isEmpty else {
            let reason = known.last?.missingSentence(kind) ?? "Not read."
            return ReportCard.html(kind, size, level: 3, chart: "<p class=\"why\">\(reason)</p>")
        }
        return ReportCard.html(
            kind, size, level: 3, value: Self.headline(kind, withValue),
            chart: charts.chart(kind, size), notes: missingDays(kind))
    }

    /// The value of the whole week, from its days with values.
    static func headline(_ kind: ReportKind, _ days: [ReportDay]) -> ReportValue {
        switch kind {
        case .sleep:
            let minutes = days.compactMap(\.minutesAsleep)
            return ReportValue(minutes: minutes.reduce(0, +) / max(minutes.count, 1))
                .adding("a night")
        case .steps:
            let whole = days.filter(\.isOver)
            let totals = (whole.isEmpty ? days : whole).compactMap { $0.total(kind) }
            return ReportValue(
                kind.number(totals.mean { $0 } ?? 0), whole.isEmpty ? "so far" : "a day")
        case .heartRateVariability, .stress, .temperature:
            let unit = kind.unit == "" ? "" : "\(kind.unit) "
            return ReportValue(
                kind.number(days.compactMap { $0.mean(kind) }.mean { $0 } ?? 0),
                "\(unit)on average")
        case .heartRate, .bloodOxygen, .battery:
            let ranges = days.compactMap { $0.range(kind) }
            let least = ranges.map(\.lowerBound).min() ?? 0
            let most = ranges.map(\.upperBound).max() ?? 0
            return ReportValue(kind.number(min(least, most)...most), kind.unit)
        }
    }

    /// The days without a value, with the reasons in two words: `not worn: Tue, Wed`.
    private func missingDays(_ kind: ReportKind) -> [HTMLText] {
        guard kind != .battery else { return [] }
        var words: [String] = []
        var names: [String: [String]] = [:]
        for day in known where !day.has(kind) {
            let word = day.missingWord(kind)
            if names[word] == nil { words.append(word) }
            names[word, default: []].append("\(ReportText.weekday(day.date).prefix(3))")
        }
        return words.map { word in
            "\(word.capitalizedFirst): \(names[word, default: []].joined(separator: ", "))"
        }
    }

    // MARK: Table

    /// The values of the charts as a table, for screen readers.
    private func table(_ kinds: [ReportKind]) -> HTMLText {
        let head = kinds.map { kind -> HTMLText in "<th scope=\"col\">\(kind.title)</th>" }
        let rows = known.map { day -> HTMLText in
            let cells = kinds.map { kind -> HTMLText in
                let value = WeekCharts.value(kind, day)
                return value.map { "<td>\($0)</td>" }
                    ?? "<td class=\"no\">\(kind == .battery ? "–" : day.missingWord(kind))</td>"
            }
            return "<tr><th scope=\"row\">\(ReportText.day(day.date))</th>\(cells.joined())</tr>"
        }
        return """
            <details><summary>The days in numbers</summary><div class="wide"><table>\
            <thead><tr><th scope="col">Day</th>\(head.joined())</tr></thead>\
            <tbody>\(rows.joined())</tbody></table></div></details>
            """
    }
}

extension ReportDay {
    func isUnsupported(_ kind: ReportKind) -> Bool {
        missingWord(kind) == MissingReason.unsupported.word
    }
}
