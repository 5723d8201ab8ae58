import HaloProtocol
import HaloTesting
import TestSupport
import Testing

@testable import HaloTransport

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The loop: one turn at a time, its calls in order, and what follows outside of it.
@Suite(.passesTime) struct TransportLoopTests {
    private let loop = TransportLoop()
    private let notes = Notes<String>()

    // MARK: One thread

    @Test func callReturnsItsResult() {
        #expect(loop.run { 7 } == 7)
        #expect(throws: Refusal.self) { try loop.run { () throws(Refusal) in throw Refusal() } }
        #expect(!loop.isInside)
        #expect(loop.run { loop.isInside })
    }

    private struct Refusal: Error {}

    /// A call within a turn comes at once, a report after what is under way, and what was left to
    /// be done in its order.
    @Test func callsOfATurnComeInOrder() {
        loop.run {
            notes.add("begins")
            loop.later { [self] in
                notes.add("left first")
                loop.later { notes.add("left by it") }
            }
            loop.report { notes.add("reported") }
            loop.run { notes.add("called") }
            loop.later { notes.add("left last") }
            notes.add("ends")
        }
        #expect(
            notes.all == [
                "begins", "called", "ends", "left first", "reported", "left last", "left by it",
            ])
    }

    @Test func reportOutsideIsATurn() {
        loop.report { [self] in
            loop.report { notes.add("after") }
            notes.add("first \(loop.isInside)")
        }
        #expect(notes.all == ["first true", "after"])
    }

    /// What comes after the turn is done outside, in order, also what it leads to.
    @Test func whatComesAfterTheTurnIsOutside() {
        loop.run {
            loop.afterwards { [self] in
                notes.add("first, inside: \(loop.isInside)")
                loop.run { loop.afterwards { notes.add("third") } }
                notes.add("first ends")
            }
            loop.afterwards { [self] in notes.add("second") }
            loop.later { [self] in notes.add("left") }
        }
        #expect(
            notes.all == ["left", "first, inside: false", "first ends", "second", "third"])
    }

    /// Calls a function when it is released.
    private final class Last: Sendable {
        private let action: @Sendable () -> Void

        init(_ action: @escaping @Sendable () -> Void) { self.action = action }

        deinit { action() }
    }

    /// Releases at any point of a turn leave their work to its end.
    @Test func releaseWithinATurnLeavesItsWork() {
        let counted = InLoop(loop, 0)
        let last = Locked<Last?>(
            Last { [loop, notes] in
                loop.later { notes.add("released at \(counted.run { $0 })") }
            })
        counted.run { count in
            count = 1
            last.withLock { $0 = nil }
            count = 2
        }
        #expect(notes.all == ["released at 2"])
    }

    /// What was done after a turn is released outside.
    @Test func actionsAreReleasedOutside() {
        let last = Last { [loop, notes] in notes.add("released, inside: \(loop.isInside)") }
        loop.run { [last] in loop.afterwards { withExtendedLifetime(last) {} } }
        _ = consume last
        #expect(notes.all == ["released, inside: false"])
    }

    // MARK: The backend

    /// A backend with steps to do.
    private final class Backend: LoopBackend {
        var steps: [String] = []
        var isLate = false
        var notesEnd = false
        let step: (String) -> Void

        init(_ step: @escaping (String) -> Void) { self.step = step }

        func turnBegins() -> Bool {
            step("begin")
            defer { isLate = false }
            return isLate
        }

        func goOn() -> Bool {
            guard !steps.isEmpty else { return false }
            step(steps.removeFirst())
            return true
        }

        func turnEnds() { if notesEnd { step("end") } }
    }

    @Test func backendGoesOnAfterWhatWasLeft() {
        var steps: [String] = []
        let loop = loop
        let backend = Backend { name in
            steps.append(name)
            if name == "report" {
                loop.report { steps.append("reported") }
                steps.append("after the report")
                loop.later { steps.append("left by the step") }
            }
        }
        loop.add(backend, notesBeginnings: true)
        steps = []
        loop.run {
            backend.steps = ["report", "last"]
            loop.later { steps.append("left") }
        }
        #expect(
            steps == [
                "begin", "left", "report", "reported", "after the report", "left by the step",
                "last",
            ])
        steps = []
        backend.steps = ["early"]
        backend.isLate = true
        loop.run { steps.append("call") }
        #expect(steps == ["begin", "early", "call"])
        steps = []
        backend.steps = ["late"]
        backend.isLate = true
        loop.interrupt { steps.append("cancellation") }
        #expect(steps == ["cancellation", "late"])
    }

    @Test func beginningsAreNotedOnlyIfWanted() {
        let notes = notes
        let backend = Backend { notes.add($0) }
        loop.add(backend)
        backend.steps = ["step"]
        loop.run { notes.add("call") }
        #expect(notes.all == ["call", "step"])
    }

    /// Two backends take their steps in turn, until neither has any, also beside others.
    @Test(arguments: [0, 1, 2]) func severalBackendsGoOn(others: Int) {
        let notes = notes
        let backends = (Backend { notes.add($0) }, Backend { notes.add($0) })
        let idle = (0..<others).map { _ in Backend { notes.add($0) } }
        loop.add(backends.0)
        loop.add(backends.1)
        for other in idle { loop.add(other) }
        backends.0.steps = ["a 1", "a 2", "a 3"]
        backends.1.steps = ["b 1"]
        (backends.0.notesEnd, backends.1.notesEnd) = (true, true)
        loop.run {}
        #expect(notes.all == ["a 1", "b 1", "a 2", "a 3", "end", "end"])
        withExtendedLifetime((backends, idle)) {}
    }

    /// A backend whose last reference goes in a turn leaves its work to that turn.
    @Test func endOfABackendLeavesItsWork() {
        let (loop, notes) = (loop, notes)
        var held: Backend?
        do {
            let last = Last { loop.later { notes.add("left") } }
            let backend = Backend { name in
                withExtendedLifetime(last) { notes.add(name) }
                held = nil
            }
            loop.add(backend)
            backend.steps = ["step"]
            held = backend
        }
        #expect(held != nil)
        loop.run { notes.add("call") }
        #expect(notes.all == ["call", "step", "left"])
    }

    /// Looking at a state lets no backend go on; what a release leaves is done all the same.
    @Test func peekLetsNoBackendGoOn() {
        let notes = notes
        let backend = Backend { notes.add($0) }
        loop.add(backend)
        backend.steps = ["step"]
        #expect(loop.peek { loop.isInside })
        #expect(notes.all == [])
        #expect(loop.run { loop.peek { loop.isInside } })
        #expect(!loop.isInside)
        #expect(notes.all == ["step"])
        var last: Last? = Last { [loop] in loop.later { notes.add("left") } }
        loop.peek { last = nil }
        #expect(last == nil)
        #expect(notes.all == ["step", "left"])
        last = Last { [loop] in loop.afterwards { notes.add("resumed") } }
        loop.peek { last = nil }
        #expect(notes.all == ["step", "left", "resumed"])
    }

    /// A backend that is added in a turn, by whatever, goes on in this turn.
    @Test(arguments: [0, 1, 2]) func newBackendGoesOn(count: Int) {
        let (loop, notes) = (loop, notes)
        let new = Backend { notes.add($0) }
        new.steps = ["new"]
        let first = Backend { name in
            notes.add(name)
            loop.add(new)
        }
        let others = (0..<count).map { _ in Backend { notes.add($0) } }
        for other in others { loop.add(other) }
        loop.add(first)
        first.steps = ["first"]
        loop.run { notes.add("call") }
        #expect(notes.all == ["call", "first", "new"])
        withExtendedLifetime(others) {}
    }

    /// All in a turn happens at one moment.
    @Test func momentIsReadOnceInATurn() {
        var time: Int64 = 0
        func read() -> Int64 {
            loop.moment {
                time += 1
                return Moment(microseconds: time)
            }.microseconds
        }
        #expect([read(), read()] == [1, 2])
        #expect(loop.run { [read(), read(), loop.run { read() }] } == [3, 3, 3])
        #expect(loop.peek { [read(), read()] } == [4, 4])
        #expect(read() == 5)
    }

    @Test func backendIsNotHeld() {
        weak var held: Backend?
        do {
            let backend = Backend { _ in }
            held = backend
            loop.add(backend)
            loop.run {}
        }
        #expect(held == nil)
        #expect(loop.run { 1 } == 1)
    }

    // MARK: Threads

    /// Turns of many threads do not overlap. All that they leave is done once and in order, and
    /// what comes after them is done by one thread at a time.
    @Test func turnsOfThreadsDoNotOverlap() {
        struct Step: Equatable { let thread: Int, turn: Int }
        let (threads, turns) = (8, 2000)
        let state = InLoop(loop, (entered: [Step](), left: [Step](), sent: [Step](), inside: 0))
        let sending = Locked(0)
        let overlaps = Locked(0)
        let sent = Locked([Step]())
        let ends = Locked(0)
        for thread in 0..<threads {
            RunningThread.run { [loop] in
                for turn in 0..<turns {
                    let step = Step(thread: thread, turn: turn)
                    loop.run {
                        state.run { state in
                            state.inside += 1
                            if state.inside != 1 { overlaps.withLock { $0 += 1 } }
                            state.entered.append(step)
                        }
                        loop.later { state.run { $0.left.append(step) } }
                        loop.afterwards {
                            sending.withLock { count in
                                count += 1
                                if count != 1 { overlaps.withLock { $0 += 1 } }
                            }
                            if turn % 16 == 0 { sched_yield() }
                            sent.withLock { $0.append(step) }
                            sending.withLock { $0 -= 1 }
                        }
                        state.run { $0.inside -= 1 }
                    }
                    if turn % 64 == 0 { sched_yield() }
                }
                ends.withLock { $0 += 1 }
            }
        }
        while ends.withLock({ $0 }) < threads { sched_yield() }
        let (entered, left) = state.run { ($0.entered, $0.left) }
        #expect(overlaps.withLock { $0 } == 0)
        #expect(entered.count == threads * turns)
        #expect(left == entered && sent.withLock { $0 } == entered)
    }

    /// A thread in the middle of what comes after a turn does not keep others from entering.
    @Test func turnsGoOnWhileAnotherThreadResumesTasks() {
        let (hasBegun, mayEnd, isOver) = (Locked(false), Locked(false), Locked(false))
        RunningThread.run { [loop, notes] in
            loop.run {
                loop.afterwards {
                    hasBegun.withLock { $0 = true }
                    while !mayEnd.withLock({ $0 }) { sched_yield() }
                    notes.add("first")
                }
            }
            isOver.withLock { $0 = true }
        }
        while !hasBegun.withLock({ $0 }) { sched_yield() }
        loop.run { [notes] in loop.afterwards { notes.add("second") } }
        #expect(notes.all == [])
        mayEnd.withLock { $0 = true }
        while !isOver.withLock({ $0 }) { sched_yield() }
        #expect(notes.all == ["first", "second"])
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
