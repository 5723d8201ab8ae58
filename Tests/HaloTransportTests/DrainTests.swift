import HaloTesting
import Testing

@testable import HaloTransport

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A state under a lock, and the steps of its changes: performed once, in order, by one thread at a
/// time, and without the lock.
@Suite(.timeLimit(.minutes(20))) struct DrainTests {
    /// Numbers to note; only the backend may note those from the bound on.
    private struct Numbers: DrainState {
        var queue = Queue<Int>()
        var isHeldUp = false
        var appBelow = Int.max

        mutating func nextStep(for role: DrainRole) -> Int? {
            guard !isHeldUp, let first = queue.first, role == .backend || first < appBelow
            else { return nil }
            return queue.popFirst()
        }

        var hasBackendSteps: Bool { !queue.isEmpty }
    }

    /// A log of several threads.
    private final class Notes<Element: Sendable>: Sendable {
        private let noted = Locked<[Element]>([])

        func add(_ element: Element) { noted.withLock { $0.append(element) } }

        var all: [Element] { noted.withLock { $0 } }
    }

    /// A flag that one thread waits for and another one sets.
    private final class Flag: Sendable {
        private let isSet = Locked(false)

        func set() { isSet.withLock { $0 = true } }

        func wait() { while !isSet.withLock({ $0 }) { sched_yield() } }
    }

    private let drain = Drain(Numbers())
    private let noted = Notes<Int>()

    private func add(_ numbers: Int..., as role: DrainRole) {
        drain.change(as: role, perform: noted.add) { state in
            for number in numbers { state.queue.append(number) }
        }
    }

    // MARK: One thread

    @Test(arguments: [DrainRole.backend, .app])
    func stepsArePerformedInOrderBeforeTheChangeReturns(_ role: DrainRole) {
        add(1, 2, 3, as: role)
        #expect(noted.all == [1, 2, 3])
        add(4, as: role)
        #expect(noted.all == [1, 2, 3, 4])
    }

    @Test func changeReturnsTheBodysResult() {
        #expect(drain.change(as: .app, perform: noted.add) { $0.queue.count } == 0)
        #expect(noted.all == [])
    }

    @Test(arguments: [DrainRole.backend, .app], [DrainRole.backend, .app])
    func stepsOfAStepComeAfterIt(_ outer: DrainRole, _ inner: DrainRole) {
        drain.change(
            as: outer,
            perform: { number in
                if number < 3 { add(number + 10, as: inner) }
                noted.add(number)
            }
        ) { state in
            for number in 1...3 { state.queue.append(number) }
        }
        #expect(noted.all == [1, 2, 3, 11, 12])
    }

    @Test func readPerformsNoStep() {
        drain.withLock { $0.queue.append(1) }
        #expect(drain.read { $0.queue.count } == 1)
        #expect(noted.all == [])
        add(2, as: .app)
        #expect(noted.all == [1, 2])
    }

    @Test func blockedStepsWaitForTheChangeThatUnblocksThem() {
        drain.withLock { $0.isHeldUp = true }
        add(1, as: .backend)
        add(2, as: .app)
        #expect(noted.all == [])
        drain.change(as: .backend, perform: noted.add) { $0.isHeldUp = false }
        #expect(noted.all == [1, 2])
    }

    @Test func stepMayBlockLaterSteps() {
        drain.change(
            as: .backend,
            perform: { number in
                noted.add(number)
                drain.withLock { $0.isHeldUp = number == 2 }
            }
        ) { state in
            for number in 1...3 { state.queue.append(number) }
        }
        #expect(noted.all == [1, 2])
        drain.change(as: .app, perform: noted.add) { $0.isHeldUp = false }
        #expect(noted.all == [1, 2, 3])
    }

    // MARK: Roles

    @Test func appLeavesBackendStepsAndWakesTheBackend() {
        drain.withLock { $0.appBelow = 10 }
        let wakeups = Notes<[Int]>()
        func add(_ numbers: [Int], as role: DrainRole) {
            drain.change(
                as: role, wakeBackend: { wakeups.add(noted.all) }, perform: noted.add
            ) { state in
                for number in numbers { state.queue.append(number) }
            }
        }
        add([1, 2], as: .app)
        #expect(wakeups.all == [])
        add([3, 10, 4], as: .app)
        #expect(noted.all == [1, 2, 3])
        #expect(wakeups.all == [[1, 2, 3]])
        add([11], as: .app)
        #expect(noted.all == [1, 2, 3])
        #expect(wakeups.all.count == 2)
        add([12], as: .backend)
        #expect(noted.all == [1, 2, 3, 10, 4, 11, 12])
        #expect(wakeups.all.count == 2)
    }

    @Test func wakingMayPerformTheStepsAtOnce() {
        drain.withLock { $0.appBelow = 10 }
        drain.change(
            as: .app, wakeBackend: { add(as: .backend) }, perform: noted.add
        ) { state in
            for number in [10, 1] { state.queue.append(number) }
        }
        #expect(noted.all == [10, 1])
    }

    /// Begins a step on a new thread; returns a flag that ends it, and one that is set at its end.
    private func busy(as role: DrainRole) -> (goOn: Flag, isOver: Flag) {
        let (hasBegun, goOn, isOver) = (Flag(), Flag(), Flag())
        RunningThread.run { [drain, noted] in
            drain.change(
                as: role,
                perform: { number in
                    noted.add(number)
                    if number == 1 {
                        hasBegun.set()
                        goOn.wait()
                    }
                }
            ) { state in
                for number in 1...3 { state.queue.append(number) }
            }
            isOver.set()
        }
        hasBegun.wait()
        return (goOn, isOver)
    }

    @Test func stepsOfAnotherThreadAreLeftToThePerformingOne() {
        for (role, other) in [(DrainRole.backend, DrainRole.backend), (.backend, .app)] {
            let bench = DrainTests()
            let (goOn, isOver) = bench.busy(as: role)
            bench.drain.change(as: other, perform: { _ in Issue.record("a step") }) {
                $0.queue.append(4)
            }
            #expect(bench.noted.all == [1])
            goOn.set()
            isOver.wait()
            #expect(bench.noted.all == [1, 2, 3, 4])
        }
    }

    @Test func appDoesNotWaitForTheApp() {
        let (goOn, isOver) = busy(as: .app)
        drain.change(as: .app, perform: { _ in Issue.record("a step") }) { $0.queue.append(4) }
        goOn.set()
        isOver.wait()
        #expect(noted.all == [1, 2, 3, 4])
    }

    @Test func backendWaitsForOneAppStepAndPerformsTheRest() {
        let (goOn, isOver) = busy(as: .app)
        let backend = Notes<Int>()
        let backendIsDone = Flag()
        RunningThread.run { [drain] in
            drain.change(as: .backend, perform: backend.add) { $0.queue.append(4) }
            backendIsDone.set()
        }
        while drain.read({ $0.queue.count }) < 3 { sched_yield() }
        // Another thread of the backend does not wait.
        drain.change(as: .backend, perform: { _ in Issue.record("a step") }) { $0.queue.append(5) }
        #expect(backend.all == [])
        goOn.set()
        isOver.wait()
        backendIsDone.wait()
        #expect(noted.all == [1])
        #expect(backend.all == [2, 3, 4, 5])
        add(6, as: .app)
        #expect(noted.all == [1, 6])
    }

    /// The case of a device that replies at once, on the thread that writes, to another link.
    @Test func crossingAppStepsDoNotDeadlock() {
        let drains = [Drain(Numbers()), Drain(Numbers())]
        let arrived = [Flag(), Flag()]
        let isOver = [Flag(), Flag()]
        for (own, other) in [(0, 1), (1, 0)] {
            RunningThread.run { [noted] in
                let perform = { (number: Int) in
                    noted.add(number)
                    guard number == own else { return }
                    arrived[own].set()
                    arrived[other].wait()
                    drains[other].change(as: .backend, perform: noted.add) { state in
                        state.queue.append(10 + own)
                    }
                }
                drains[own].change(as: .app, perform: perform) { $0.queue.append(own) }
                isOver[own].set()
            }
        }
        isOver.forEach { $0.wait() }
        #expect(noted.all.sorted() == [0, 1, 10, 11])
    }

    @Test func threadWaitsAgainAfterItsAppStep() {
        let steps = Locked([DrainRole]())
        struct Asked: DrainState {
            var isAsked = false
            mutating func nextStep(for role: DrainRole) -> DrainRole? {
                guard isAsked else { return nil }
                isAsked = false
                return role
            }
        }
        let other = Drain(Asked())
        let ask = {
            other.change(as: .backend, perform: { role in steps.withLock { $0.append(role) } }) {
                $0.isAsked = true
            }
        }
        drain.change(as: .app, perform: { _ in ask() }) { $0.queue.append(1) }
        ask()
        drain.change(as: .backend, perform: { _ in ask() }) { $0.queue.append(2) }
        #expect(steps.withLock { $0 } == [.app, .backend, .backend])
    }

    // MARK: Letting go

    /// Changes a drain when it is released.
    private final class Last: Sendable {
        private let action: @Sendable () -> Void

        init(_ action: @escaping @Sendable () -> Void) { self.action = action }

        deinit { action() }
    }

    private struct Calls: DrainState {
        var actions = Queue<@Sendable () -> Void>()
        var kept: Last?

        mutating func nextStep(for role: DrainRole) -> (@Sendable () -> Void)? {
            actions.popFirst()
        }
    }

    private static func act(
        on drain: Drain<Calls>, _ body: (inout Queue<@Sendable () -> Void>) -> Void
    ) {
        drain.change(as: .app, perform: { $0() }) { body(&$0.actions) }
    }

    @Test func stepsAreReleasedWithoutTheLock() {
        let drain = Drain(Calls())
        Self.act(on: drain) { [noted] actions in
            for number in 1...3 {
                let last = Last { Self.act(on: drain) { $0.append { noted.add(number) } } }
                actions.append { withExtendedLifetime(last) {} }
            }
        }
        #expect(noted.all == [1, 2, 3])
    }

    @Test func stateIsReleasedWithoutTheLock() {
        let other = Drain(Calls())
        do {
            var calls = Calls()
            calls.kept = Last { [noted] in Self.act(on: other) { $0.append { noted.add(1) } } }
            let drain = Drain(calls)
            calls.kept = nil
            Self.act(on: drain) { _ in }
            #expect(noted.all == [])
        }
        #expect(noted.all == [1])
    }

    // MARK: Many threads

    /// A step with the thread that made it, and that thread's count of steps.
    private struct Marked: DrainState {
        struct Step: Equatable { let thread: Int, turn: Int }

        var queue = Queue<Step>()
        var steps = 0

        mutating func nextStep(for role: DrainRole) -> Step? {
            // Every seventh is the backend's alone.
            if role == .app, let first = queue.first, first.turn % 7 == 0 { return nil }
            return queue.popFirst()
        }

        var hasBackendSteps: Bool { !queue.isEmpty }
    }

    @Test(arguments: 1...4) func stepsArePerformedOnceInOrderByOneThreadAtATime(backends: Int) {
        let (drain, time) = (Drain(Marked()), SteppedTime())
        let (threads, turns) = (8, 2000)
        let inside = Locked(0)
        let done = Locked([Marked.Step]())
        let overlaps = Locked(0)
        let added = Locked([Marked.Step]())
        let ends = (0..<threads).map { _ in Flag() }
        @Sendable func perform(_ step: Marked.Step) {
            let others = inside.withLock { count in
                defer { count += 1 }
                return count
            }
            if others != 0 { overlaps.withLock { $0 += 1 } }
            done.withLock { $0.append(step) }
            if step.turn % 5 == 0, step.turn < turns {
                // A change within a step comes after the queued steps.
                add(Marked.Step(thread: step.thread, turn: step.turn + turns), as: .backend)
            }
            inside.withLock { $0 -= 1 }
        }
        @Sendable func add(_ step: Marked.Step, as role: DrainRole) {
            time.holdingTime {
                drain.change(as: role, wakeBackend: wakeBackend, perform: perform) { state in
                    state.queue.append(step)
                    added.withLock { $0.append(step) }
                }
            }
        }
        @Sendable func wakeBackend() {
            drain.change(as: .backend, perform: perform) { _ in }
        }
        for thread in 0..<threads {
            RunningThread.run {
                for turn in 0..<turns {
                    add(
                        Marked.Step(thread: thread, turn: turn),
                        as: thread < backends ? .backend : .app)
                    if turn % 64 == 0 { sched_yield() }
                }
                ends[thread].set()
            }
        }
        for end in ends { end.wait() }
        #expect(overlaps.withLock { $0 } == 0)
        #expect(drain.read { $0.queue.isEmpty })
        let (all, order) = (done.withLock { $0 }, added.withLock { $0 })
        #expect(all.count == threads * turns * 6 / 5)
        #expect(all == order)
    }
}

/// A thread that runs a function, and then ends.
private final class RunningThread {
    private let body: @Sendable () -> Void

    private init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    static func run(_ body: @escaping @Sendable () -> Void) {
        let running = Unmanaged.passRetained(RunningThread(body))
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        let result = pthread_create(
            &thread, nil,
            { argument in
                let argument: UnsafeMutableRawPointer? = argument
                if let argument {
                    Unmanaged<RunningThread>.fromOpaque(argument).takeRetainedValue().body()
                }
                return nil
            }, running.toOpaque())
        precondition(result == 0)
        #if canImport(Darwin)
        if let thread { pthread_detach(thread) }
        #else
        pthread_detach(thread)
        #endif
    }
}
