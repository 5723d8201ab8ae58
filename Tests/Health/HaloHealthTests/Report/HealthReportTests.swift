import HaloDevices
import HaloProtocol
import TestSupport
import Testing

@testable import HaloHealth

/// The page of a report, read by a strict reader.
@Suite(.passesTime) struct HealthReportTests {
    private typealias Made = MadeHistory

    // MARK: Structure

    @Test(arguments: [1, 2, 7, 8, 31])
    func hasASectionForEachDay(days: Int) throws {
        let page = try Self.read(Made.full(days: days))
        let sections = page.all("section", "day")
        #expect(sections.count == days)
        #expect(sections.last?.attributes["id"] == "d2026-03-15")
        // The period begins on some day of the week: an eighth day is in a second calendar week.
        let lead = (6 - (days - 1) % 7 + 7) % 7
        #expect(page.all("section", "week").count == (days <= 7 ? 1 : (days + lead + 6) / 7))
        // Sunday's week begins on Monday; up to seven days are one week, whatever their first day.
        let first = days < 7 ? "w2026-03-\(16 - days)" : "w2026-03-09"
        #expect(page.all("section", "week").last?.attributes["id"] == first)
        #expect(page.all("nav").count == (days <= 7 ? 0 : 1))
    }

    /// A page of a quarter or a year has trends and months, and no section for each day.
    @Test(arguments: [(32, 2), (92, 4), (366, 13)])
    func aLongPageHasTrendsAndMonths(days: Int, months: Int) throws {
        let page = try Self.read(Made.full(days: days))
        #expect(page.all("section", "day").isEmpty && page.all("section", "week").isEmpty)
        #expect(page.all("section", "month").count == months)
        #expect(page.all("section", "month").last?.attributes["id"] == "m2026-03-01")
        #expect(page.all("section", "trends").count == 1)
        // Seven kinds in each month, and four trends.
        #expect(page.all("svg").count == 7 * months + 4)
        // The months, the weekdays, the weekends and all days; a row for each week, and each day.
        let rows = page.elements.filter { $0.name == "tr" && $0.path.last == "tbody" }
        let weeks = ReportPage(HealthReport(Made.full(days: days))).weeks.count
        #expect(rows.count == months + 3 + weeks + days)
    }

