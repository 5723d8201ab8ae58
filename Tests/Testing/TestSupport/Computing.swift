internal import Foundation
package import Testing

/// Runs as many tests at a time as there are processors, of those that compute.
///
/// Otherwise all begin at once, each holds what it has made, and none ends for minutes. The limit
/// begins with the turn of a test: how long it has waited for its turn says nothing about it.
package struct Computing: SuiteTrait, TestTrait, TestScoping {
    private static let processors = Turnstile(max(ProcessInfo.processInfo.activeProcessorCount, 2))
    private static let limit = Duration.seconds(1_200)

    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withoutActuallyEscaping(function) { function in
            try await Self.processors.pass(limit: Self.limit, function)
        }
    }
}

extension Trait where Self == Computing {
    /// The tests compute, or let virtual time pass: as many at a time as there are processors.
    package static var computes: Computing { Computing() }
}
