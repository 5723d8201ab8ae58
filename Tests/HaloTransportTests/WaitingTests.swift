import HaloProtocol
import HaloTesting
import Testing

@testable import HaloTransport

/// The waits that a link reports to the time: without them, virtual time would skip events.
@Suite struct WaitingTests {
    /// A time that counts actions of several steps.
    final class CountedTime: TransportTime {
        struct Counts: Sendable {
            var depth = 0
            var lowest = 0
            var actions = 0
            /// The nesting of actions at each end of a wait for an element.
            var depthsOfEnds: [Int] = []
        }

        let base = SteppedTime()
        let counts = Locked(Counts())

        var clock: any Clock<Duration> { base.clock }
        func now() -> Moment { base.now() }
        func wallClock() -> WallClock { base.wallClock() }
        func schedule(
            at moment: Moment, _ action: @escaping @Sendable () -> Void
        ) -> Cancellable { base.schedule(at: moment, action) }

        func waiting(_ change: WaitChange) {
            counts.withLock { counts in
                switch change {
                case .actionBegins:
                    counts.depth += 1
                    counts.actions += 1
                case .actionEnds: counts.depth -= 1
                case .listeningEnds: counts.depthsOfEnds.append(counts.depth)
                case .begins, .ends, .listeningBegins: break
                }
                counts.lowest = min(counts.lowest, counts.depth)
            }
            base.waiting(change)
        }

        var depth: Int { counts.withLock { $0.depth } }
    }

    private let time = CountedTime()
    private let driver = ScriptedDriver()

    private func link() -> BLELink {
        let link = BLELink(PeripheralIdentity("ring"), on: time, features: [])
        link.open(driver)
        return link
    }

    private func expectRest(_ location: SourceLocation = #_sourceLocation) {
        let counts = time.counts.withLock { $0 }
        #expect(counts.depth == 0 && counts.lowest == 0, sourceLocation: location)
        #expect(counts.actions > 0, sourceLocation: location)
    }

    /// Time is held during each delivery of an event, and only then.
    @Test func timeIsHeldDuringEvents() {
        let link = link()
        let depths = Notes<Int>()
        let watching = link.observe { [time] _, _ in depths.add(time.depth) }
        let id = Sample.sending.id
        link.receive(.value(id, [1]))
        link.receive([[1], [2], [3]], of: id)
        link.receive(.maximumLengthChanged)
        link.receive(.servicesChanged)
        expectRest()
        link.receive(.disconnected(DisconnectReason(.remote)))
        expectRest()
        #expect(depths.all.count == 7 && depths.all.allSatisfy { $0 > 0 })
        watching.cancel()
        expectRest()
    }

    @Test func timeIsHeldDuringCompletions() {
        let link = link()
        let depths = Notes<Int>()
        for _ in 0..<3 {
            link.submit(
                .read, nil, perform: { $0.read(Sample.readable.id, $1) },
                completion: { [time] (_: Result<[UInt8], BLEError>) in depths.add(time.depth) })
        }
        expectRest()
        driver.answer()
        driver.answer(BLEError(.refused, .read))
        expectRest()
        link.receive(.disconnected(DisconnectReason(.local)))
        expectRest()
        #expect(depths.all.count == 3 && depths.all.allSatisfy { $0 > 0 })
    }

    /// Time is held until all values of a batch are buffered.
    @Test(arguments: [1, 2, 5])
    func timeIsHeldDuringABatch(_ count: Int) throws {
        let link = link()
        driver.answerAtOnce()
        let id = Sample.sending.id
        let found = try runDeterministically(
            step: { [time] in time.base.step() }, idleStepLimit: 1000
        ) {
            [time] in
            let buffer = BoundedBuffer<LinkNotification>(capacity: 8, on: time)
            _ = link.subscribe(to: Sample.sending, buffer) { _ in }
            async let first = buffer.next()
            while time.base.listenerCount == 0 { await Task.yield() }
            link.receive((0..<count).map { [UInt8($0)] }, of: id)
            let value = try await first?.element.value
            for number in 1..<max(count, 1) {
                let next = try await buffer.next()?.element.value
                #expect(next == [UInt8(number)])
            }
            return value
        }
        #expect(found == [0])
        let ends = time.counts.withLock { $0.depthsOfEnds }
        #expect(ends.count == 1 && ends.allSatisfy { $0 > 0 })
        expectRest()
    }

    /// A waiting task is counted until its wait ends.
    @Test func waitsAreCounted() throws {
        let found = try runDeterministically(
            step: { [time] in time.base.step() }, idleStepLimit: 1000
        ) {
            [time] in
            let promise = Promise<Int>(for: .read, on: time)
            async let answer = promise.value()
            while time.base.waiterCount == 0 { await Task.yield() }
            let isFirst = promise.resolve(.success(7))
            let isSecond = promise.resolve(.success(8))
            #expect(isFirst && !isSecond)
            #expect(time.base.waiterCount == 0)
            return try await answer
        }
        #expect(found == 7)
        expectRest()
    }

    // MARK: Coalescing

    @Test func coalescerHoldsResumesDuringABatch() {
        let coalescer = ResumeCoalescer()
        let notes = Notes<String>()
        coalescer.resume { notes.add("at once") }
        coalescer.beginBatch()
        coalescer.beginBatch()
        coalescer.resume { notes.add("first") }
        coalescer.resume { notes.add("second") }
        #expect(notes.all == ["at once"])
        coalescer.endBatch()
        coalescer.resume { notes.add("third") }
        #expect(notes.all == ["at once"])
        coalescer.endBatch()
        #expect(notes.all == ["at once", "first", "second", "third"])
        coalescer.resume { notes.add("at once again") }
        #expect(notes.all.last == "at once again" && notes.all.count == 5)
        coalescer.beginBatch()
        coalescer.endBatch()
        #expect(notes.all.count == 5)
    }

    @Test func resumedTaskFindsTheWholeBatch() throws {
        let coalescer = ResumeCoalescer()
        let notes = Notes<String>()
        try runDeterministically(step: { [time] in time.base.step() }, idleStepLimit: 1000) {
            [time] in
            let gated = CoalescingTime(time, coalescer)
            let buffer = BoundedBuffer<Int>(capacity: 8, on: gated)
            async let all = {
                for _ in 0..<3 {
                    if let entry = try await buffer.next() { notes.add("\(entry.element)") }
                }
            }()
            while time.base.listenerCount == 0 { await Task.yield() }
            coalescer.beginBatch()
            for number in 1...3 { buffer.push(number) }
            for _ in 0..<20 { await Task.yield() }
            notes.add("told")
            coalescer.endBatch()
            try await all
        }
        #expect(notes.all == ["told", "1", "2", "3"])
        expectRest()
    }

    @Test func coalescingTimeIsItsBase() {
        let gated = CoalescingTime(time, ResumeCoalescer())
        time.base.advance(by: .seconds(5))
        #expect(gated.now() == time.now() && gated.wallClock() == time.wallClock())
        let isDone = Locked(false)
        _ = gated.schedule(at: gated.now() + .seconds(1)) { isDone.withLock { $0 = true } }
        gated.schedule(at: gated.now() + .seconds(1)) {}.cancel()
        #expect(time.base.timerCount == 1)
        time.base.advance(by: .seconds(1))
        #expect(isDone.withLock { $0 })
        gated.waiting(.begins)
        #expect(time.base.waiterCount == 1)
    }
}
