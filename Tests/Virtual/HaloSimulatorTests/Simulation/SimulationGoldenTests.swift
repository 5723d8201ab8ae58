import HaloProtocol
import HaloSimulator
import TestSupport
import Testing

/// Whole runs, compared with recordings.
@Suite(.passesTime) struct SimulationGoldenTests {
    private static func words(_ report: SimulationReport) -> [String] {
        let counts = report.requests
        let faults = report.faults.map { "fault \($0.index) \($0.kind): \($0.description)" }
        return report.trace + faults + report.violations.map { "rule broken: \($0)" } + [
            "\(counts.total) requests: \(counts.answered) answered, \(counts.refused) refused, "
                + "\(counts.withoutData) without data, \(counts.failed) failed",
            "\(report.streams) streams, \(report.faults.count) faults, \(report.elapsed)",
            "digest \(String(report.digest, radix: 16))",
        ]
    }

    private static func words(_ seed: UInt64, _ extent: SimulationExtent) -> [String] {
        var simulation = Simulation(seed: seed)
        simulation.isTraced = true
        simulation.extent = extent
        return words(simulation.run())
    }

    /// The traces of some runs, in which most kinds of faults occur.
    @Test(arguments: [2, 7, 31, 42] as [UInt64])
    func aTranscriptIsAsRecorded(_ seed: UInt64) throws {
        try GoldenText("Golden/Simulations/Seed\(seed).txt").expect(Self.words(seed, .minutes))
    }

    @Test func manyRunsAreAsRecorded() throws {
        var table = GoldenTable("Minutes")
        for seed in UInt64(1)...150 {
            try table.add("seed \(seed)", Self.words(seed, .minutes))
        }
        try GoldenText("Golden/Simulations/Minutes.txt").expect(table.lines)
    }

    @Test func aWeekIsAsRecorded() throws {
        var table = GoldenTable("Weeks")
        try table.add("seed 1", Self.words(1, .week))
        try GoldenText("Golden/Simulations/Weeks.txt").expect(table.lines)
    }

    /// Runs with some of another run's faults.
    @Test func partsOfTheFaultsAreAsRecorded() throws {
        var table = GoldenTable("SomeFaults")
        for seed in UInt64(1)...16 {
            for part in [[], [0], [1, 2], [0, 2, 4, 6]] as [Set<Int>] {
                var simulation = Simulation(seed: seed, onlyFaults: part)
                simulation.isTraced = true
                try table.add(
                    "seed \(seed), faults \(part.sorted())", Self.words(simulation.run()))
            }
        }
        try GoldenText("Golden/Simulations/SomeFaults.txt").expect(table.lines)
    }

    // MARK: Sessions that do one thing wrong

    private static func failure<Session: SessionUnderTest>(
        of session: Session.Type
    ) -> [String] {
        var sweep = Sweep(from: 1, of: session)
        guard let failure = sweep.run(100) else { return ["\(session): nothing in 100 runs"] }
        let summary =
            "\(session): \(sweep.runs) runs, seed \(sweep.seed), \(sweep.requests.total) requests, "
            + "\(sweep.faults) faults, \(sweep.elapsed), faults \(failure.faultIndices), "
            + failure.reproduction
        return [summary] + failure.first.violations.map { "  first: \($0)" }
            + failure.smallest.violations.map { "  smallest: \($0)" }
    }

    @Test func whatIsFoundOfWrongSessionsIsAsRecorded() throws {
        try GoldenText("Golden/Simulations/WrongSessions.txt").expect(
            Self.failure(of: ChecksumIgnored.self)
                + Self.failure(of: StaleReplyAccepted.self)
                + Self.failure(of: EveryWriteRetried.self)
                + Self.failure(of: CompletionLost.self)
                + Self.failure(of: AnswerGivenTwice.self)
                + Self.failure(of: DeadlineForgotten.self)
                + Self.failure(of: NeverSatisfied.self)
                + Self.failure(of: StreamEndedTwice.self)
                + Self.failure(of: NothingDropped.self))
    }
}
