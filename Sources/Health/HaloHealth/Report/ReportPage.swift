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
    /// The days from the first one with a value, as far as the page may show them, to today; `nil`
    /// without any value.
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
            let list = history[keyPath: samples.list]
            guard zip(list, list.dropFirst()).contains(where: { $0.time > $1.time }) else { return }
            history[keyPath: samples.list].sort { $0.time < $1.time }
        }
        for samples in RingHistory.sampleKinds { sort(samples) }
        self.history = history
        battery = report.battery.sorted { $0.time < $1.time }
        sleep = Dictionary(grouping: Night.joined(history.sleep)) { $0.end.date }
        workouts = Dictionary(grouping: history.workouts.filter { $0.start != nil }) {
            $0.start?.date ?? report.history.today
        }
        reasons = MissingReasons(history)
        let oldest = history.today.advanced(byDays: 1 - HealthReport.mostDays)
        if let first = ends.min(), first <= history.today {
            days = max(first, oldest ?? first)...history.today
        }
    }

    /// The first and the last day of each list of samples, and all days of sleep and workouts.
    private var ends: [CivilDate] {
        func ends(_ samples: some SampleList) -> [CivilDate] {
            let samples = history[keyPath: samples.list]
            return [samples.first, samples.last].compactMap { $0?.time.date }
        }
        return RingHistory.sampleKinds.flatMap { ends($0) } + sleep.keys + workouts.keys
    }

    /// The number of days.
    private var count: Int { days.map { $0.lowerBound.daysAgo(from: $0.upperBound) + 1 } ?? 0 }

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
        let weeks = weeks
        // The sections of days are short if there are many.
        let isCompact = count > Self.mostDaysInFull
        if weeks.count > 1 { page += navigation(weeks) }
        for week in weeks {
            let charts = WeekCharts(week.map { $0.map { ReportDay($0, self) } })
            page += WeekSection(
                charts: charts, isOnly: weeks.count == 1, isCompact: isCompact
            ).html()
        }
        page += "</main>\n\(Self.footer)\n</body></html>\n"
        return page
    }

    private var title: String {
        guard let days else { return ReportText.period(history.today, history.today) }
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
        let missing = ReportKind.allCases.compactMap(\.history).filter(history.unsupported.contains)
        if !missing.isEmpty {
            remarks.append("The ring does not measure \(missing.map(\.description).inWords).")
        }
        remarks += history.freshness(logging: report.logging)
            .filter(\.hasCeased)
            .map { "\($0)".capitalizedFirst }
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

    /// A sentence on requested days before the first one with values.
    private func earlierDays(before first: CivilDate) -> String? {
        let dates = Set(history.coverage.days.map(\.date).filter { $0 < first })
        guard !dates.isEmpty else { return nil }
        let days = dates.count == 1 ? "1 earlier day has" : "\(dates.count) earlier days have"
        return "\(days) no values: the ring no longer keeps them, or was not worn."
    }

    /// The reasons for a page without values.
    private var nothing: HTMLText {
        let items = ReportKind.allCases.compactMap { kind -> HTMLText? in
            guard let kind = kind.history else { return nil }
            let sentence = reasons.reason(for: kind, on: history.today).sentence(of: kind)
            return "<li><b>\(kind.description.capitalizedFirst)</b> \(sentence)</li>"
        }
        return """
            <section class="card"><h2>There are no values to show.</h2>\
            <ul class="plain">\(items.joined())</ul></section>
            """
    }

    private func navigation(_ weeks: [[CivilDate?]]) -> HTMLText {
        let links = weeks.compactMap { week -> HTMLText? in
            let days = week.compactMap(\.self)
            guard let first = days.first, let last = days.last else { return nil }
            return "<a href=\"#w\(first.description)\">\(ReportText.shortPeriod(first, last))</a>"
        }
        return "<nav aria-label=\"Weeks\">\(links.joined())</nav>\n"
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
