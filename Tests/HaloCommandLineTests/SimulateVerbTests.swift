import Foundation
import Testing

struct SimulateVerbTests {
    private func object(_ line: String) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
        return try #require(object as? [String: Any])
    }

    @Test func aRunIsToldStepByStep() throws {
        let outcome = try CommandLineProgram.run(["simulate", "--seed", "2"])
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("the link can be used"))
        #expect(outcome.output.contains("ask: battery"))
        #expect(outcome.output.contains("→ 03 00"))
        #expect(outcome.output.contains("seed 2\n"))
        #expect(outcome.lines.last == "  every rule was kept")
        #expect(outcome.complaints == "")
    }

    @Test func theSameSeedIsToldInTheSameWords() throws {
        let arguments = ["simulate", "--seed", "77"]
        let first = try CommandLineProgram.run(arguments)
        #expect(try CommandLineProgram.run(arguments).output == first.output)
        #expect(try CommandLineProgram.run(["simulate", "--seed", "78"]).output != first.output)
    }

    @Test func aSweepTellsItsRate() throws {
        let outcome = try CommandLineProgram.run(["simulate", "--sweep", "20", "--seed", "40"])
        #expect(outcome.status == 0)
        #expect(outcome.output.hasPrefix("20 runs from seed 40, "))
        #expect(outcome.output.contains(" a second: "))
        #expect(outcome.lines.last == "every rule was kept")
    }

    @Test func oneSeedLessBreaksNothing() throws {
        // Without its faults, and with the first alone, a run is one too.
        for faults in ["none", "0", "0,1"] {
            let outcome = try CommandLineProgram.run(
                ["simulate", "--seed", "2", "--only-faults", faults])
            #expect(outcome.status == 0)
            let told = outcome.lines.count { $0.hasPrefix("  fault ") }
            #expect(told <= faults.split(separator: ",").count)
        }
    }

    @Test func linesOfJSONSayTheSame() throws {
        let run = try CommandLineProgram.run(["simulate", "--seed", "2", "--json"])
        let object = try object(try #require(run.lines.first))
        #expect(object["seed"] as? String == "2")
        #expect(object["status"] as? String == "kept")
        #expect((object["violations"] as? [Any])?.isEmpty == true)
        #expect((object["digest"] as? String)?.count == 16)
        #expect((object["trace"] as? [String])?.isEmpty == false)
        let sweep = try CommandLineProgram.run(["simulate", "--sweep", "5", "--json"])
        #expect(sweep.lines.count == 1)
        let summary = try self.object(try #require(sweep.lines.first))
        #expect(summary["runs"] as? Int == 5)
        #expect(summary["runsPerSecond"] is Int)
        #expect(summary["status"] as? String == "kept")
    }

    @Test(arguments: [
        ["--sweep"], ["--sweep", "0"], ["--sweep", "many"], ["--seed", "-1"], ["--seed"],
        ["--only-faults", "a"], ["--only-faults", "1,,2"], ["--only-faults", "-3"],
        ["--sweep", "3", "--only-faults", "1"], ["--fast"], ["7"],
        ["--seed", "99999999999999999999999"],
    ])
    func refusesToGuessWhatIsMeant(arguments: [String]) throws {
        let outcome = try CommandLineProgram.run(["simulate"] + arguments)
        #expect(outcome.status == 2)
        #expect(outcome.output == "")
        #expect(outcome.complaints.hasPrefix("halo simulate: "))
        #expect(outcome.complaints.contains("'halo help simulate' says more."))
    }

    @Test func saysHowItIsUsed() throws {
        for arguments in [["help", "simulate"], ["simulate", "--help"], ["simulate", "-h"]] {
            let outcome = try CommandLineProgram.run(arguments)
            #expect(outcome.status == 0)
            for option in ["--sweep", "--seed", "--only-faults", "--json"] {
                #expect(outcome.output.contains(option))
            }
        }
    }
}
