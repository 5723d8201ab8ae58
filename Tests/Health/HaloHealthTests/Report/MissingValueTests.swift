import Foundation
import HaloDevices
import HaloProtocol
import TestSupport
import Testing

@testable import HaloHealth

/// What is missing of a report is said in words, and never drawn.
@Suite(.passesTime) struct MissingValueTests {
    private typealias Made = MadeHistory

    /// Returns a history without the values of a kind.
    private static func history(without kind: ReportKind, days: Int = 2) -> RingHistory {
        var history = Made.full(days: days)
        switch kind {
        case .sleep: history[.sleep] = []
        case .heartRate: history[.heartRate] = []
        case .steps: history[.activity] = []
        case .heartRateVariability: history[.heartRateVariability] = []
        case .bloodOxygen: history[.bloodOxygen] = []
        case .stress: history[.stress] = []
        case .temperature: history[.temperature] = []
        case .battery: break
        }
        return history
    }

    private static let kinds = ReportKind.allCases.filter { $0 != .battery }

    private static func sections(_ page: MarkupReader, _ style: String) -> [String] {
        page.all("article", style).map { $0.path.joined(separator: " ") }
    }

    /// A kind that the page never has is said once, with the reason.
    @Test(arguments: kinds)
    func aKindWithoutValuesHasAReasonAndNoChart(kind: ReportKind) throws {
        let full = try HealthReportTests.read(Made.full(days: 2))
        let page = try HealthReportTests.read(Self.history(without: kind))
        #expect(Self.sections(full, kind.style).count == 3)
        // It is said once, on top of the page.
        #expect(Self.sections(page, kind.style).isEmpty)
        #expect(page.all("svg").count == full.all("svg").count - 3)
        let sentence = "\(kind.title): No values: the ring was not worn, or did not measure."
        #expect(page.all("li").count { $0.text == sentence } == 1)
        #expect(page.text.components(separatedBy: "No values: the ring").count == 2)
        #expect(page.all("p", "why").isEmpty && page.all("ul", "missing").isEmpty)
    }

    /// A day with other values is no day on which the ring was not worn.
    @Test func aRingWithOtherValuesWasWorn() {
        var history = RingHistory(today: Made.today)
        history.coverage[.activity, Made.today] = .noData
        func word() -> String {
            MissingReasons(history).reason(for: .activity, on: Made.today).word
        }
        // Nothing says that the ring has kept the steps of another day.
        #expect(word() == "none")
        history.coverage[.activity, Made.today] = .read
        // A day without steps is not one on which the ring was not worn.
        #expect(word() == "none")
        history.coverage[.heartRate, Made.today] = .noData
        #expect(word() == "not worn")
        history[.sleep] = [Made.night(endingOn: Made.today)]
        #expect(word() == "none")
    }

    @Test(arguments: kinds, [7, 40])
    func aKindThatTheRingLacksIsSaidOnce(kind: ReportKind, days: Int) throws {
        let missing = try #require(kind.history)
        var history = Self.history(without: kind, days: days)
        history.unsupported = [missing]
        for date in history.coverage.dates(of: missing, .read) {
            history.coverage[missing, date] = .unsupported
        }
        let page = try HealthReportTests.read(history)
        #expect(page.text.contains("The ring does not measure \(missing)."))
        #expect(Self.sections(page, kind.style).isEmpty)
        #expect(page.all("ul", "missing").isEmpty)
    }

    @Test(arguments: kinds, [3, 40])
    func aKindAloneHasAPage(kind: ReportKind, days: Int) throws {
        let full = Made.full(days: days)
        var history = RingHistory(today: Made.today)
        switch kind {
        case .sleep: history[.sleep] = full[.sleep]
        case .heartRate: history[.heartRate] = full[.heartRate]
        case .steps: history[.activity] = full[.activity]
        case .heartRateVariability: history[.heartRateVariability] = full[.heartRateVariability]
        case .bloodOxygen: history[.bloodOxygen] = full[.bloodOxygen]
        case .stress: history[.stress] = full[.stress]
        case .temperature: history[.temperature] = full[.temperature]
        case .battery: break
        }
        let page = try HealthReportTests.read(history)
        // A chart of the week and of each day; of two months, and the trend if the kind has one.
        let hasTrend = [.sleep, .heartRate, .steps].contains(kind)
        #expect(page.all("svg").count == (days == 3 ? 1 + days : 2 + (hasTrend ? 1 : 0)))
        // The reason for the others is the same.
        let others = Self.kinds.filter { $0 != kind }.map(\.title).joined(separator: ", ")
        #expect(page.all("li").contains { $0.text == "\(others): Not read." })
        #expect(page.all("ul", "missing").isEmpty)
    }

