import Foundation
import HaloDevices
import HaloHealth
import HaloProtocol
import TestSupport
import Testing

@testable import halo

/// The chart of a virtual ring's day, and its JSON.
@Suite(.waitsForPrograms) struct DemoVerbTests {
    private static let picture = Result { try CommandLineProgram.run(["demo"]) }
    private static let json = Result { try CommandLineProgram.run(["demo", "--json"]) }

    private func demo(
        _ arguments: String..., columns: String? = nil
    ) throws -> CommandLineProgram.Outcome {
        if arguments.isEmpty, columns == nil { return try Self.picture.get() }
        return try CommandLineProgram.run(
            ["demo"] + arguments, environment: columns.map { ["COLUMNS": $0] } ?? [:])
    }

    private func document(_ arguments: String...) throws -> [String: Any] {
        let outcome =
            arguments.isEmpty
            ? try Self.json.get() : try CommandLineProgram.run(["demo", "--json"] + arguments)
        #expect(outcome.status == 0)
        return try outcome.object
    }

    @Test func drawsADay() throws {
        let outcome = try demo()
        #expect(outcome.status == 0)
        #expect(outcome.errorOutput == "")
        for part in ["COLMI R10_", "synced", "bpm", "Heart rate", "Steps", "Sleep", "Days"] {
            #expect(outcome.output.contains(part), "\(part)")
        }
        let dots = outcome.output.unicodeScalars.filter { 0x2801...0x28FF ~= $0.value }
        #expect(dots.count > 50)
    }

    @Test func drawsTheSameForTheSameSeed() throws {
        let first = try demo().output
        #expect(try demo("--seed", "3").output == first)
        #expect(try demo("--seed", "12").output != first)
    }

    @Test(arguments: ["40", "60", "80", "120"], ["7", "30"])
    func fitsItsColumns(columns: String, days: String) throws {
        let width = try #require(Int(columns))
        let outcome = try demo("--days", days, columns: columns)
        let widest = outcome.lines.map(\.count).max() ?? 0
        #expect(widest <= width)
        #expect(widest > width - 26)
        #expect(outcome.lines.allSatisfy { $0.last != " " })
    }

