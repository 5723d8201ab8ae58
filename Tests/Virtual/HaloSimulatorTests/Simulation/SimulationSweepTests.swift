import Foundation
import HaloProtocol
import TestSupport
import Testing

/// Many runs, each with its own seed. A failure names the seed, the broken rules, the fewest faults
/// that break one, and the command that repeats that run.
///
/// `HALO_SWEEP_RUNS` is the number of runs, and `HALO_SWEEP_SEED` the first seed. With
/// `HALO_SWEEP_FAULTS`, as `3,17` or `none`, there is only the run of that seed with these of its
/// faults, and its trace is printed.
@Suite(.passesTime) struct SimulationSweepTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seed = environment["HALO_SWEEP_SEED"].flatMap(UInt64.init) ?? 1
    private static let runs = environment["HALO_SWEEP_RUNS"].flatMap(Int.init) ?? 500
    private static let faults = environment["HALO_SWEEP_FAULTS"].map { list in
        Set(list.split(separator: ",").compactMap { Int($0) })
    }
    /// The parts of a sweep, which run in parallel.
    private static let parts = faults == nil ? 4 : 1

    @Test(arguments: 0..<parts) func everyRuleHolds(part: Int) {
        if let faults = Self.faults { return repeatRun(with: faults) }
        let start = Self.runs * part / Self.parts
        let count = Self.runs * (part + 1) / Self.parts - start
        let first = Self.seed &+ UInt64(start)
        let begun = ContinuousClock.now
        var sweep = Sweep(from: first)
        if let failure = sweep.run(count) { Issue.record("\(failure)") }
        // Runs without events would keep every rule.
        #expect(sweep.requests.answered >= sweep.runs)
        #expect(sweep.requests.refused >= sweep.runs / 20)
        #expect(sweep.requests.withoutData >= sweep.runs / 20)
        #expect(sweep.requests.failed >= sweep.runs / 12)
        #expect(sweep.faults >= sweep.runs / 2)
        print(
            "\(sweep.runs) runs from seed \(first) in \(ContinuousClock.now - begun): "
                + "\(sweep.requests.total) requests, \(sweep.faults) faults")
    }

    private func repeatRun(with faults: Set<Int>) {
        var simulation = Simulation(seed: Self.seed, onlyFaults: faults)
        simulation.isTraced = true
        let report = simulation.run()
        for line in report.trace + report.faults.map(\.description) { print(line) }
        #expect(report.violations == [])
    }
}