    @Test func oneValueIsADot() throws {
        var history = RingHistory(today: Made.today)
        history[.heartRate] = [TimedSample(time: Made.time(Made.today, 725), minutes: 5, value: 61)]
        let page = try HealthReportTests.read(history)
        #expect(page.all("section", "day").count == 1)
        let line = try #require(page.all("path", "l").first?.attributes["d"])
        #expect(line.hasSuffix("h0") && line.filter { $0 == "M" || $0 == "m" }.count == 1)
        #expect(page.text.contains("12:00–13:00: 61 bpm"))
        #expect(page.text.contains("No values 00:00–12:05, 12:10–24:00"))
        // Nothing is known of the other kinds.
        #expect(page.text.contains("Not read."))
    }

    @Test func anEmptyHistoryHasAPageThatSaysSo() throws {
        let page = try HealthReportTests.read(RingHistory(today: Made.today))
        #expect(page.text.contains("There are no values to show."))
        #expect(page.all("svg").isEmpty && page.all("section", "day").isEmpty)
        #expect(page.all("h1").first?.text == "15 March 2026")
        for number in [0, 49_710] {
            let date = try CivilDate(daysSince1970: number)
            _ = try HealthReportTests.read(RingHistory(today: date))
            var history = RingHistory(today: date, readAt: CivilDateTime(date))
            history[.stress] = [TimedSample(time: CivilDateTime(date), minutes: 30, value: 9)]
            #expect(try HealthReportTests.read(history).all("section", "day").count == 1)
        }
    }

