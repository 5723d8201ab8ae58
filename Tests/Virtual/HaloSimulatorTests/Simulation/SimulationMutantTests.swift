import HaloProtocol
import HaloSimulator
import Testing

/// Each misbehaving session is detected, by the rule that it breaks.
struct SimulationMutantTests {
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

    private func kinds(_ failure: SweepFailure) -> Set<Violation.Kind> {
        Set(failure.smallest.violations.map(\.kind))
    }

    @Test func aChecksumThatIsIgnoredIsFound() throws {
        let failure = try found(ChecksumIgnored.self)
        #expect(!kinds(failure).isDisjoint(with: [.foreignAnswer, .untrueAnswer]))
        #expect(failure.smallest.faults.contains { $0.kind == "corruption" })
    }

    @Test func aStaleReplyThatIsAcceptedIsFound() throws {
        let failure = try found(StaleReplyAccepted.self)
        #expect(!kinds(failure).isDisjoint(with: [.foreignAnswer, .untrueAnswer]))
    }

    @Test func aWriteThatIsRepeatedIsFound() throws {
        let failure = try found(EveryWriteRetried.self)
        #expect(kinds(failure).contains(.repeatedWrite))
    }

    @Test func anEndThatIsLostIsFound() throws {
        let failure = try found(CompletionLost.self)
        #expect(!kinds(failure).isDisjoint(with: [.neverEnded, .unusable, .noDeadline]))
    }

    @Test func anEndThatIsToldTwiceIsFound() throws {
        let failure = try found(AnswerGivenTwice.self)
        #expect(kinds(failure).contains(.endedTwice))
    }

    @Test func aSessionWithoutADeadlineIsFound() throws {
        let failure = try found(DeadlineForgotten.self)
        #expect(!kinds(failure).isDisjoint(with: [.noDeadline, .neverEnded]))
    }

    @Test func aSessionThatNeverTiresIsFound() throws {
        let failure = try found(NeverSatisfied.self)
        #expect(kinds(failure).contains(.endlessWork))
    }

    @Test func aStreamThatGoesOnIsFound() throws {
        let failure = try found(StreamEndedTwice.self)
        #expect(kinds(failure).contains(.streamAfterEnd))
    }

    @Test func aSessionThatKeepsEverythingIsFound() throws {
        let failure = try found(NothingDropped.self)
        #expect(kinds(failure).contains(.unboundedMemory))
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
