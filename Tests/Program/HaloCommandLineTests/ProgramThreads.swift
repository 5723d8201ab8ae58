import Foundation
import Testing

/// Threads for tests that wait for programs.
///
/// All other tasks share one thread for each processor, and a test that waits for the end of a
/// program holds its thread.
private final class ProgramThreads: TaskExecutor {
    static let shared = ProgramThreads()

    private let queue = OperationQueue()

    /// The number of programs that run at once. They mostly wait, too; the optimised one is tested
    /// with large files, whose memory is sampled.
    private static let width = CommandLineProgram.optimisedProgram == nil ? 16 : 4

    private init() {
        queue.maxConcurrentOperationCount = Self.width
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.addOperation { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}

/// Runs the tests of a suite on threads that may wait.
struct ProgramThreadsTrait: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(ProgramThreads.shared) { try await function() }
    }
}

extension Trait where Self == ProgramThreadsTrait {
    /// The tests run programs, and wait for them.
    static var waitsForPrograms: ProgramThreadsTrait { ProgramThreadsTrait() }
}
