import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

/// The runner: one order of tasks, no real time, and no deadlock.
@Suite(.passesTime) struct DeterministicRunnerTests {
    private let time = SteppedTime()

    private func run<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        try runDeterministically(step: { time.step() }, idleStepLimit: 1000, body)
    }

    @Test func sleepersWakeInTheOrderOfTheirDeadlines() throws {
        let order = try run { [time] in
            await withTaskGroup(of: Int.self) { group in
                for seconds in [5, 1, 3, 2, 4] {
                    group.addTask {
                        try? await time.clock.sleep(for: .seconds(seconds))
                        return seconds
                    }
                }
                var order: [Int] = []
                for await seconds in group { order.append(seconds) }
                return order
            }
        }
        #expect(order == [1, 2, 3, 4, 5])
        #expect(time.now() == .origin + .seconds(5))
    }

    private actor Log {
        private(set) var lines: [String] = []

        func add(_ line: String) { lines.append(line) }
    }

    @Test func tasksAndActorsTakeOneCourse() throws {
        var courses: Set<[String]> = []
        for _ in 0..<50 {
            let time = SteppedTime()
            let course = try runDeterministically(step: { time.step() }) {
                let log = Log()
                await withTaskGroup(of: Void.self) { group in
                    for worker in 0..<8 {
                        group.addTask {
                            for turn in 0..<5 {
                                await log.add("\(worker).\(turn)")
                                await Task.yield()
                                try? await time.clock.sleep(
                                    for: .milliseconds((worker * 7 + turn * 3) % 5))
                            }
                        }
                    }
                }
                return await log.lines
            }
            courses.insert(course)
        }
        #expect(courses.count == 1)
        #expect(courses.first?.count == 40)
    }

    @Test func whatTheBodyThrowsIsThrown() {
        struct Mistake: Error {}
        #expect(throws: Mistake.self) { try run { throw Mistake() } }
    }

    @Test func aWaitForNothingIsAnErrorAndIsCleanedUp() throws {
        let isCleanedUp = Locked(false)
        #expect(throws: NothingToRunError(steps: 0)) {
            try run { [time] in
                let never = Promise<Void, BLEError>(for: .read, on: time)
                do { try await never.value() } catch { isCleanedUp.withLock { $0 = true } }
            }
        }
        #expect(isCleanedUp.withLock { $0 })
        #expect(time.waiterCount == 0)
    }

    @Test func timeThatPassesForEverWithoutAnyoneReadyIsAnErrorToo() {
        @Sendable func tick() { _ = time.schedule(at: time.now() + .seconds(1)) { tick() } }
        tick()
        #expect(throws: NothingToRunError(steps: 1000)) {
            try run { [time] in
                let never = Promise<Void, BLEError>(for: .read, on: time)
                try await never.value()
            }
        }
    }

    @Test func aTaskThatRunsElsewhereIsFoundOut() {
        let elsewhere = Promise<Int, BLEError>(for: .read, on: time)
        #expect(throws: NothingToRunError.self) {
            try run { try await Task.detached { try await elsewhere.value() }.value }
        }
        elsewhere.resolve(.success(1))
    }

    @Test func aSleepThatIsCancelledEndsAtOnce() throws {
        try run { [time] in
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    await #expect(throws: CancellationError.self) {
                        try await time.clock.sleep(for: .seconds(9))
                    }
                }
                await Task.yield()
                group.cancelAll()
            }
        }
        #expect(time.now() == .origin)
        #expect(time.timerCount == 0)
    }

    @Test func whatIsDueAtOneMomentIsDoneInTheOrderOfAsking() {
        let order = Locked<[Int]>([])
        for number in 0..<20 {
            _ = time.schedule(at: .origin + .seconds(number % 2)) {
                order.withLock { $0.append(number) }
            }
        }
        time.advance(by: .seconds(10))
        #expect(
            order.withLock { $0 } == (0..<20).filter { $0 % 2 == 0 }
                + (0..<20).filter { $0 % 2 == 1 })
        #expect(time.now() == .origin + .seconds(10))
        #expect(time.wallClock().local.description == "2026-01-01 00:00:10")
    }
}
