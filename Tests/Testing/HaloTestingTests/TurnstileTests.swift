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
