import Foundation
import HaloProtocol
import HaloSimulator
import Testing

@testable import halo

/// Runs and sweeps of the simulation.
@Suite(.waitsForPrograms) struct SelfTestVerbTests {
    @Test func printsEveryStepOfARun() throws {
        let outcome = try CommandLineProgram.run(["selftest", "--seed", "2"])
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("the link can be used"))
        #expect(outcome.output.contains("ask: battery"))
        #expect(outcome.output.contains("→ 03 00"))
        #expect(outcome.output.contains("seed 2\n"))
        #expect(outcome.lines.last == "  every rule was kept")
        #expect(outcome.errorOutput == "")
    }

    @Test func printsTheSameForTheSameSeed() throws {
        let arguments = ["selftest", "--seed", "77"]
        let first = try CommandLineProgram.run(arguments)
        #expect(try CommandLineProgram.run(arguments).output == first.output)
        #expect(try CommandLineProgram.run(["selftest", "--seed", "78"]).output != first.output)
    }

    @Test func printsTheRateOfASweep() throws {
        let outcome = try CommandLineProgram.run(["selftest", "--sweep", "20", "--seed", "40"])
        #expect(outcome.status == 0)
        #expect(outcome.output.hasPrefix("20 runs from seed 40, "))
        #expect(outcome.output.contains(" a second: "))
        #expect(outcome.lines.last == "every rule was kept")
    }

    @Test func runsWithSomeOfItsFaults() throws {
        for faults in ["none", "0", "0,1"] {
            let outcome = try CommandLineProgram.run(
                ["selftest", "--seed", "2", "--only-faults", faults])
            #expect(outcome.status == 0)
            let printed = outcome.lines.count { $0.hasPrefix("  fault ") }
            #expect(printed <= faults.split(separator: ",").count)
        }
    }

    @Test func printsTheSameAsJSON() throws {
        let run = try CommandLineProgram.run(["selftest", "--seed", "2", "--json"])
        let object = try run.object
        #expect(object["seed"] as? String == "2")
        #expect(object["status"] as? String == "kept")
        #expect((object["violations"] as? [Any])?.isEmpty == true)
        #expect((object["digest"] as? String)?.count == 16)
        #expect((object["trace"] as? [String])?.isEmpty == false)
        let sweep = try CommandLineProgram.run(["selftest", "--sweep", "5", "--json"])
        let summary = try sweep.object
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
    func refusesWrongUsage(arguments: [String]) throws {
        let outcome = try CommandLineProgram.run(["selftest"] + arguments)
        #expect(outcome.status == 2)
        #expect(outcome.output == "")
        #expect(outcome.errorOutput.hasPrefix("halo: "))
        #expect(outcome.errorOutput.contains("'halo help selftest' says more."))
    }

    @Test func printsItsHelpText() throws {
        for arguments in [["help", "selftest"], ["selftest", "--help"], ["selftest", "-h"]] {
            let outcome = try CommandLineProgram.run(arguments)
            #expect(outcome.status == 0)
            for option in ["--sweep", "--seed", "--only-faults", "--json"] {
                #expect(outcome.output.contains(option))
            }
        }
    }
}

/// Reports on a session that breaks a rule; the real one breaks none.
struct SimulationPrinterTests {
    private func failingSweep() throws -> (Sweep<ForgetfulSession>, SweepFailure) {
        var sweep = Sweep(from: 10, of: ForgetfulSession.self)
        let failure = sweep.run(500)
        return (sweep, try #require(failure))
    }

    @Test func printsTheFaultsOfABrokenRuleAndTheCommandThatRepeatsIt() throws {
        let (sweep, failure) = try failingSweep()
        let text = SimulationPrinter(isJSON: false).text(
            of: sweep, from: 10, in: .seconds(2), failure)
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines[0].hasPrefix("\(sweep.runs) runs from seed 10, \(sweep.runs / 2) a second: "))
        #expect(lines[1] == "seed \(failure.first.seed) breaks a rule")
        #expect(lines[2].hasPrefix("  rule broken: "))
        #expect(text.contains("the session has no deadline"))
        let enough = failure.faultIndices.count
        #expect(
            lines.contains("  \(enough) of its \(failure.first.faults.count) faults are enough"))
        #expect(lines.count { $0.hasPrefix("  fault ") } == failure.smallest.faults.count)
        #expect(lines.last == failure.reproduction)
        #expect(failure.reproduction.hasPrefix("halo selftest --seed \(failure.first.seed) "))
    }

    @Test func printsTheSameAsJSON() throws {
        let (sweep, failure) = try failingSweep()
        let text = SimulationPrinter(isJSON: true).text(
            of: sweep, from: 10, in: .seconds(2), failure)
        let objects = try text.split(separator: "\n").map { line in
            try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(objects.count == 2)
        #expect(objects[0]["status"] as? String == "broken")
        #expect(objects[0]["reproduce"] as? String == failure.reproduction)
        let violations = try #require(objects[0]["violations"] as? [[String: Any]])
        #expect(violations.contains { $0["rule"] as? String == "no-deadline" })
        #expect((objects[0]["faults"] as? [Any])?.count == failure.smallest.faults.count)
        #expect(objects[1]["status"] as? String == "broken")
    }
}

/// A session that does not report failed requests.
struct ForgetfulSession: SessionUnderTest {
    private var session: RingSession

    init(_ rules: SessionRules) { session = RingSession(rules) }

    var deadline: Moment? { session.deadline }
    mutating func nextEffect() -> RingSession.Effect? {
        let effect = session.nextEffect()
        guard case .finished(let completion) = effect, completion.error != nil else {
            return effect
        }
        return session.nextEffect()
    }
    mutating func receive(_ bytes: [UInt8], on channel: RingChannel, at now: Moment) {
        session.receive(bytes, on: channel, at: now)
    }
    mutating func tick(at now: Moment) { session.tick(at: now) }
    mutating func disconnect(at now: Moment) { session.disconnect(at: now) }
    mutating func cancel(_ number: RequestNumber, at now: Moment) {
        session.cancel(number, at: now)
    }
    mutating func ask<Result>(_ body: (inout RingSession) -> Result) -> Result { body(&session) }
}
