import HaloTesting
import Testing

/// Has the tests of a suite take turns with all others that talk over a bus.
struct BusTurn: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await Turnstile.buses.pass { try await function() }
    }
}

extension Trait where Self == BusTurn {
    static var takesTurns: BusTurn { BusTurn() }
}
