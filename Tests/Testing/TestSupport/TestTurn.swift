internal import Foundation
internal import HaloTransport
package import Testing

/// Lets a test run in its turn, of which a kind of tests has a few, with a limit.
///
/// Otherwise all tests begin at once, and none ends for minutes. The limit begins with the turn,
/// unlike a time limit of Swift Testing, which would count the wait for the turn.
package struct TestTurn: SuiteTrait, TestTrait, TestScoping {
    private final class Identity: Sendable {}

    private let identity = Identity()
    package let turnstile: Turnstile
    /// The threads on which the tests run; `nil` for Swift's own.
    package var threads: TestThreads?
    /// `true` for a test that no other one of its kind runs beside: it counts open descriptors.
    package var isAlone = false
    package var limit: Duration = .seconds(1_200)

    package init(_ turnstile: Turnstile, on threads: TestThreads? = nil) {
        self.turnstile = turnstile
        self.threads = threads
    }

    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withoutActuallyEscaping(function) { function in
            let onThreads: @Sendable () async throws -> Void = {
                try await withTaskExecutorPreference(threads, operation: function)
            }
            guard decides(test) else { return try await onThreads() }
            try await turnstile.pass(alone: isAlone, limit: limit, onThreads)
        }
    }

    /// `false` if a test has another turn, too, which is narrower, or its own and not its suite's.
    /// Tests that waited for one turn while they have the other could wait for each other.
    private func decides(_ test: Test) -> Bool {
        let turns = test.traits.compactMap { $0 as? TestTurn }
        let narrowest = turns.map(\.turnstile.width).min()
        return turns.last { $0.turnstile.width == narrowest }?.identity === identity
    }
}

extension Trait where Self == TestTurn {
    /// The tests compute: as many run at a time as there are processors, on threads of their own.
    package static var computes: TestTurn {
        TestTurn(.computing, on: .computing)
    }

    /// The tests let virtual time pass, on Swift's threads, like the tasks of an app.
    package static var passesTime: TestTurn { TestTurn(.passingTime) }

    /// The tests use a bus, and wait for real time.
    package static var takesTurns: TestTurn { takesTurns(limit: .seconds(600)) }

    /// The tests use a bus, and no other test that does runs at the same time.
    package static var isAlone: TestTurn {
        var turn = takesTurns
        turn.isAlone = true
        return turn
    }

    /// The tests use a bus, for a long time.
    package static func takesTurns(limit: Duration) -> TestTurn {
        var turn = TestTurn(.buses)
        turn.limit = limit
        return turn
    }
}

/// Threads of their own for tests that would hold those of Swift, of which there is one for each
/// processor.
package final class TestThreads: TaskExecutor {
    private let jobs = Locked(Queue<UnownedJob>())
    private let available = DispatchSemaphore(value: 0)

    /// The threads of tests that compute.
    package static let computing = TestThreads(processors)

    package init(_ count: Int) {
        for _ in 0..<count {
            let thread = Thread { [self] in
                while true {
                    available.wait()
                    guard let job = jobs.withLock({ $0.popFirst() }) else { continue }
                    job.runSynchronously(on: asUnownedTaskExecutor())
                }
            }
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        available.signal()
    }
}

/// The number of processors, at least two.
private let processors = max(ProcessInfo.processInfo.activeProcessorCount, 2)

extension Turnstile {
    /// The turnstile of tests that use a bus.
    package static let buses = Turnstile(8)
    /// The turnstile of tests that compute.
    package static let computing = Turnstile(processors)
    /// The turnstile of tests that let virtual time pass.
    package static let passingTime = Turnstile(2 * processors)
}
