import HaloProtocol
import HaloSimulator
import TestSupport
import Testing

@Suite(.passesTime) struct SimulationTests {
    @Test func aWeekWithEveryFaultKeepsEveryRule() {
        var simulation = Simulation(seed: 5)
        simulation.extent = .week
        let report = simulation.run()
        #expect(report.violations == [])
        #expect(report.elapsed > .seconds(6 * 86_400))
        #expect(report.requests.answered > 40)
        #expect(report.streams > 3)
        #expect(report.faults.count > 30)
        let kinds = Set(report.faults.map(\.kind))
        #expect(kinds.count > 8, "\(kinds)")
    }

    @Test(arguments: [1, 99, 12_345, 0xDEAD_BEEF_0000_0001] as [UInt64])
    func theSameSeedIsTheSameRun(seed: UInt64) {
        var simulation = Simulation(seed: seed)
        let first = simulation.run()
        let second = simulation.run()
        #expect(first.digest == second.digest)
        #expect(first.faults == second.faults)
        simulation.isTraced = true
        let traced = simulation.run()
        #expect(traced.digest == first.digest, "looking on changes nothing")
        #expect(!traced.trace.isEmpty)
        #expect(simulation.run().trace == traced.trace)
    }

    @Test func differentSeedsAreDifferentRuns() {
        let digests = Set((1...100).map { Simulation(seed: $0).run().digest })
        #expect(digests.count == 100)
    }

    @Test func allFaultsAgainAreTheSameRunAgain() throws {
        // With faults, so that there is something to replay.
        for seed in UInt64(1)...60 {
            let whole = Simulation(seed: seed).run()
            guard whole.faults.count > 3 else { continue }
            let again = Simulation(seed: seed, onlyFaults: Set(whole.faults.map(\.index))).run()
            #expect(again.faults == whole.faults, "seed \(seed)")
            #expect(again.digest == whole.digest, "seed \(seed)")
        }
    }

    @Test func withoutFaultsNothingFails() {
        for seed in UInt64(1)...100 {
            let report = Simulation(seed: seed, onlyFaults: []).run()
            #expect(report.faults == [])
            #expect(report.violations == [], "seed \(seed)")
        }
    }

    @Test func aReportCountsWhatHappened() {
        var simulation = Simulation(seed: 2)
        simulation.isTraced = true
        let report = simulation.run()
        #expect(report.requests.total > 1)
        #expect(report.seed == 2)
        #expect(report.elapsed > .seconds(3))
        #expect(report.trace.contains { $0.contains("→ 03") })
    }
}
