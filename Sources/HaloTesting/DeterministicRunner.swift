internal import HaloTransport

/// Runs asynchronous code on the thread that calls, one job after another in the order in which
/// they became ready, and lets virtual time pass only when none is.
///
/// The same code then takes the same course each time. Tasks of a group, `async let` and actors
/// follow; a `Task { … }` without a parent, `Task.detached` and the main actor do not, and what
/// waits for them ends with an error that says so.
///
///     let beats = try runDeterministically(step: { air.step() }) {
///         let strap = try await HeartRateSensor.connect(over: air)
///         …
///     }
///
/// - Parameters:
///   - step: Lets time pass until the next thing that is due, and does it; says whether there
///     was one.
///   - patience: How many things may happen in a row without any of the code becoming ready: a
///     device that advertises does so for ever.
///   - body: What is to be run.
/// - Throws: What the body throws; ``NothingToRun`` if it waits for something that never comes.
///   The body has been cancelled then, and was given time to clean up.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public func runDeterministically<Value: Sendable>(
    step: () -> Bool, patience: Int = 1_000_000,
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
        if executor.drain() { idleSteps = 0 }
        if let result = outcome.withLock({ $0 }) { return try result.get() }
        if idleSteps < patience, step() {
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
    throw NothingToRun(steps: idleSteps)
}

/// How many things may happen while what was cancelled cleans up.
private let stepsToCleanUp = 1000

/// Code that was run deterministically waits, and nothing is due that it could wait for.
public struct NothingToRun: Error, Hashable, Sendable, CustomStringConvertible {
    /// How many things have happened on virtual time since any of the code was ready.
    public let steps: Int

    /// An error about code that was not ready for so many steps.
    public init(steps: Int) {
        self.steps = steps
    }

    /// What has happened, and what the reasons can be.
    public var description: String {
        "Nothing can run, after \(steps) steps of virtual time nothing is due: the code waits "
            + "for what never comes, or for a task that runs elsewhere (Task { }, "
            + "Task.detached, the main actor)."
    }
}

/// Keeps jobs in the order in which they came, and runs them when told.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class QueueExecutor: TaskExecutor {
    private let jobs = Locked<[UnownedJob]>([])

    var hasJobs: Bool { jobs.withLock { !$0.isEmpty } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// Runs jobs until there is none; says whether there were any.
    @discardableResult
    func drain() -> Bool {
        var hasRun = false
        while true {
            let batch = jobs.withLock { jobs in
                defer { jobs = [] }
                return jobs
            }
            guard !batch.isEmpty else { return hasRun }
            hasRun = true
            for job in batch { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }
}
