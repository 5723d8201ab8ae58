import HaloProtocol
import HaloTesting
import Testing

@testable import HaloTransport

/// Events between two steps of a wait or of an attempt: none is lost, and none is delivered twice.
@Suite struct InterruptionTests {
    private let time = HookedTime()

    private static let noWait: [HookedTime.Question] = [
        .waiting(.actionBegins), .waiting(.listeningBegins), .waiting(.listeningEnds),
        .waiting(.actionEnds),
    ]

    // MARK: Promises

    @Test func resultDuringTheBeginningOfAWaitIsReturned() throws {
        let found = try runDeterministically(step: { false }, idleStepLimit: 1000) { [time] in
            let promise = Promise<Int>(for: .read, on: time)
            time.atNext(.waiting(.begins)) { promise.resolve(.success(7)) }
            return try await promise.value()
        }
        #expect(found == 7)
        #expect(
            time.questions == [
                .waiting(.actionBegins), .waiting(.begins), .waiting(.ends),
                .waiting(.actionEnds),
            ])
        #expect(time.base.waiterCount == 0)
    }

    @Test func readyResultIsReturnedWithoutAWait() throws {
        let found = try runDeterministically(step: { false }, idleStepLimit: 1000) { [time] in
            let promise = Promise<Int>(for: .read, on: time)
            let isFirst = promise.resolve(.success(7))
            #expect(isFirst)
            return try await promise.value()
        }
        #expect(found == 7)
        #expect(time.questions == [])
    }

    // MARK: Elements

    /// Receives an element; describes it, or the end.
    private static func receive(_ buffer: BoundedBuffer<Int>) async -> String {
        do throws(BLEError) {
            let entry = try await buffer.next()
            return entry.map { "\($0.element), \($0.lostBefore) lost" } ?? "end"
        } catch {
            return "\(error.operation): \(error.kind)"
        }
    }

    enum Interruption: CaseIterable, Sendable {
        case element, elements, end, error, cancellation

        func happen(to buffer: BoundedBuffer<Int>) {
            switch self {
            case .element: buffer.push(5)
            case .elements: for number in 5...8 { buffer.push(number) }
            case .end: buffer.end()
            case .error: buffer.end(BLEError(.bluetoothOff, .scan))
            case .cancellation: withUnsafeCurrentTask { $0?.cancel() }
            }
        }

        var expected: String {
            switch self {
            case .element: "5, 0 lost"
            case .elements: "6, 1 lost"
            case .end: "end"
            case .error: "\(BLEError.Operation.scan): \(BLEError.Kind.bluetoothOff)"
            case .cancellation: "end"
            }
        }
    }

    @Test(arguments: Interruption.allCases)
    func eventDuringTheBeginningOfAWaitIsReturned(_ interruption: Interruption) throws {
        let found = try runDeterministically(step: { false }, idleStepLimit: 1000) { [time] in
            let buffer = BoundedBuffer<Int>(capacity: 3, on: time)
            time.atNext(.waiting(.listeningBegins)) { interruption.happen(to: buffer) }
            return await Self.receive(buffer)
        }
        #expect(found == interruption.expected)
        #expect(time.questions == Self.noWait)
        #expect(time.base.listenerCount == 0)
    }

    /// Of two waiting tasks, the cancelled one ends, and the other one receives the element.
    @Test(arguments: [true, false])
    func cancellationEndsOnlyItsOwnWait(_ isFirst: Bool) throws {
        let found = try runDeterministically(step: { false }, idleStepLimit: 1000) { [time] in
            let buffer = BoundedBuffer<Int>(capacity: 8, on: time)
            let notes = Notes<String>()
            let mayGo = Locked(false)
            let cancelled: @Sendable () async -> Void = {
                let end = await withTaskGroup(of: String.self) { group in
                    group.addTask { await Self.receive(buffer) }
                    while !mayGo.withLock({ $0 }) { await Task.yield() }
                    group.cancelAll()
                    return await group.next() ?? "nothing"
                }
                notes.add("cancelled: \(end)")
            }
            let other: @Sendable () async -> Void = {
                let end = await Self.receive(buffer)
                notes.add("other: \(end)")
            }
            let waits = isFirst ? [cancelled, other] : [other, cancelled]
            await withTaskGroup(of: Void.self) { group in
                for (index, wait) in waits.enumerated() {
                    group.addTask { await wait() }
                    while time.base.listenerCount <= index { await Task.yield() }
                }
                mayGo.withLock { $0 = true }
                while time.base.listenerCount == 2 { await Task.yield() }
                buffer.push(5)
            }
            return notes.all.sorted()
        }
        #expect(found == ["cancelled: end", "other: 5, 0 lost"])
        #expect(time.base.listenerCount == 0)
    }

    // MARK: Attempts to connect

    /// An attempt may end before its timer is stored; then the timer is cancelled at once. A
    /// completed attempt is not cancelled at the backend.
    @Test(
        arguments: [
            (["end", "begin"], ["timer", "attempt"]),
            (["answer", "begin"], ["timer"]),
            (["end", "answer", "begin"], ["timer"]),
            (["answer", "end", "begin"], ["timer"]),
            (["begin"], []),
            (["begin", "end"], ["timer", "attempt"]),
            (["begin", "answer"], ["timer"]),
            (["begin", "end", "answer", "end"], ["timer", "attempt"]),
            (["begin", "answer", "end"], ["timer"]),
        ] as [([String], [String])])
    func attemptCancelsItsTimerAndItsOpening(_ steps: [String], _ expected: [String]) {
        let ends = Notes<String>()
        let ended = Notes<String>()
        let attempt = ConnectAttempt(
            BLELink(PeripheralIdentity("ring"), on: time, features: []), ends.ending("link"))
        for step in steps {
            switch step {
            case "end": attempt.end(BLEError(.timedOut, .connect))
            case "answer": attempt.answered(.failure(BLEError(.notFound, .connect)))
            default:
                attempt.begin(
                    timer: Cancellable { ended.add("timer") },
                    opening: Cancellable { ended.add("attempt") })
            }
        }
        #expect(ended.all == expected)
        let first = steps.first { $0 != "begin" }
        let kind = first == "answer" ? BLEError.Kind.notFound : .timedOut
        #expect(ends.all == (first == nil ? [] : ["link: \(kind)"]))
    }

    @Test func attemptWithAnImmediateReplyIsNotCancelled() throws {
        let bluetooth = ScriptedBluetooth()
        let link = try #require(bluetooth.link())
        #expect(bluetooth.state.withLock { $0.cancelledAttempts } == 0)
        #expect(bluetooth.stepped.timerCount == 0)
        #expect(link.disconnectReason == nil)
    }
}
