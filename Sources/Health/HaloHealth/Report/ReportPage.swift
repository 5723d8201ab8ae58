internal import HaloDevices

/// The page of a report, by weeks. Days are made when they are written, so that a year needs the
/// memory of a week.
struct ReportPage {
    let report: HealthReport
    /// The history, with its samples in the order of time.
    let history: RingHistory
    let battery: [TimedSample<BatteryCharge>]
    /// The sleep by the day on which it ends; the parts of a night are one record.
    let sleep: [CivilDate: [SleepRecord]]
    let workouts: [CivilDate: [WorkoutRecord]]
    let reasons: MissingReasons
    /// The kinds of which the page has a value.
    private(set) var kinds: [ReportKind] = []
    /// The days from the first one with a value, as far as the page may show them, to the last one
    /// of the report; `nil` without any value.
    private(set) var days: ClosedRange<CivilDate>?

    /// The longest name of a ring that the page shows, in characters.
    private static let longestName = 80
    /// The most days that have a section with all charts.
    private static let mostDaysInFull = 31

    init(_ report: HealthReport) {
        self.report = report
        var history = report.history
        // An app may have changed the lists; one in order is not copied.
        func sort(_ samples: some SampleList) {
            let list = history[samples.log]
            guard zip(list, list.dropFirst()).contains(where: { $0.time > $1.time }) else { return }
            history[samples.log].sort { $0.time < $1.time }
        }
        for samples in RingHistory.sampleKinds { sort(samples) }
        self.history = history
        battery = report.battery.sorted { $0.time < $1.time }
        sleep = Dictionary(grouping: Night.joined(history[.sleep])) { $0.end.date }
        workouts = Dictionary(grouping: history[.workouts].filter { $0.start != nil }) {
            $0.start?.date ?? report.history.today
        }
        reasons = report.reasons
        let oldest = report.last.advanced(byDays: 1 - HealthReport.mostDays)
        if let first = ends.min(), first <= report.last {
            days = max(first, oldest ?? first)...report.last
        }
        kinds = ReportKind.allCases.filter(hasValues)
    }

    private func hasValues(_ kind: ReportKind) -> Bool {
        guard let days else { return false }
        switch kind {
        case .battery: return battery.contains { days ~= $0.time.date }
        case .sleep: return sleep.contains { days ~= $0 && !$1.allSatisfy(\.isNap) }
        default:
            func hasSample(_ samples: some SampleList) -> Bool {
                history[samples.log].contains { days ~= $0.time.date }
            }
            return RingHistory.sampleKinds.first { $0.kind == kind.history }.map { hasSample($0) }
                ?? false
        }
    }

    /// The first and the last day of each list of samples, and all days of sleep and workouts.
    private var ends: [CivilDate] {
        func ends(_ samples: some SampleList) -> [CivilDate] {
            let samples = history[samples.log]
            return [samples.first, samples.last].compactMap { $0?.time.date }
        }
        return RingHistory.sampleKinds.flatMap { ends($0) } + sleep.keys + workouts.keys
    }

    /// The number of days.
    private var count: Int { days.map { $0.lowerBound.daysAgo(from: $0.upperBound) + 1 } ?? 0 }

    /// `true` for a page that has trends, and months in place of weeks and days.
    private var isLong: Bool { count > Self.mostDaysInFull }

    /// The days of the weeks from Monday to Sunday, `nil` for those outside of the report; up to
    /// seven days are one week, whatever its first day.
    var weeks: [[CivilDate?]] {
        guard let days else { return [] }
        let length = min(count, 7)
        let lead = count <= 7 ? 0 : ReportText.weekdayIndex(days.lowerBound)
        return stride(from: -lead, to: count, by: 7).map { start in
            (start..<start + length).map { offset in
                0..<count ~= offset ? days.lowerBound.advanced(byDays: offset) : nil
            }
        }
    }

    /// The days of the months, `nil` for those outside of the report.
    var months: [[CivilDate?]] {
        guard let days else { return [] }
        let lead = days.lowerBound.day - 1
        var months: [[CivilDate?]] = []
        // The last month goes on after the last day.
        for offset in -lead..<count + 31 {
            let date = CivilDateTime(days.lowerBound).advanced(bySeconds: offset * 86_400).date
            if date.day == 1 {
                if offset >= count { break }
                months.append([])
            }
            months[months.count - 1].append(0..<count ~= offset ? date : nil)
        }
        return months
    }

