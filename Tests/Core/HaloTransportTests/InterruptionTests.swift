import HaloProtocol
import HaloTesting
import TestSupport
import Testing

@testable import HaloTransport

/// Events between two steps of a wait or of an attempt: none is lost, and none is delivered twice.
@Suite(.passesTime) struct InterruptionTests {
    private let time = HookedTime()

    private static let noWait: [HookedTime.Question] = [
        .waiting(.listeningBegins), .waiting(.listeningEnds), .waiting(.resumes),
    ]

    // MARK: Promises

    @Test func resultDuringTheBeginningOfAWaitIsReturned() throws {
        let found = try runDeterministically(step: { false }, idleStepLimit: 1000) { [time] in
            let promise = Promise<Int, BLEError>(for: .read, on: time)
            time.atNext(.waiting(.begins)) { promise.resolve(.success(7)) }
            return try await promise.value()
        }
        #expect(found == 7)
        #expect(time.questions == [.waiting(.begins), .waiting(.ends), .waiting(.resumes)])
        #expect(time.stepped.waiterCount == 0)
    }

    @Test func readyResultIsReturnedWithoutAWait() throws {
        let found = try runDeterministically(step: { false }, idleStepLimit: 1000) { [time] in
            let promise = Promise<Int, BLEError>(for: .read, on: time)
            let isFirst = promise.resolve(.success(7))
            #expect(isFirst)
            return try await promise.value()
        }
        #expect(found == 7)
        #expect(time.questions == [])
    }

    // MARK: Elements

    /// Receives an element; describes it, or the end.
    private static func receive(_ buffer: BoundedBuffer<Int, BLEError>) async -> String {
        do throws(BLEError) {
            let entry = try await buffer.next()
            return entry.map { "\($0.element), \($0.lostBefore) lost" } ?? "end"
        } catch {
            return "\(error.operation): \(error.kind)"
        }
    }

    enum Interruption: CaseIterable, Sendable {
        case element, elements, end, error, cancellation

        func happen(to buffer: BoundedBuffer<Int, BLEError>) {
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
            case .element, .elements: "5, 0 lost"
            case .end: "end"
            case .error: "\(BLEError.Operation.scan): \(BLEError.Kind.bluetoothOff)"
            case .cancellation: "end"
            }
        }
    }

    @Test(arguments: Interruption.allCases)
    func eventDuringTheBeginningOfAWaitIsReturned(_ interruption: Interruption) throws {
        let found = try runDeterministically(step: { false }, idleStepLimit: 1000) { [time] in
            let buffer = BoundedBuffer<Int, BLEError>(capacity: 3, on: time)
            time.atNext(.waiting(.listeningBegins)) { interruption.happen(to: buffer) }
            return await Self.receive(buffer)
        }
        #expect(found == interruption.expected)
        #expect(time.questions == Self.noWait)
        #expect(time.stepped.listenerCount == 0)
    }

    /// Of two waiting tasks, the cancelled one ends, and the other one receives the element.
    @Test(arguments: [true, false])
    func cancellationEndsOnlyItsOwnWait(_ isFirst: Bool) throws {
        let found = try runDeterministically(step: { false }, idleStepLimit: 1000) { [time] in
            let buffer = BoundedBuffer<Int, BLEError>(capacity: 8, on: time)
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
                    while time.stepped.listenerCount <= index { await Task.yield() }
                }
                mayGo.withLock { $0 = true }
                while time.stepped.listenerCount == 2 { await Task.yield() }
                buffer.push(5)
            }
            return notes.all.sorted()
        }
        #expect(found == ["cancelled: end", "other: 5, 0 lost"])
        #expect(time.stepped.listenerCount == 0)
    }

    // MARK: Attempts to connect

    /// What ends first counts. An attempt that ends leaves no timer, and is cancelled at the
    /// backend unless that has answered.
    @Test(
        arguments: [
            (["answer"], 0), (["cancel"], 1), (["time"], 1), (["cancel", "answer"], 1),
            (["answer", "cancel", "time"], 0), (["time", "cancel", "answer"], 1),
        ] as [([String], Int)])
    func attemptEndsOnce(_ steps: [String], cancelled: Int) {
        let bluetooth = ScriptedBluetooth(opensAtOnce: false)
        let ends = Notes<String>()
        let attempt = bluetooth.submitConnect(
            to: PeripheralIdentity("ring"), timeout: .seconds(10), ends.ending("link"))
        for step in steps {
            #expect(bluetooth.stepped.timerCount == (step == steps[0] ? 1 : 0))
            switch step {
            case "cancel": attempt.cancel()
            case "time": bluetooth.stepped.advance(by: .seconds(10))
            default: bluetooth.answer(.failure(BLEError(.notFound, .connect)))
            }
        }
        let kinds: [String: BLEError.Kind] = [
            "answer": .notFound, "cancel": .cancelled, "time": .timedOut,
        ]
        #expect(ends.all == steps.prefix(1).compactMap { kinds[$0].map { "link: \($0)" } })
        #expect(bluetooth.state.withLock { $0.cancelledAttempts } == cancelled)
        #expect(bluetooth.stepped.timerCount == 0)
    }

    @Test func attemptWithAnImmediateReplyIsNotCancelled() throws {
        let bluetooth = ScriptedBluetooth()
        let link = try #require(bluetooth.link())
        #expect(bluetooth.state.withLock { $0.cancelledAttempts } == 0)
        #expect(bluetooth.stepped.timerCount == 0)
        #expect(link.disconnectReason == nil)
    }
}