    /// The limits of its width are 40 and 120.
    @Test(arguments: [("39", "40"), ("121", "120")])
    func fitsNoOtherColumns(columns: String, limit: String) throws {
        #expect(
            try demo("--days", "1", columns: columns).output
                == demo("--days", "1", columns: limit).output)
    }

    @Test(arguments: ["1", "-7", "0", "wide", "", "99999999999999999999", "5000"])
    func survivesAnyNumberOfColumns(columns: String) throws {
        let outcome = try demo("--days", "1", columns: columns)
        #expect(outcome.status == 0)
        #expect(outcome.lines.allSatisfy { $0.count <= 120 })
    }

    @Test func drawsWithoutColoursIntoAFile() throws {
        #expect(try !demo().output.utf8.contains(0x1B))
    }

    @Test func printsTheSameAsJSON() throws {
        let document = try document("--seed", "5")
        #expect(document["seed"] as? Int == 5)
        #expect(document["model"] as? String == "R10")
        #expect(document["battery"] as? Int == 83)
        let history = try #require(document["history"] as? [String: Any])
        let rates = try #require(history["heartRate"] as? [[String: Any]])
        #expect(rates.count > 500)
        #expect(rates.allSatisfy { 35...220 ~= ($0["bpm"] as? Int ?? 0) })
        #expect((history["failures"] as? [Any])?.isEmpty == true)
        let nights = try #require(history["sleep"] as? [[String: Any]])
        #expect(nights.contains { $0["isNap"] as? Bool == false })
        let days = try #require(document["days"] as? [[String: Any]])
        #expect(days.count == 7)
        #expect(days.allSatisfy { ($0["steps"] as? Int ?? 0) > 500 })
        let live = try #require(document["live"] as? [String: [Int]])
        #expect(live["ring"]?.count == 5)
        #expect(live["strap"]?.count == 5)
    }

    /// All that the picture shows is in the JSON: its numbers can be made of it.
    @Test func hasTheNumbersOfThePicture() throws {
        let text = try demo().output
        let document = try document()
        let history = try #require(document["history"] as? [String: Any])
        func values(_ name: String, _ key: String) -> [Double] {
            (history[name] as? [[String: Any]] ?? []).compactMap { $0[key] as? Double }
        }
        let times = (history["bloodOxygen"] as? [[String: Any]])?.compactMap {
            $0["time"] as? String
        }
        #expect(times?.first?.hasPrefix("2026-01-") == true)
        let least = try #require(values("bloodOxygen", "lowestPercent").min())
        #expect(least >= 85 && values("bloodOxygen", "highestPercent").allSatisfy { $0 >= least })
        #expect(text.contains("SpO₂ ") && text.contains(" °C"))
        #expect(values("temperature", "celsius").allSatisfy { 30...40 ~= $0 })
        #expect(!values("temperature", "celsius").isEmpty)
        let strap = try #require(document["strap"] as? [String: Any])
        for (name, rssi) in [(document["ring"], document["rssi"]), (strap["name"], strap["rssi"])] {
            let rssi = try #require(rssi as? Int)
            #expect(text.contains("\(try #require(name)) at \(rssi) dBm"))
        }
        let beats = try #require(strap["beatMilliseconds"] as? [Double])
        let last = beats.suffix(3).map { "\(Int($0 + 0.5))" }.joined(separator: " ")
        #expect(text.contains("beats \(last) ms apart"))
    }

    /// A ring keeps a week at most: the picture and the JSON have no more, and say so.
    @Test func saysHowManyDaysWereKept() throws {
        let text = try demo("--days", "30")
        #expect(text.output.contains("synced     7 of 30 days ·"))
        #expect(text.lines.contains { $0.hasPrefix("23 earlier days not kept: no ring ") })
        let month = try document("--days", "30")
        #expect(month["daysRequested"] as? Int == 30 && month["daysNotKept"] as? Int == 23)
        #expect((month["days"] as? [Any])?.count == 7)
        let more = try demo("--days", "8")
        #expect(more.output.contains("synced     7 of 8 days ·"))
        #expect(more.lines.contains { $0.hasPrefix("1 earlier day not kept: no ring ") })
        let week = try demo()
        #expect(week.output.contains("synced     7 days ·") && !week.output.contains("earlier"))
    }

    /// A blank says why it is one.
    @Test func saysWhyAValueIsMissing() throws {
        let lines = try demo().lines
        let monday = try #require(lines.first { $0.hasPrefix("Mon 05 Jan") })
        #expect(monday.hasSuffix(" 8,738 not kept not kept"))
        let days = try #require(try document()["days"] as? [[String: Any]])
        let missing = days.map { $0["missing"] as? [String: Any] ?? [:] }
        #expect(missing.first?["sleep"] as? String == "not kept")
        #expect(missing.first?["steps"] is NSNull)
        #expect(missing.last?["heartRate"] is NSNull && missing.last?["sleep"] is NSNull)
    }

    /// Today's steps are the ring's own count, as in the figures; those of other days are the sum
    /// of their slots.
    @Test func todaysStepsAreTheRingsOwnCount() throws {
        let today = try CivilDate(year: 2026, month: 1, day: 11)
        let yesterday = try #require(today.daysEarlier(1))
        var history = RingHistory(today: today)
        for day in [yesterday, today] {
            history.coverage[.activity, day] = .read
            history[.activity] += [9, 10].map { hour in
                TimedSample(
                    time: CivilDateTime(day).advanced(bySeconds: hour * 3600), minutes: 60,
                    value: ActivityAmount(steps: 400, metres: 300))
            }
        }
        history.totals = ActivityTotals(
            steps: 870, runningSteps: 0, metres: 650, kilocalories: 1, activeTime: .zero)
        let days = DaySummary.all([yesterday, today], in: history)
        #expect(days.map(\.steps) == [800, 870] && days.map(\.metres) == [600, 650])
        let figures = HealthFigures(history)
        #expect(days.map(\.steps) == days.compactMap { figures.day($0.date).steps.value })
    }

    /// A day without values after the first stored one is a day on which the ring was not worn.
    @Test func tellsADayWithoutTheRingFromOneThatIsNotKept() throws {
        let today = try CivilDate(year: 2026, month: 1, day: 11)
        var history = RingHistory(today: today, readAt: nil, secondsFromUTC: nil)
        func day(_ daysAgo: Int) throws -> CivilDate {
            try #require(today.advanced(byDays: -daysAgo))
        }
        func missing(_ daysAgo: Int) throws -> String? {
            DaySummary.all([try day(daysAgo)], in: history)[0].missingHeartRates
        }
        history.coverage[.heartRate, try day(6)] = .notRequested
        history.coverage[.heartRate, try day(5)] = .noData
        history.coverage[.heartRate, try day(4)] = .read
        history.coverage[.heartRate, try day(3)] = .noData
        history.coverage[.heartRate, try day(2)] = .failed
        history.coverage[.heartRate, try day(1)] = .wrongClock
        history.coverage[.heartRate, today] = .unsupported
        // One kind alone does not show whether the ring was worn.
        history.coverage[.stress, try day(4)] = .read
        let words = try (0...6).reversed().map(missing)
        #expect(
            words == [
                "not kept", "not kept", "not worn", "none", "not read", "misdated", "lacking",
            ])
        #expect(words.allSatisfy { $0?.count ?? 0 <= 8 })
    }

    @Test func ringAndStrapMeasureTheSameHeartRate() throws {
        let live = try #require(try document()["live"] as? [String: [Int]])
        let ring = try #require(live["ring"]?.last)
        let strap = try #require(live["strap"]?.last)
        #expect(abs(ring - strap) <= 5)
    }

    @Test(arguments: ["r02", "r03", "R10", "r12", "h59", "r08"])
    func drawsEveryModelOfRing(profile: String) throws {
        let outcome = try demo("--model", profile, "--days", "1")
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("Heart rate"))
    }

    @Test(arguments: ["1", "2", "30"])
    func readsTheNumberOfDaysOfItsOption(days: String) throws {
        let document = try document("--days", days)
        let count = (document["days"] as? [Any])?.count ?? 0
        #expect(count >= 1)
        #expect(count <= min(Int(days) ?? 0, 7))
    }

    // MARK: The page

    /// Runs the demonstration in a folder, and returns its outcome and the page there.
    private func report(
        _ arguments: String..., over old: String? = nil
    ) throws -> (outcome: CommandLineProgram.Outcome, page: String) {
        let folder = TestFolder()
        if let old { _ = try folder.write(Array(old.utf8), to: "week.html") }
        let outcome = try CommandLineProgram.run(
            ["demo", "--report", folder.path("week.html")] + arguments)
        let page = folder.hasFile("week.html") ? try folder.bytes("week.html") : []
        return (outcome, String(decoding: page, as: UTF8.self))
    }

    @Test func writesAPage() throws {
        let (outcome, page) = try report()
        #expect(outcome.status == 0 && outcome.errorOutput == "")
        #expect(outcome.lines.count == 1)
        #expect(outcome.output.hasPrefix("7 days of a virtual ring in "))
        #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">"))
        #expect(page.hasSuffix("</html>\n") && page.utf8.count < 300_000)
        for part in [
            "<h1>5–11 January 2026</h1>", "<bdi>COLMI R10_2FCA</bdi>", "Sun 11 Jan 2026, 20:50",
            "<dd>83 %</dd>", "10,582", "id=\"d2026-01-05\"", "id=\"d2026-01-11\"",
            "The ring had stored no more than 4 days of heart rate.",
        ] {
            #expect(page.contains(part), "\(part)")
        }
    }

    @Test func writesTheSamePageForTheSameSeed() throws {
        let page = try report("--days", "2").page
        #expect(page != "")
        #expect(try report("--days", "2", "--seed", "3").page == page)
        #expect(try report("--days", "2", "--seed", "12").page != page)
        #expect(try report("--model", "r02", "--days", "2").page != page)
    }

    @Test func replacesAFileOnlyWithForce() throws {
        let kept = try report("--days", "1", over: "mine")
        #expect(kept.outcome.status == 3 && kept.page == "mine")
        #expect(kept.outcome.errorOutput.contains("--force replaces it"))
        let replaced = try report("--days", "1", "--force", over: "mine")
        #expect(replaced.outcome.status == 0 && replaced.page.hasPrefix("<!DOCTYPE html>"))
        let useless = try demo("--force")
        #expect(useless.status == 2 && useless.errorOutput.contains("--report FILE"))
    }

    @Test func writesThePageToStandardOutput() throws {
        let outcome = try demo("--days", "2", "--report", "-")
        #expect(outcome.status == 0)
        #expect(try report("--days", "2").page == outcome.output)
        #expect(outcome.errorOutput.hasPrefix("2 days of a virtual ring in "))
    }

    @Test func namesThePageInJSON() throws {
        let (outcome, page) = try report("--days", "1", "--json")
        let written = try #require(try outcome.object["report"] as? [String: Any])
        #expect(written["bytes"] as? Int == page.utf8.count)
        #expect((written["path"] as? String)?.hasSuffix("week.html") == true)
        #expect(try document()["report"] is NSNull)
    }

    @Test func aPageThatCannotBeWrittenIsAnError() throws {
        let outcome = try demo("--days", "1", "--report", "/nowhere/at/all/week.html")
        #expect(outcome.status == 3 && outcome.output == "")
        #expect(outcome.errorOutput.contains("/nowhere/at/all/week.html"))
    }
}
