import HaloProtocol
import HaloSimulator
import TestSupport
import Testing

/// Each misbehaving session is detected, by the rule that it breaks.
@Suite(.passesTime) struct SimulationMutantTests {
    private static let most = 2_000

    private func found<Session: SessionUnderTest>(
        _ session: Session.Type, from seed: UInt64 = 1
    ) throws -> SweepFailure {
        var sweep = Sweep(from: seed, of: session)
        let result = sweep.run(Self.most)
        let failure = try #require(result, "\(session) was not found out")
        #expect(sweep.runs <= Self.most)
        return failure
    }

    /// Checks that the smallest run of a session breaks one of the rules.
    private func expect<Session: SessionUnderTest>(
        _ session: Session.Type, breaks rules: Set<Violation.Kind>
    ) throws {
        let kinds = try found(session).smallest.violations.map(\.kind)
        #expect(!rules.isDisjoint(with: kinds), "\(session): \(kinds)")
    }

    @Test func eachSessionIsFoundByTheRuleThatItBreaks() throws {
        try expect(ChecksumIgnored.self, breaks: [.foreignAnswer, .untrueAnswer])
        try expect(StaleReplyAccepted.self, breaks: [.foreignAnswer, .untrueAnswer])
        try expect(EveryWriteRetried.self, breaks: [.repeatedWrite])
        try expect(CompletionLost.self, breaks: [.neverEnded, .unusable, .noDeadline])
        try expect(AnswerGivenTwice.self, breaks: [.endedTwice])
        try expect(DeadlineForgotten.self, breaks: [.noDeadline, .neverEnded])
        try expect(NeverSatisfied.self, breaks: [.endlessWork])
        try expect(StreamEndedTwice.self, breaks: [.streamAfterEnd])
        try expect(NothingDropped.self, breaks: [.unboundedMemory])
        let faults = try found(ChecksumIgnored.self).smallest.faults
        #expect(faults.contains { $0.kind == "corruption" })
    }

    @Test func theSmallestRunNeedsEachOfItsFaults() throws {
        let failure = try found(EveryWriteRetried.self)
        let seed = failure.first.seed
        let indices = failure.faultIndices
        #expect(indices.count <= failure.first.faults.count)
        #expect(!failure.smallest.violations.isEmpty)
        for left in indices {
            let fewer = Set(indices).subtracting([left])
            let report = Simulation(
                seed: seed, onlyFaults: fewer, of: EveryWriteRetried.self
            ).run()
            #expect(report.violations == [], "fault \(left) is not needed")
        }
    }

    @Test func aFailureSaysHowToSeeItAgain() throws {
        let failure = try found(EveryWriteRetried.self)
        let list = failure.faultIndices.map { "\($0)" }.joined(separator: ",")
        let faults = list.isEmpty ? "none" : list
        let lines = failure.description.split(separator: "\n").map(String.init)
        #expect(lines.first == "seed \(failure.first.seed) breaks a rule")
        #expect(
            lines.count { $0.hasPrefix("  rule broken: ") } == failure.smallest.violations.count)
        #expect(lines.count { $0.hasPrefix("  fault #") } == failure.smallest.faults.count)
        #expect(
            lines.last
                == "HALO_SWEEP_SEED=\(failure.first.seed) HALO_SWEEP_FAULTS=\(faults) "
                + "swift test --filter SimulationSweepTests")
        let again = Simulation(
            seed: failure.first.seed, onlyFaults: Set(failure.faultIndices),
            of: EveryWriteRetried.self
        ).run()
        #expect(again.violations == failure.smallest.violations)
        #expect(again.digest == failure.smallest.digest)
    }
}
