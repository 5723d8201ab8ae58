import TestSupport
import Testing

/// Serialises the suites that use a bus.
///
/// The limit starts with the turn, unlike a time limit of the test, which would count the wait for
/// the turn, and on a slow computer that can be long.
struct BusTurn: SuiteTrait, TestTrait, TestScoping {
    /// `true` for a test that must run alone: it counts open descriptors.
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
