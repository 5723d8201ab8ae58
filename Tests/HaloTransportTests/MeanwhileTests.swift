import HaloProtocol
import HaloTesting
import Testing

@testable import HaloTransport

/// What happens between two steps of a wait, or of an attempt: nothing is lost, and nobody is
/// told twice.
@Suite struct MeanwhileTests {
    private let time = HookedTime()

    private static let noWait: [HookedTime.Question] = [
        .waiting(.actionBegins), .waiting(.listeningBegins), .waiting(.listeningEnds),
        .waiting(.actionEnds),
    ]

    // MARK: One answer

    @Test func anAnswerThatComesWhileTheWaitBeginsIsTaken() throws {
        let found = try runDeterministically(step: { false }, patience: 1000) { [time] in
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

    @Test func anAnswerThatIsThereIsNotWaitedFor() throws {
        let found = try runDeterministically(step: { false }, patience: 1000) { [time] in
            let promise = Promise<Int>(for: .read, on: time)
            let isFirst = promise.resolve(.success(7))
            #expect(isFirst)
            return try await promise.value()
        }
        #expect(found == 7)
        #expect(time.questions == [])
    }

    // MARK: Elements

    /// Takes an element, and says what it was, or how it ended.
    private static func take(_ buffer: StreamBuffer<Int>) async -> String {
        do throws(BLEError) {
            let entry = try await buffer.next()
            return entry.map { "\($0.element), \($0.lostBefore) lost" } ?? "end"
        } catch {
            return "\(error.operation): \(error.kind)"
        }
    }

    enum Interruption: CaseIterable, Sendable {
        case element, elements, end, error, cancellation

        func happen(to buffer: StreamBuffer<Int>) {
            switch self {
            case .element: buffer.push(5)
            case .elements: for number in 5...8 { buffer.push(number) }
            case .end: buffer.end()
            case .error: buffer.end(BLEError(.poweredOff, .scan))
            case .cancellation: withUnsafeCurrentTask { $0?.cancel() }
            }
        }

        var expected: String {
            switch self {
            case .element: "5, 0 lost"
            case .elements: "6, 1 lost"
            case .end: "end"
            case .error: "\(BLEError.Operation.scan): \(BLEError.Kind.poweredOff)"
            case .cancellation: "\(BLEError.Operation.receive): \(BLEError.Kind.cancelled)"
            }
        }
    }

    @Test(arguments: Interruption.allCases)
    func whatComesWhileListeningBeginsIsTaken(_ interruption: Interruption) throws {
        let found = try runDeterministically(step: { false }, patience: 1000) { [time] in
            let buffer = StreamBuffer<Int>(capacity: 3, for: .receive, on: time)
            time.atNext(.waiting(.listeningBegins)) { interruption.happen(to: buffer) }
            return await Self.take(buffer)
        }
        #expect(found == interruption.expected)
        #expect(time.questions == Self.noWait)
        #expect(time.base.listenerCount == 0)
    }

    /// Of two who wait, the one that is cancelled goes, and the other is given what comes.
    @Test(arguments: [true, false])
    func whoIsCancelledIsNotTheOtherOne(_ isFirst: Bool) throws {
        let found = try runDeterministically(step: { false }, patience: 1000) { [time] in
            let buffer = StreamBuffer<Int>(capacity: 8, for: .receive, on: time)
            let notes = Notes<String>()
            let mayGo = Locked(false)
            let goes: @Sendable () async -> Void = {
                let end = await withTaskGroup(of: String.self) { group in
                    group.addTask { await Self.take(buffer) }
                    while !mayGo.withLock({ $0 }) { await Task.yield() }
                    group.cancelAll()
                    return await group.next() ?? "nothing"
                }
                notes.add("goes: \(end)")
            }
            let stays: @Sendable () async -> Void = {
                let end = await Self.take(buffer)
                notes.add("stays: \(end)")
            }
            let waits = isFirst ? [goes, stays] : [stays, goes]
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
        let cancelled = "\(BLEError.Operation.receive): \(BLEError.Kind.cancelled)"
        #expect(found == ["goes: \(cancelled)", "stays: 5, 0 lost"])
        #expect(time.base.listenerCount == 0)
    }

    // MARK: Attempts to connect

    /// An attempt may be over before what ends it is there; then that is ended at once. What the
    /// backend has answered is not cancelled.
    @Test(
        arguments: [
            (["give up", "begin"], ["timer", "attempt"]),
            (["answer", "begin"], ["timer"]),
            (["give up", "answer", "begin"], ["timer"]),
            (["answer", "give up", "begin"], ["timer"]),
            (["begin"], []),
            (["begin", "give up"], ["timer", "attempt"]),
            (["begin", "answer"], ["timer"]),
            (["begin", "give up", "answer", "give up"], ["timer", "attempt"]),
            (["begin", "answer", "give up"], ["timer"]),
        ] as [([String], [String])])
    func anAttemptEndsWhatBelongsToIt(_ steps: [String], _ expected: [String]) {
        let ends = Notes<String>()
        let ended = Notes<String>()
        let attempt = ConnectAttempt(
            BLELink(PeripheralIdentity("ring"), on: time, features: []), ends.ending("link"))
        for step in steps {
            switch step {
            case "give up": attempt.giveUp(BLEError(.timedOut, .connect))
            case "answer": attempt.answered(.failure(BLEError(.notFound, .connect)))
            default:
                attempt.begin(
                    timer: Registration { ended.add("timer") },
                    registration: Registration { ended.add("attempt") })
            }
        }
        #expect(ended.all == expected)
        let first = steps.first { $0 != "begin" }
        let kind = first == "answer" ? BLEError.Kind.notFound : .timedOut
        #expect(ends.all == (first == nil ? [] : ["link: \(kind)"]))
    }

    @Test func anAttemptThatIsAnsweredAtOnceIsNotCancelled() throws {
        let bluetooth = ScriptedBluetooth()
        let link = try #require(bluetooth.link())
        #expect(bluetooth.state.withLock { $0.cancelledAttempts } == 0)
        #expect(bluetooth.stepped.timerCount == 0)
        #expect(link.disconnectReason == nil)
    }
}