    /// The trends are means of the days that are over, by weeks and months, weekdays and weekends.
    @Test func trendsAreMeansOfWholeDays() throws {
        var history = RingHistory(today: Made.today, readAt: Made.time(Made.today, 600))
        for daysAgo in 0..<70 {
            let date = try #require(Made.today.advanced(byDays: -daysAgo))
            // Sunday the 15th of March is today; Saturdays and Sundays have twice the steps.
            let isWeekend = ReportText.weekdayIndex(date) >= 5
            let steps = (date.month == 1 ? 3000 : 4000) * (isWeekend ? 2 : 1)
            history.coverage[.activity, date] = .read
            history.activity.append(
                TimedSample(
                    time: Made.time(date, 480), minutes: 15,
                    value: ActivityAmount(steps: daysAgo == 0 ? 9 : steps, metres: 10)))
        }
        let page = HealthReport(history).html()
        let rows = page.matches(of: /<tr><th scope="row">([^<]*)<\/th><td>([^<]*)<\/td><\/tr>/)
        let texts = rows.prefix(6).map { "\($0.1) \($0.2)" }
        // January from the 5th: 19 weekdays and 8 days of weekends; March without today.
        #expect(
            texts == [
                "Jan 2026 3,778", "Feb 2026 5,143", "Mar 2026 5,143", "Weekdays 3,600",
                "Weekends 7,263", "All days 4,609",
            ])
        #expect(page.contains("Weekdays <b>3,600</b> · Weekends <b>7,263</b>"))
    }

    /// The mean of a month is a line over the weeks whose middle is in it. The first week has three
    /// days of December and four of January, so December has a row of the table, but no line.
    @Test func aWeekBelongsToTheMonthOfItsMiddle() throws {
        var history = RingHistory(today: Made.today, readAt: Made.time(Made.today, 600))
        for daysAgo in 0..<77 {
            let date = try #require(Made.today.advanced(byDays: -daysAgo))
            history.coverage[.activity, date] = .read
            history.activity.append(
                TimedSample(
                    time: Made.time(date, 480), minutes: 15,
                    value: ActivityAmount(steps: 1000 * date.month, metres: 10)))
        }
        let page = HealthReport(history).html()
        let chart = try #require(page.firstMatch(of: /<path class="z" d="([^"]*)"/))
        #expect(page.contains("<th scope=\"row\">Dec 2025</th><td>12,000</td>"))
        let widths = chart.1.matches(of: /h(\d+)/).compactMap { Int($0.1) }
        let week = widths.reduce(0, +) / 11
        #expect(widths.map { ($0 + week / 2) / week } == [5, 4, 2], "\(widths)")
    }

    @Test func eachPictureHasWords() throws {
        for days in [2, 40] {
            let page = try Self.read(Made.full(days: days))
            let pictures = page.all("svg")
            #expect(pictures.count > 17)
            #expect(pictures.allSatisfy { $0.attributes["role"] == "img" })
            #expect(page.all("desc").count == pictures.count)
            #expect(page.all("desc").allSatisfy { $0.text.count > 5 })
            let titles = page.all("title").filter { $0.path.last == "svg" }
            #expect(titles.count == pictures.count && titles.allSatisfy { $0.text != "" })
        }
    }

    @Test func headingsSkipNoLevel() throws {
        for days in [1, 7, 40] {
            var last = 0
            for element in try Self.read(Made.full(days: days)).elements {
                guard element.name.count == 2, element.name.first == "h",
                    let level = element.name.last?.wholeNumberValue
                else { continue }
                #expect(level <= last + 1, "\(element.name) \(element.text)")
                last = level
            }
            #expect(last > 0)
        }
    }

    @Test func identifiersAreUniqueAndLinksLeadToThem() throws {
        for (days, count) in [(20, 3), (60, 3)] {
            let page = try Self.read(Made.full(days: days))
            let names = page.elements.compactMap { $0.attributes["id"] }
            #expect(Set(names).count == names.count)
            let links = page.all("a").compactMap { $0.attributes["href"] }
            #expect(links.count == count)
            #expect(links.allSatisfy { $0.first == "#" && names.contains(String($0.dropFirst())) })
        }
    }

    @Test func rowsOfTablesHaveAllCells() throws {
        let page = try Self.read(Made.full(days: 3))
        // A week's table has a row for a day, a day's for an hour.
        #expect(page.all("table").count == 4)
        let rows = page.elements.filter { $0.name == "tr" && $0.path.last == "tbody" }
        #expect(rows.count == 3 + 3 * 24)
        #expect(page.all("td").count == 3 * 7 + 3 * 24 * 6)
        #expect(page.all("th").allSatisfy { ["col", "row"].contains($0.attributes["scope"]) })
    }

    /// The page needs nothing but itself: it has no script, and names no other place.
    @Test func loadsNothing() throws {
        let report = HealthReport(Made.full(days: 40), ring: "http://example.org/x.js")
        let page = try MarkupReader(report.htmlBytes())
        let names = Set(page.elements.map(\.name))
        #expect(
            names.isDisjoint(with: ["script", "link", "img", "iframe", "object", "form", "use"]))
        let attributes = Set(page.elements.flatMap(\.attributes.keys))
        #expect(attributes.isDisjoint(with: ["src", "style", "srcset", "action", "onclick"]))
        let style = try #require(page.all("style").first?.text)
        #expect(!style.contains("url(") && !style.contains("@import"))
    }

    /// Only the page's own style counts; a browser ignores one whose digest is another.
    @Test func thePolicyNamesTheStyle() throws {
        let page = try Self.read(Made.full(days: 1))
        let style = try #require(page.all("style").first?.text)
        let policy = try #require(
            page.all("meta").first { $0.attributes["http-equiv"] == "Content-Security-Policy" }?
                .attributes["content"])
        let digest = SHA256.base64(Array(style.utf8))
        #expect(
            policy == "default-src 'none'; style-src 'sha256-\(digest)'; base-uri 'none'; "
                + "form-action 'none'")
        #expect(SHA256.base64(Array("abc".utf8)) == "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=")
    }

    @Test func saysThatItIsNoDiagnosis() throws {
        #expect(try Self.read(Made.full(days: 1)).text.contains("makes no diagnosis"))
    }

    @Test func isRecorded() throws {
        var history = Made.full(days: 1)
        history[.heartRate].removeAll { 10...12 ~= $0.time.time.hour }
        history[.temperature] = []
        history.coverage[.temperature, Made.today] = .unsupported
        history.unsupported = [.temperature]
        let page = HealthReport(history, ring: "R10_1234").htmlBytes()
        try GoldenText("Golden/Health/Report.html.txt").expect(
            String(decoding: page, as: UTF8.self))
    }

    // MARK: What is outside

    @Test func escapesNames() throws {
        let name = "<script>alert('1')</script>&\"\u{1B}[31m\0\u{202E}\u{2028}é"
        let page = try Self.read(Made.full(days: 1), ring: name)
        #expect(page.all("script").isEmpty)
        let shown = page.all("bdi").first?.text
        #expect(shown == "<script>alert('1')</script>&\"\u{FFFD}[31m\u{FFFD}\u{FFFD}\u{FFFD}é")
        let long = try Self.read(Made.full(days: 1), ring: String(repeating: "x", count: 10_000))
        #expect(long.all("bdi").first?.text.count == 80)
        #expect(try Self.read(Made.full(days: 1), ring: nil).text.contains("without a name"))
    }

    @Test func escapesFigures() throws {
        var report = HealthReport(Made.full(days: 1))
        report.figures[Made.today] = HealthReport.DayFigures(
            restingBeatsPerMinute: 51,
            others: [HealthReport.Figure(kind: .sleep, name: "<b>", text: "9\u{7} & 3 %")])
        let page = try MarkupReader(report.htmlBytes())
        #expect(page.text.contains("Resting 51 bpm") && page.text.contains("<b> "))
        #expect(page.text.contains("9\u{FFFD} & 3 %"))
        #expect(page.all("path", "z").count == 1)
        report.figures = [:]
        #expect(try MarkupReader(report.htmlBytes()).all("path", "z").isEmpty)
    }

    /// The page has the figures that ``HealthFigures`` makes, and says of how many nights they are.
    @Test func hasTheFiguresOfItsDays() throws {
        let history = Made.full(days: 3)
        let day = HealthFigures(history, ageYears: 40).day(history.today)
        let page = HealthReport(history, ageYears: 40).html()
        let resting = try #require(day.restingBeatsPerMinute.value)
        #expect(page.contains("Resting \(Int(resting.rounded())) bpm"))
        let efficiency = try #require(day.night.value?.efficiency)
        #expect(page.contains("Efficiency <b>\(Int((efficiency * 100).rounded())) %</b>"))
        #expect(page.contains("Vigorous <b>"))
        #expect(page.contains("Usual <b>\(day.heartRateVariabilityBaseline)</b>"))
        #expect(!(try MarkupReader(HealthReport(history).htmlBytes()).text.contains("Vigorous ")))
        // Kinds that have ceased to come are among the remarks.
        var stalled = history
        stalled[.stress].removeAll {
            $0.time.date >= history.today.advanced(byDays: -1) ?? $0.time.date
        }
        let words = try MarkupReader(HealthReport(stalled).htmlBytes()).text
        #expect(words.contains("Stress: no value since "))
        let unlogged = HealthReport(stalled, logging: [.stress: false])
        #expect(
            try MarkupReader(unlogged.htmlBytes()).text.contains("Stress: logging is switched off.")
        )
    }

    /// The steps of today, so far, do not lower the mean of a day.
    @Test func aMeanOfStepsIsOfWholeDays() throws {
        func steps(_ days: [Int]) throws -> String? {
            var history = RingHistory(today: Made.today, readAt: Made.time(Made.today, 600))
            for (index, steps) in days.enumerated() {
                let date = try #require(Made.today.daysEarlier(UInt8(days.count - 1 - index)))
                history.coverage[.activity, date] = .read
                history[.activity].append(
                    TimedSample(
                        time: Made.time(date, 480), minutes: 15,
                        value: ActivityAmount(steps: steps, metres: 10)))
            }
            let page = HealthReport(history).html()
            let means = page.matches(of: /<b>([0-9,]+)<\/b><small>(a day|so far)</)
            return means.first.map { "\($0.1) \($0.2)" }
        }
        #expect(try steps([7000, 1000]) == "7,000 a day")
        #expect(try steps([7000, 5000, 1000]) == "6,000 a day")
        #expect(try steps([1000]) == "1,000 so far")
    }

    /// Today's steps are those of the figures: the ring's own count, and not the sum of its slots.
    @Test func todaysStepsAreTheRingsOwnCount() throws {
        var history = Made.full(days: 2)
        history.totals = ActivityTotals(
            steps: 12_345, runningSteps: 0, metres: 6_789, kilocalories: 1, activeTime: .zero)
        let (page, figures) = (ReportPage(HealthReport(history)), HealthFigures(history))
        let dates = [Made.today, try #require(Made.today.daysEarlier(1))]
        let days = dates.map { ReportDay($0, page) }
        let wanted = dates.map(figures.day)
        #expect(days.map { $0.total(.steps) } == wanted.map { $0.steps.value.map(Double.init) })
        #expect(days.map(\.metres) == wanted.map { Double($0.metres.value ?? 0) })
        #expect(days[0].total(.steps) == 12_345 && days[0].metres == 6_789)
    }

    @Test func figuresHaveTheirNames() throws {
        let report = HealthReport(Made.full(days: 20), ageYears: 40)
        let names = Set(report.figures.values.flatMap { $0.others.map(\.name) })
        let wanted: Set<String> = [
            "Efficiency", "Regularity", "Hours with steps", "Vigorous", "At night", "Usual",
            "Mean at night", "Dips", "Compared with earlier nights",
        ]
        #expect(names == wanted)
    }

    @Test func periodsAreShort() throws {
        let last = try #require(CivilDate(text: "2026-02-04"))
        let first = try #require(last.daysEarlier(6))
        #expect(ReportText.shortPeriod(first, last) == "29 Jan – 4 Feb")
        let third = try #require(last.daysEarlier(3))
        #expect(ReportText.shortPeriod(third, last) == "1–4 Feb")
        #expect(ReportText.shortPeriod(last, last) == "4 Feb")
    }

    /// Weeks of a longer page are whole, from Monday to Sunday.
    @Test(arguments: [1, 7, 8, 20]) func everyDayHasItsSection(_ count: Int) throws {
        let page = try MarkupReader(HealthReport(Made.full(days: count)).htmlBytes())
        #expect(page.all("section", "day").count == count)
    }

    /// Readings are joined over three times the usual distance, and over four hours at the most.
    @Test(arguments: [(5, 900), (30, 5400), (60, 10_800), (120, 14_400)])
    func readingsAreJoined(_ minutes: Int, _ seconds: Int) throws {
        var history = RingHistory(today: Made.today, readAt: Made.time(Made.today, 1439))
        history[.heartRate] = (0..<6).map {
            TimedSample(time: Made.time(Made.today, $0 * minutes), minutes: 5, value: 60)
        }
        let day = ReportDay(Made.today, ReportPage(HealthReport(history)))
        #expect(day.longestJoin(.heartRate) == seconds)
        #expect(day.longestJoin(.stress) == 0)
    }

    /// The usual distance is the one in the middle; two slots are joined in any case.
    @Test(arguments: [
        ([0, 5, 10, 15, 45, 75, 105, 135], 5, 5400), ([0], 30, 3600), ([0, 1], 30, 3600),
    ])
    func readingsAreJoinedOverTheUsualDistance(
        _ minutes: [Int], _ length: Int, _ seconds: Int
    ) {
        var history = RingHistory(today: Made.today)
        history[.heartRate] = minutes.map {
            TimedSample(time: Made.time(Made.today, $0), minutes: length, value: 60)
        }
        let day = ReportDay(Made.today, ReportPage(HealthReport(history)))
        #expect(day.longestJoin(.heartRate) == seconds)
    }

    @Test(arguments: [
        (0.75, "+0.8 °C"), (0, "+0.0 °C"), (-0.25, "-0.3 °C"), (500, "+100.0 °C"),
        (-500, "-100.0 °C"),
    ])
    func temperaturesAreComparedInTenths(_ difference: Double, _ text: String) {
        var history = RingHistory.january(today: 20)
        for day in 10...14 {
            history.addNight(day)
            let value = day == 14 ? 35 + difference : 35
            history.addHourly(\.temperatures, day, from: 0, [value, value, value])
        }
        let figures = HealthReport(history).figures[.day(14)]?.others ?? []
        #expect(figures.filter { $0.kind == .temperature }.map(\.text) == [text])
    }

    @Test func numbersAreShort() {
        #expect(ReportText.offset(0) == "UTC+00:00")
        #expect([59, 60, 425].map(ReportText.duration) == ["59 min", "1 h 0 min", "7 h 5 min"])
        #expect(ReportText.hours(425) == "7 h 05")
        #expect([-13, -3, 0, 1].map(ReportText.tenths) == ["-1.3", "-0.3", "0.0", "0.1"])
        let ranges = [[], [5, 5], [61, 54, 58]].map(ReportText.range)
        #expect(ranges == [nil, "5", "54–61"])
        #expect(
            [-1234, -123, 999, 1_234_567].map { ReportText.grouped($0) }
                == ["-1,234", "-123", "999", "1,234,567"])
    }

    /// From Thursday to Wednesday.
    @Test func sevenDaysAreOneWeek() throws {
        let today = Made.day(2026, 3, 18)
        var history = RingHistory(today: today)
        history[.heartRate] = (0..<7).map {
            TimedSample(time: Made.time(today, -1440 * $0), minutes: 5, value: 60)
        }
        let weeks = try Self.read(history).all("section", "week")
        #expect(weeks.map { $0.attributes["id"] } == ["w2026-03-12"])
    }

    /// Days before the page are for its figures only.
    @Test func figuresCompareWithDaysBeforeThePage() throws {
        let history = Made.full(days: 20)
        let first = try #require(Made.today.daysEarlier(2))
        let page = try MarkupReader(HealthReport(history, since: first).htmlBytes())
        #expect(page.all("section", "day").count == 3)
        func usual(_ report: HealthReport) -> String? {
            report.figures[first]?.others.first { $0.name == "Usual" }?.text
        }
        let report = HealthReport(history, since: first)
        #expect(report.page().days == first...Made.today)
        #expect(usual(report) == usual(HealthReport(history)) && usual(report) != nil)
        #expect(usual(HealthReport(report.history)) != usual(report))
        #expect(report.history.coverage.days.allSatisfy { $0.date >= first })
        #expect(report.history.coverage.days.contains { $0.date == first })
        // Nothing is said of days that are not of the page.
        #expect(!page.text.contains("left out") && !page.text.contains("earlier day"))
    }

    /// Minutes that the ring could not classify are no part of the time asleep, nor of its bar.
    @Test func theBarOfANightIsTheTimeAsleep() throws {
        func bar(_ minutesBefore: Int) throws -> String? {
            var history = Made.full(days: 1)
            let (start, asleep) = (Made.time(Made.today, 60), Made.time(Made.today, 120))
            var stages = [
                TimedSample(time: asleep, minutes: 300, value: SleepRecord.Stage.light)
            ]
            if minutesBefore > 0 {
                stages.insert(
                    TimedSample(time: start, minutes: minutesBefore, value: .unclassified), at: 0)
            }
            history[.sleep] = [
                SleepRecord(
                    isNap: false, start: start, end: Made.time(Made.today, 420), stages: stages)
            ]
            let page = try MarkupReader(HealthReport(history).htmlBytes())
            return page.all("path", "s3").first?.attributes["d"]
        }
        #expect(try bar(0) != nil)
        #expect(try bar(60) == bar(0))
    }

    @Test func survivesAnyNumber() throws {
        var history = Made.full(days: 2)
        let odd = [Int.min, -1, 0, 1, .max]
        func samples<Value>(_ values: [Value]) -> [TimedSample<Value>] {
            values.enumerated().flatMap { index, value in
                odd.map {
                    TimedSample(
                        time: Made.time(Made.today, index * 60), minutes: $0, secondsFromUTC: $0,
                        value: value)
                }
            }
        }
        history[.heartRate] = samples(odd)
        history[.stress] = samples(odd)
        history[.heartRateVariability] = samples(odd)
        history[.activity] = samples(odd.map { ActivityAmount(steps: $0, metres: $0) })
        history[.activity] += (0..<200).map { minute in
            TimedSample(
                time: Made.time(Made.today, minute), minutes: 1,
                value: ActivityAmount(steps: .max, metres: .max))
        }
        history[.bloodOxygen] = samples(
            odd.map { BloodOxygenRange(lowestPercent: $0, highestPercent: 1) })
        history[.temperature] = samples([.nan, .infinity, -.infinity, 1e300, -40])
        let (first, last) = (
            CivilDateTime(secondsSince1970: 0), CivilDateTime(secondsSince1970: .max)
        )
        let stages = odd.map {
            TimedSample(time: Made.time(Made.today, 1), minutes: $0, value: SleepRecord.Stage.deep)
        }
        for (start, end) in [(first, last), (last, first), (first, first)] {
            for end in [end, Made.time(Made.today, 5)] {
                history[.sleep].append(
                    SleepRecord(isNap: false, start: start, end: end, stages: stages + stages))
            }
        }
        history[.workouts] = odd.map {
            WorkoutRecord(
                start: Made.time(Made.today, 9), duration: .seconds($0), metres: $0,
                averageBeatsPerMinute: $0)
        }
        history[.workouts].append(WorkoutRecord())
        history.failures = odd.map {
            HistoryFailure(kind: .stress, daysAgo: $0, error: DeviceError(.timedOut, bleError: nil))
        }
        history.coverage[.stress, Made.day(1970, 1, 1)] = .failed
        let battery = samples(odd.map { BatteryCharge(percent: $0) })
        let page = try Self.read(history, battery: battery)
        // From the first day of 1970 to today, and no day but two with a value.
        #expect(page.all("section", "month").count == 1)
        #expect(!page.text.contains("nan") && !page.text.contains("inf"))
    }

    @Test(arguments: [Int.min, -1_000_000, -12_345, 0, 20_700, 1_000_000, Int.max])
    func survivesAnyOffset(seconds: Int) throws {
        let page = try Self.read(Made.full(days: 2, secondsFromUTC: seconds))
        #expect(page.all("section", "day").count == 2)
        if seconds == 20_700 { #expect(page.text.contains("UTC+05:45")) }
        if seconds == -12_345 { #expect(page.text.contains("UTC−03:25")) }
    }

    // MARK: Length

    /// A year fits: it has months in place of days, and its page is small.
    @Test func aYearIsSmall() throws {
        let bytes = HealthReport(Made.full(days: 366), ring: "R10_1234").htmlBytes()
        #expect(bytes.count < 1_000_000)
        let page = try MarkupReader(bytes)
        #expect(page.all("section", "month").count == 13)
        #expect(!page.text.contains("Older days"))
    }

    @Test func daysBeyondAYearAreLeftOutAndSaidToBe() throws {
        var history = Made.full(days: 2)
        history[.stress].insert(
            TimedSample(time: Made.time(Made.day(2001, 1, 1), 0), minutes: 30, value: 9), at: 0)
        history[.stress].append(
            TimedSample(time: Made.time(Made.day(2026, 3, 17), 0), minutes: 30, value: 9))
        let page = try Self.read(history)
        #expect(page.all("section", "month").map { $0.attributes["id"] } == ["m2026-03-01"])
        #expect(
            Self.gaps(of: HealthReport(history)) == ["15 March 2025 – 13 March 2026: Not read."])
        #expect(page.text.contains("Older days are left out: a page has at most 366 days."))
        #expect(page.text.contains("Values dated after the ring’s current day are left out."))
    }

    /// Lists that an app has filled in another order have the same page.
    @Test func orderDoesNotMatter() throws {
        let history = Made.full(days: 3)
        var other = history
        other[.heartRate].reverse()
        other[.bloodOxygen].reverse()
        other[.activity].shuffle()
        other[.sleep].reverse()
        #expect(HealthReport(other).htmlBytes() == HealthReport(history).htmlBytes())
    }
}
