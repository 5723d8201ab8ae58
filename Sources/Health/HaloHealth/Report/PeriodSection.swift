internal import HaloDevices

/// The section of a week or a month: its charts at a glance, and its days.
struct PeriodSection {
    let charts: PeriodCharts
    let heading: String
    /// The kinds of which the page has a value.
    let kinds: [ReportKind]

    private var known: [ReportDay] { charts.known }

    /// Returns the section.
    ///
    /// - Parameter days: The sections of the days, and the lines for days without values.
    func html(_ days: HTMLText) -> HTMLText {
        guard let first = known.first?.date else { return "" }
        let kinds = kinds.filter { kind in
            known.contains { $0.has(kind) || kind != .battery && !$0.isUnsupported(kind) }
        }
        let sizes = ReportCard.sizes(kinds.count)
        let cards = zip(kinds, sizes).map { card($0, $1) }.joined()
        return """
            <section class="\(charts.isMonth ? "month" : "week")" \
            id="\(charts.isMonth ? "m" : "w")\(first.description)"><h2>\(heading)</h2>
            <div class="grid">\(cards)</div>
            \(table(kinds))
            \(days)</section>

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

    /// The value of the whole period, from its days with values. Means are of whole days, if there
    /// are any.
    static func headline(_ kind: ReportKind, _ days: [ReportDay]) -> ReportValue {
        let whole = days.filter { $0.isWhole(kind) }
        let counted = whole.isEmpty ? days : whole
        switch kind {
        case .sleep:
            let minutes = counted.compactMap(\.minutesAsleep)
            return ReportValue(minutes: minutes.reduce(0, +) / max(minutes.count, 1))
                .adding("a night")
        case .steps:
            let totals = counted.compactMap { $0.total(kind) }
            return ReportValue(
                kind.number(totals.mean { $0 } ?? 0), whole.isEmpty ? "so far" : "a day")
        case .heartRateVariability, .stress, .temperature:
            let unit = kind.unit == "" ? "" : "\(kind.unit) "
            return ReportValue(
                kind.number(counted.compactMap { $0.mean(kind) }.mean { $0 } ?? 0),
                "\(unit)on average")
        case .heartRate, .bloodOxygen, .battery:
            let ranges = days.compactMap { $0.range(kind) }
            let least = ranges.map(\.lowerBound).min() ?? 0
            let most = ranges.map(\.upperBound).max() ?? 0
            return ReportValue(kind.number(min(least, most)...most), kind.unit)
        }
    }

    /// The days without a value, with the reasons in two words: `not worn: Tue, Wed`, or of a
    /// month `not worn: 3, 5–7`.
    private func missingDays(_ kind: ReportKind) -> [HTMLText] {
        guard kind != .battery else { return [] }
        var words: [String] = []
        var dates: [String: [CivilDate]] = [:]
        for day in known where !day.has(kind) {
            let word = day.missingWord(kind)
            if dates[word] == nil { words.append(word) }
            dates[word, default: []].append(day.date)
        }
        return words.map { word in
            "\(word.capitalizedFirst): \(names(dates[word, default: []]).joined(separator: ", "))"
        }
    }

    private func names(_ dates: [CivilDate]) -> [String] {
        guard charts.isMonth else { return dates.map { "\(ReportText.weekday($0).prefix(3))" } }
        var runs: [(first: Int, last: Int)] = []
        for day in dates.map(\.day) {
            if let run = runs.last, run.last + 1 == day {
                runs[runs.count - 1].last = day
            } else {
                runs.append((day, day))
            }
        }
        return runs.map { $0 == $1 ? "\($0)" : "\($0)–\($1)" }
    }

    // MARK: Table

    /// The values of the charts as a table, for screen readers.
    private func table(_ kinds: [ReportKind]) -> HTMLText {
        let head = kinds.map { kind -> HTMLText in "<th scope=\"col\">\(kind.title)</th>" }
        let rows = ReportGap.runs(known).map { run -> HTMLText in
            switch run {
            case .day(let day): row(day, kinds)
            case .gap(let gap):
                """
                <tr><th scope="row">\(gap.shortName)</th><td class="no" \
                colspan="\(kinds.count)">\(gap.sentence)</td></tr>
                """
            }
        }
        return """
            <details><summary>The days in numbers</summary><div class="wide"><table>\
            <thead><tr><th scope="col">Day</th>\(head.joined())</tr></thead>\
            <tbody>\(rows.joined())</tbody></table></div></details>
            """
    }

    private func row(_ day: ReportDay, _ kinds: [ReportKind]) -> HTMLText {
        let cells = kinds.map { kind -> HTMLText in
            PeriodCharts.value(kind, day).map { "<td>\($0)</td>" }
                ?? "<td class=\"no\">\(kind == .battery ? "–" : day.missingWord(kind))</td>"
        }
        let until = day.untilInWords.map { ", \($0)" } ?? ""
        return
            "<tr><th scope=\"row\">\(ReportText.day(day.date))\(until)</th>\(cells.joined())</tr>"
    }
}

extension ReportDay {
    func isUnsupported(_ kind: ReportKind) -> Bool {
        missingWord(kind) == MissingReason.unsupported.word
    }
}