    func html() -> HTMLText {
        var page: HTMLText = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"/>
            <meta http-equiv="Content-Security-Policy" content="\(ReportStyle.policy)"/>
            <meta name="viewport" content="width=device-width, initial-scale=1"/>
            <meta name="color-scheme" content="light dark"/>
            <meta name="referrer" content="no-referrer"/>
            <title>Health report, \(title)</title>
            <style>\(ReportStyle.sheet)</style></head>
            <body>
            \(header)
            <main>

            """
        if days == nil { page += nothing }
        let sections = sections
        if sections.links.count > 1 {
            page += "<nav aria-label=\"\(isLong ? "Months" : "Weeks")\">"
            page += sections.links.joined()
            page += "</nav>\n"
        }
        if isLong { page += TrendSection(self).html() }
        page += sections.html
        page += "</main>\n\(Self.footer)\n</body></html>\n"
        return page
    }

    /// The sections of weeks or months, and the links to them. Days without values are lines in a
    /// section, or between two.
    private var sections: (html: HTMLText, links: [HTMLText]) {
        var (html, links): (HTMLText, [HTMLText]) = ("", [])
        let periods = isLong ? months : weeks
        var gap: ReportGap?
        for period in periods {
            let charts = PeriodCharts(period.map { $0.map { ReportDay($0, self) } })
            let (before, days, after) = parts(charts, since: gap)
            html += before
            gap = after
            guard let first = charts.known.first?.date, let last = charts.known.last?.date,
                charts.known.contains(where: { !$0.isEmpty })
            else { continue }
            let heading =
                isLong
                ? ReportText.monthAndYear(first)
                : periods.count > 1
                    ? ReportText.period(first, last)
                    : first == last ? "At a glance" : "The week at a glance"
            html += PeriodSection(charts: charts, heading: heading, kinds: kinds).html(days)
            let name = isLong ? ReportText.shortMonth(first) : ReportText.shortPeriod(first, last)
            links.append("<a href=\"#\(isLong ? "m" : "w")\(first.description)\">\(name)</a>")
        }
        if let gap { html += gap.html }
        return (html, links)
    }

    /// Returns the lines before the section of a period, those and the days in it, and the days
    /// without values at its end, which may go on.
    private func parts(
        _ charts: PeriodCharts, since open: ReportGap?
    ) -> (before: HTMLText, days: HTMLText, after: ReportGap?) {
        var (before, inside): (HTMLText, HTMLText) = ("", "")
        var gap = open
        var hasBegun = false
        func end() {
            guard let ended = gap else { return }
            if hasBegun { inside += ended.html } else { before += ended.html }
            gap = nil
        }
        for day in charts.known {
            if day.isEmpty {
                if gap?.extend(day) == true { continue }
                end()
                gap = ReportGap(day)
            } else {
                end()
                hasBegun = true
                if isLong { continue }
                let charts = DayCharts(day: day, scales: charts.dayScales)
                inside += DaySection(charts: charts, kinds: kinds).html()
            }
        }
        return (before, inside, gap)
    }

    private var title: String {
        guard let days else { return ReportText.period(report.last, report.last) }
        return ReportText.period(days.lowerBound, days.upperBound)
    }

    // MARK: Header

    private var header: HTMLText {
        let name = report.ring.map { $0.prefix(Self.longestName) } ?? "without a name"
        let offset = history.secondsFromUTC.map(ReportText.offset) ?? "offset from UTC unknown"
        let read =
            history.readAt.map {
                "\(ReportText.day($0.date)) \($0.date.year), \(ReportText.clock($0))"
            }
            ?? "\(ReportText.day(history.today)) \(history.today.year)"
        var facts: HTMLText = """
            <div><dt>Ring</dt><dd><bdi>\(name)</bdi></dd></div>\
            <div><dt>Read</dt><dd>\(read)</dd></div>\
            <div><dt>Ring’s clock</dt><dd>\(offset)</dd></div>
            """
        if let battery = battery.last {
            facts += "<div><dt>Battery</dt><dd>\(battery.value.description)</dd></div>"
        }
        let items = remarks.map { remark -> HTMLText in "<li>\(remark)</li>" }.joined()
        return """
            <header><p class="over">Health report</p><h1>\(title)</h1>
            <dl class="facts">\(facts)</dl>
            <ul class="remarks">\(items)</ul></header>
            """
    }

    private var remarks: [String] {
        var remarks = ["Times are those of the ring’s clock."]
        if let remark = report.remark { remarks.insert(remark, at: 0) }
        let missing = ReportKind.allCases.compactMap(\.history).filter(history.unsupported.contains)
        if !missing.isEmpty {
            remarks.append("The ring does not measure \(missing.map(\.description).inWords).")
        }
        if days != nil { remarks += kindsWithoutValues }
        if report.last == history.today {
            remarks += history.freshness(logging: report.logging)
                .filter(\.hasCeased)
                .map { "\($0)".capitalizedFirst }
        }
        // The other kinds have a place for their errors.
        if let failure = history.failures.first(where: { $0.kind == .workouts }) {
            remarks.append("The workouts were not read: \(failure.error)")
        }
        if let shift = history.clockShift {
            remarks.append(
                "The ring’s clock was \(shift): all dates are those of the wrong clock.")
        }
        if !history.uncertainTimes.isEmpty {
            remarks.append(
                "The ring’s clock was corrected: some values may be of another day.")
        }
        if let first = days?.lowerBound {
            if ends.contains(where: { $0 < first }) {
                remarks.append(
                    "Older days are left out: a page has at most \(HealthReport.mostDays) days.")
            }
            if let earlier = earlierDays(before: first) { remarks.append(earlier) }
        }
        if ends.contains(where: { $0 > history.today }) {
            remarks.append("Values dated after the ring’s current day are left out.")
        }
        return remarks
    }

    /// Sentences on the kinds of which the page has no value, though the ring may measure them.
    private var kindsWithoutValues: [String] {
        var sentences: [String] = []
        var titles: [String: [String]] = [:]
        for kind in ReportKind.allCases where !kinds.contains(kind) {
            guard let history = kind.history else { continue }
            // What could not be read says more than a last day that has just begun.
            let failed = self.history.coverage.dates(of: history, .failed).last
            let reason = reasons.reason(for: history, on: failed ?? report.last)
            if reason == .unsupported { continue }
            let hasNaps = sleep.keys.contains { days?.contains($0) == true }
            let sentence =
                kind == .sleep && hasNaps
                ? "The ring has stored no night." : reason.sentence(of: history)
            if titles[sentence] == nil { sentences.append(sentence) }
            titles[sentence, default: []].append(kind.title)
        }
        return sentences.map { "\(titles[$0, default: []].joined(separator: ", ")): \($0)" }
    }

    /// A sentence on requested days before the first one with values.
    private func earlierDays(before first: CivilDate) -> String? {
        if let wanted = report.first, let last = first.daysEarlier(1), wanted <= last {
            let reason = reasons.reason(for: .heartRate, on: last)
            if case .notSynced = reason {
                return "\(ReportText.period(wanted, last)): \(reason.sentence(of: .heartRate))"
            }
        }
        let dates = Set(history.coverage.days.map(\.date).filter { $0 < first })
        guard !dates.isEmpty else { return nil }
        let days = dates.count == 1 ? "1 earlier day has" : "\(dates.count) earlier days have"
        return "\(days) no values: the ring no longer keeps them, or was not worn."
    }

    /// The reasons for a page without values.
    private var nothing: HTMLText {
        let items = ReportKind.allCases.compactMap { kind -> HTMLText? in
            guard let kind = kind.history else { return nil }
            let sentence = reasons.reason(for: kind, on: report.last).sentence(of: kind)
            return "<li><b>\(kind.description.capitalizedFirst)</b> \(sentence)</li>"
        }
        return """
            <section class="card"><h2>There are no values to show.</h2>\
            <ul class="plain">\(items.joined())</ul></section>
            """
    }

    // MARK: Footer

    private static let footer: HTMLText = """
        <footer><p>This page shows what a ring has stored. A ring is not a medical device, and the \
        page makes no diagnosis. If you are worried about your health, talk to a doctor.</p>\
        <p>Everything is in this one file: it loads nothing, and sends nothing.</p></footer>
        """
}

extension Array<String> {
    /// The words as a list of a sentence: `a, b or c`.
    fileprivate var inWords: String {
        count < 2 ? first ?? "" : dropLast().joined(separator: ", ") + " or " + (last ?? "")
    }
}

extension String {
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
