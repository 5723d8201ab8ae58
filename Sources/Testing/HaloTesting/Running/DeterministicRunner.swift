internal import HaloTransport

/// Runs asynchronous code on the calling thread, one job after another in the order in which they
/// became ready. Virtual time advances only when no job is ready.
///
/// So the same code runs in the same order each time. Tasks of a group, `async let` and actors take
/// part. A `Task { … }` without a parent, `Task.detached` and the main actor do not; a wait for
/// them ends with an error that says so.
///
///     let beats = try runDeterministically(step: { air.step() }) {
///         let strap = try await HeartRateSensor.connect(over: air)
///         …
///     }
///
/// - Parameters:
///   - step: Advances time to the next event; returns `false` if there is none.
///   - idleStepLimit: The maximum number of successive steps without a ready job: an advertising
///     device has events without end.
///   - body: The code to run.
/// - Throws: The errors of the body; ``NothingToRunError`` if it waits for an event that never
///   comes. In that case the body was cancelled, and had time to clean up.
public func runDeterministically<Value: Sendable>(
    step: () -> Bool, idleStepLimit: Int = 1_000_000,
    _ body: @escaping @Sendable () async throws -> Value
) throws -> Value {
    let executor = QueueExecutor()
    let outcome = Locked<Result<Value, any Error>?>(nil)
    let task = Task(executorPreference: executor) {
        let result: Result<Value, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        outcome.withLock { $0 = result }
    }
    var idleSteps = 0
    while true {
        if executor.drain() {
            idleSteps = 0
            if let result = outcome.withLock({ $0 }) { return try result.get() }
        }
        if idleSteps < idleStepLimit, step() {
            idleSteps += 1
        } else if !executor.hasJobs {
            break
        }
    }
    task.cancel()
    executor.drain()
    for _ in 0..<stepsToCleanUp where outcome.withLock({ $0 == nil }) && step() {
        executor.drain()
    }
    throw NothingToRunError(steps: idleSteps)
}

private let stepsToCleanUp = 1000

private final class QueueExecutor: TaskExecutor {
    private let jobs = Locked(Queue<UnownedJob>())

    var hasJobs: Bool { jobs.withLock { !$0.isEmpty } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// Runs jobs until no job is ready; returns `true` if there were any.
    @discardableResult
    func drain() -> Bool {
        var hasRun = false
        while let job = jobs.withLock({ $0.popFirst() }) {
            job.runSynchronously(on: asUnownedTaskExecutor())
            hasRun = true
        }
        return hasRun
    }
}
