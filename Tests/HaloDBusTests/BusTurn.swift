import HaloTesting
import Testing

/// Has the tests of a suite take turns with all others that talk over a bus.
///
/// A turn has a limit, in place of the test's own: that one would count how long it waits for its
/// turn, and on a slow computer, or behind a test that hangs, that can be long.
struct BusTurn: SuiteTrait, TestTrait, TestScoping {
    /// Whether nobody else may be at it meanwhile: for those who count what is open.
    var isAlone = false
    var limit: Duration = .seconds(600)

    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withoutActuallyEscaping(function) { function in
            try await Turnstile.buses.pass(alone: isAlone, limit: limit, function)
        }
    }
}

extension Trait where Self == BusTurn {
    static var takesTurns: BusTurn { BusTurn() }
    static var isAlone: BusTurn { BusTurn(isAlone: true) }

    static func takesTurns(limit: Duration) -> BusTurn { BusTurn(limit: limit) }
}