    @Test func theReasonIsThatOfTheCoverage() throws {
        var history = Made.full(days: 7)
        // The week has a chart, and says below it what is missing.
        history[.stress].removeAll { $0.time.date.daysAgo(from: Made.today) != 4 }
        func date(_ daysAgo: Int) throws -> CivilDate {
            try #require(Made.today.advanced(byDays: -daysAgo))
        }
        let outcomes: [HistoryCoverage.Outcome?] = [
            .read, .failed, .wrongClock, .noData, .read, .noData, nil,
        ]
        for (daysAgo, outcome) in outcomes.enumerated() {
            history.coverage[.stress, try date(daysAgo)] = outcome
        }
        let error = DeviceError(.disconnected, bleError: nil)
        history.failures = [HistoryFailure(kind: .stress, daysAgo: 1, error: error)]
        let reasons = MissingReasons(history)
        let worn = "No values: the ring was not worn, or did not measure."
        let sentences = try (0..<7).map {
            reasons.reason(for: .stress, on: try date($0)).sentence(of: .stress)
        }
        #expect(
            sentences == [
                worn, "Not read: \(error)", "Left out: the ring’s clock showed another day.", worn,
                worn, "The ring had stored no more than 5 days of stress.", "Not read.",
            ])
        // A day that was not asked for is no other: the ring lacks a kind on all of them.
        history.unsupported = [.stress]
        let earlier = MissingReasons(history).reason(for: .stress, on: try date(6))
        #expect(earlier == .unsupported)
        history.unsupported = []
        let text = try HealthReportTests.read(history).text
        #expect(sentences.allSatisfy(text.contains))
        #expect(text.contains("Not kept: Tue") && text.contains("Misdated: Fri"))
    }

    /// The days of many reads begin earlier than those that a ring keeps.
    @Test func aLongHistoryDoesNotSayHowMuchARingKeeps() throws {
        var history = Made.full(days: 60)
        let early = try #require(Made.today.advanced(byDays: -70))
        history.coverage[.stress, early] = .noData
        #expect(MissingReasons(history).reason(for: .stress, on: early) == .notRead)
        history = RingHistory(today: Made.today)
        history.coverage[.stress, Made.today] = .noData
        let reason = MissingReasons(history).reason(for: .stress, on: Made.today)
        #expect(reason.sentence(of: .stress) == "The ring has stored no stress.")
        let day = MissingReason.notKept(days: 1).sentence(of: .stress)
        #expect(day == "The ring had stored no more than 1 day of stress.")
    }

    /// A read is of at most 30 days.
    @Test func aRingKeepsNoMoreThanWasReadAtOnce() throws {
        func date(_ daysAgo: Int) throws -> CivilDate {
            try #require(Made.today.advanced(byDays: -daysAgo))
        }
        var history = RingHistory(today: Made.today)
        history.coverage[.stress, try date(40)] = .noData
        history.coverage[.stress, try date(29)] = .read
        let kept = MissingReasons(history).reason(for: .stress, on: try date(40))
        #expect(kept == .notKept(days: 30))
        history.coverage[.stress, try date(30)] = .read
        let notRead = MissingReasons(history).reason(for: .stress, on: try date(40))
        #expect(notRead == .notRead)
    }

    @Test func kindsThatTheRingLacksAreAList() throws {
        var history = Made.full(days: 1)
        history.unsupported = [.temperature, .stress]
        let two = try HealthReportTests.read(history).text
        #expect(two.contains("The ring does not measure stress or temperature."))
        history.unsupported.insert(.bloodOxygen)
        let three = try HealthReportTests.read(history).text
        #expect(three.contains("The ring does not measure blood oxygen, stress or temperature."))
    }

    @Test func earlierDaysWithoutValuesAreSaidOnce() throws {
        var history = Made.full(days: 3)
        for daysAgo in 3..<30 {
            history.coverage[.stress, try #require(Made.today.advanced(byDays: -daysAgo))] = .noData
        }
        let page = try HealthReportTests.read(history)
        #expect(page.all("section", "day").count == 3)
        #expect(page.text.contains("27 earlier days have no values: the ring no longer keeps them"))
        history = Made.full(days: 3)
        history.coverage[.stress, try #require(Made.today.advanced(byDays: -3))] = .noData
        let text = try HealthReportTests.read(history).text
        #expect(text.contains("1 earlier day has no values: the ring no longer keeps them"))
    }

    /// A ring that was taken off leaves a gap in the line, and not a line across it.
    @Test func aGapIsAGap() throws {
        func moves(_ history: RingHistory) throws -> (Int, MarkupReader) {
            let page = try HealthReportTests.read(history)
            let path = page.all("path", "l").first?.attributes["d"] ?? ""
            return (path.filter { $0 == "M" || $0 == "m" }.count, page)
        }
        var history = RingHistory(
            today: Made.today, readAt: Made.time(Made.today, 1260), secondsFromUTC: 3600)
        history[.heartRate] = Made.full(days: 1).heartRates
        #expect(try moves(history).0 == 1)
        history[.heartRate].removeAll { 10...12 ~= $0.time.time.hour || $0.time.time.hour == 17 }
        let (count, page) = try moves(history)
        #expect(count == 3)
        // The shorter gap is seen, but not told; what is still to come of the day is none.
        let notes = page.all("p", "n").map(\.text).filter { $0.hasPrefix("No values") }
        #expect(notes == ["No values 10:00–13:00"])
        // Hours without a value have no text, and no number.
        let hours = page.all("title").map(\.text).filter { $0.hasSuffix(" bpm") && $0.first != "S" }
        #expect(hours.count == 21 - 4)
        #expect(page.all("td", "no").filter { $0.text == "–" }.count == 24 - hours.count)
    }

    @Test func workoutsThatWereNotReadAreSaid() throws {
        var history = Made.full(days: 1)
        let error = DeviceError(.timedOut, bleError: nil)
        history.failures = [HistoryFailure(kind: .workouts, error: error)]
        let page = try HealthReportTests.read(history)
        #expect(page.all("li").contains { $0.text == "The workouts were not read: \(error)" })
    }

    @Test func aWrongClockIsSaid() throws {
        var history = Made.full(days: 1)
        history.clockShift = ClockShift(days: -2, lowestSeconds: -172_800, highestSeconds: -172_000)
        history.uncertainTimes = [Made.time(Made.today, 0)..<Made.time(Made.today, 60)]
        let text = try HealthReportTests.read(history).text
        #expect(text.contains("was 2 days ahead: all dates are those of the wrong clock."))
        #expect(text.contains("The ring’s clock was corrected"))
    }

    @Test func theBatteryHasAChartWhereItIsKnown() throws {
        let levels = [(0, 90), (600, 80), (1000, 75)].map { minute, percent in
            TimedSample(
                time: Made.time(Made.today, minute), minutes: 1,
                value: BatteryCharge(percent: percent))
        }
        let page = try HealthReportTests.read(Made.full(days: 2), battery: levels)
        // One of the week, one of the day.
        #expect(page.all("article", "ba").count == 2)
        #expect(page.text.contains("75–90"))
        #expect(page.all("dd").contains { $0.text == "75 %" })
        #expect(try HealthReportTests.read(Made.full(days: 2)).all("article", "ba").isEmpty)
    }
}
