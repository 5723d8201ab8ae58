import HaloTransport
import TestSupport
import Testing

@Suite(.passesTime) struct TurnstileTests {
    @Test func whatHangsIsCancelledAndTheNextOneHasItsTurn() async throws {
        let turnstile = Turnstile(2)
        await #expect(throws: TurnOverrun.self) {
            try await turnstile.pass(alone: true, limit: .milliseconds(10)) {
                try await Task.sleep(for: .seconds(3600), clock: .continuous)
            }
        }
        let passed = Locked(false)
        try await turnstile.pass(alone: true, limit: .seconds(3600)) {
            passed.withLock { $0 = true }
        }
        #expect(passed.withLock { $0 })
    }

    @Test func errorsComeOutAsTheyAre() async {
        await #expect(throws: CancellationError.self) {
            try await Turnstile(1).pass(limit: .seconds(3600)) { throw CancellationError() }
        }
    }
}

private let single = Turnstile(1)
private let double = Turnstile(2)

/// Tests with several turns take one: with two, they would wait for each other.
@Suite(TestTurn(single)) struct SeveralTurnsTests {
    private static let running = Locked(0)

    @Suite(TestTurn(double), TestTurn(single)) struct Inner {
        @Test(TestTurn(single), arguments: 0..<4) func isAlone(_: Int) async {
            SeveralTurnsTests.running.withLock { $0 += 1 }
            await Task.yield()
            #expect(SeveralTurnsTests.running.withLock { $0 } == 1)
            SeveralTurnsTests.running.withLock { $0 -= 1 }
        }
    }
}
