import Foundation
import Testing

/// The chart of a virtual ring's day, and its JSON.
@Suite(.waitsForPrograms) struct DemoVerbTests {
    private func demo(
        _ arguments: String..., columns: String? = nil
    ) throws -> CommandLineProgram.Outcome {
        try CommandLineProgram.run(
            ["demo"] + arguments, environment: columns.map { ["COLUMNS": $0] } ?? [:])
    }

    private func document(_ arguments: String...) throws -> [String: Any] {
        let outcome = try CommandLineProgram.run(["demo", "--json"] + arguments)
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
        let first = try demo("--seed", "11").output
        #expect(try demo("--seed", "11").output == first)
        #expect(try demo("--seed", "12").output != first)
    }

    @Test(arguments: ["40", "60", "80", "120"])
    func fitsItsColumns(columns: String) throws {
        let width = try #require(Int(columns))
        let outcome = try demo(columns: columns)
        let widest = outcome.lines.map(\.count).max() ?? 0
        #expect(widest <= width)
        #expect(widest > width - 26)
        #expect(outcome.lines.allSatisfy { $0.last != " " })
    }

    @Test(arguments: ["1", "-7", "0", "wide", "", "99999999999999999999", "5000"])
    func survivesAnyNumberOfColumns(columns: String) throws {
        let outcome = try demo(columns: columns)
        #expect(outcome.status == 0)
        #expect(outcome.lines.allSatisfy { $0.count <= 120 })
    }

    @Test func drawsWithoutColoursIntoAFile() throws {
        #expect(try !demo().output.utf8.contains(0x1B))
    }

    @Test func printsTheSameAsJSON() throws {
        let document = try document("--seed", "5")
        #expect(document["seed"] as? Int == 5)
        let ring = try #require(document["ring"] as? [String: Any])
        #expect(ring["model"] as? String == "R10")
        #expect(ring["battery"] as? Int == 83)
        let history = try #require(document["history"] as? [String: Any])
        let rates = try #require(history["heartRates"] as? [[String: Any]])
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

    @Test func ringAndStrapMeasureTheSameHeartRate() throws {
        let live = try #require(try document()["live"] as? [String: [Int]])
        let ring = try #require(live["ring"]?.last)
        let strap = try #require(live["strap"]?.last)
        #expect(abs(ring - strap) <= 5)
    }

    @Test(arguments: ["r02", "r03", "R10", "r12", "h59"])
    func drawsEveryModelOfRing(profile: String) throws {
        let outcome = try demo("--profile", profile)
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("Heart rate"))
    }

    @Test(arguments: ["1", "2", "30"])
    func readsTheNumberOfDaysOfItsOption(days: String) throws {
        let document = try document("--days", days)
        let count = (document["days"] as? [Any])?.count ?? 0
        #expect(count >= 1)
        #expect(count <= Int(days) ?? 0)
    }
}
