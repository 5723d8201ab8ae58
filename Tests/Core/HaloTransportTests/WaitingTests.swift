import HaloProtocol
import HaloTesting
import TestSupport
import Testing

@testable import HaloTransport

/// The waits that the loop reports to the time: without them, virtual time would skip events.
@Suite(.passesTime) struct WaitingTests {
    private let time = HookedTime()

    private func run<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        try runDeterministically(
            step: { [time] in time.stepped.step() }, idleStepLimit: 1000, body)
    }

    private var changes: [WaitChange] {
        time.questions.compactMap { if case .waiting(let change) = $0 { change } else { nil } }
    }

    /// A waiting task is counted until its wait ends, by its kind.
    @Test(
        arguments: [
            (WaitKind.waits, [WaitChange.begins], [.ends]),
            (.listens, [.listeningBegins], [.listeningEnds]),
            (.sleeps, [.sleepBegins], [.sleepEnds]),
            (.pauses, [.begins, .actionEnds], [.actionBegins, .ends]),
        ] as [(WaitKind, [WaitChange], [WaitChange])])
    func waitsAreCounted(
        _ kind: WaitKind, _ beginning: [WaitChange], _ end: [WaitChange]
    ) throws {
        let found = try run { [self] in
            let promise = Promise<Int, BLEError>(
                kind, cancelled: .failure(BLEError(.cancelled, .read)), on: time)
            async let answer = promise.value()
            while changes.isEmpty { await Task.yield() }
            #expect(changes == beginning && !promise.isResolved)
            let isFirst = promise.resolve(.success(7))
            let isSecond = promise.resolve(.success(8))
            #expect(isFirst && !isSecond && promise.isResolved)
            #expect(changes == beginning + end)
            return try await answer
        }
        #expect(found == 7)
        #expect(changes == beginning + end + [.resumes])
    }

    /// A cancelled task ends its wait and its operation; one that was cancelled before begins none.
    @Test(arguments: [true, false]) func cancelledTaskEndsItsOperation(_ early: Bool) throws {
        let notes = Notes<String>()
        let kind: BLEError.Kind? = try run { [self] in
            let promise = Promise<Int, BLEError>(for: .read, on: time)
            return await withTaskGroup(of: BLEError.Kind?.self) { group in
                if early { group.cancelAll() }
                group.addTask {
                    do throws(BLEError) {
                        _ = try await promise.value {
                            notes.add("begins")
                            return BLECancellable { notes.add("is cancelled") }
                        }
                        return nil
                    } catch {
                        return error.kind
                    }
                }
                for _ in 0..<20 { await Task.yield() }
                group.cancelAll()
                return await group.next() ?? nil
            }
        }
        #expect(kind == .cancelled)
        #expect(notes.all == (early ? [] : ["begins", "is cancelled"]))
        #expect(changes == (early ? [] : [.begins, .ends, .resumes]))
    }

    /// The task is cancelled while its operation begins.
    @Test func cancellationDuringTheBeginningEndsTheOperation() throws {
        let notes = Notes<String>()
        let kind: BLEError.Kind? = try run { [self] in
            let promise = Promise<Int, BLEError>(for: .read, on: time)
            do throws(BLEError) {
                _ = try await promise.value {
                    withUnsafeCurrentTask { $0?.cancel() }
                    return BLECancellable { notes.add("is cancelled") }
                }
                return nil
            } catch {
                return error.kind
            }
        }
        #expect(kind == .cancelled && notes.all == ["is cancelled"])
        let left: String = try run { [self] in
            let buffer = BoundedBuffer<Int, BLEError>(capacity: 3, on: time)
            let end = try await buffer.next { withUnsafeCurrentTask { $0?.cancel() } }
            buffer.push(5)
            return end == nil ? await Self.receive(buffer) : "an element"
        }
        #expect(left == "5/0")
    }

    /// A result that came first counts: the operation is not cancelled.
    @Test func resultBeforeCancellationStays() throws {
        let notes = Notes<String>()
        let found = try run { [self] in
            let promise = Promise<Int, BLEError>(for: .read, on: time)
            return try await withThrowingTaskGroup(of: Int.self) { group in
                group.addTask {
                    try await promise.value {
                        notes.add("begins")
                        return BLECancellable { notes.add("is cancelled") }
                    }
                }
                while notes.all.isEmpty { await Task.yield() }
                promise.resolve(.success(7))
                group.cancelAll()
                return try await group.next()
            }
        }
        #expect(found == 7)
        #expect(notes.all == ["begins"])
    }

    /// An action of several turns is reported as one, also when it throws.
    @Test func actionIsHeld() throws {
        let kind: BLEError.Kind? = try run { [self] in
            do throws(BLEError) {
                try await time.holding { () async throws(BLEError) in
                    #expect(changes == [.actionBegins])
                    await Task.yield()
                    throw BLEError(.notFound, .read)
                }
                return nil
            } catch {
                return error.kind
            }
        }
        #expect(kind == .notFound)
        #expect(changes == [.actionBegins, .actionEnds])
    }

    // MARK: Buffers

    /// Elements that were dropped are counted at the next one, or replaced by an element of
    /// their number.
    @Test(arguments: [true, false]) func droppedElementsAreCounted(_ hasGap: Bool) throws {
        let gap: @Sendable (Int) -> Int = { -$0 }
        let buffer = BoundedBuffer<Int, BLEError>(
            capacity: 3, on: time, gap: hasGap ? gap : nil)
        for number in 1...5 { buffer.push(number) }
        let found = try run {
            var found: [String] = []
            for number in 6...9 {
                found.append(await Self.receive(buffer))
                buffer.push(number)
            }
            buffer.end()
            buffer.push(10)
            while found.last != "end" { found.append(await Self.receive(buffer)) }
            return found
        }
        #expect(buffer.hasEnded)
        // A gap is an element more, so the buffer overflows once more.
        let withGap = ["-2/0", "-1/0", "-1/0", "-1/0", "-1/0", "7/0", "8/0", "9/0", "end"]
        let counted = ["3/2", "4/0", "5/0", "6/0", "7/0", "8/0", "9/0", "end"]
        #expect(found == (hasGap ? withGap : counted))
    }

    /// The error at the end comes to each task, or to one of them.
    @Test(arguments: [true, false]) func errorAtTheEndIsThrown(_ once: Bool) throws {
        let found = try run { [self] in
            let buffer = BoundedBuffer<Int, BLEError>(capacity: 3, on: time, failsOnce: once)
            let notes = Notes<String>()
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<2 {
                    group.addTask { await notes.add(Self.receive(buffer)) }
                    while time.stepped.listenerCount <= index { await Task.yield() }
                }
                buffer.end(BLEError(.bluetoothOff, .scan))
                buffer.end(BLEError(.notFound, .scan))
            }
            await notes.add(Self.receive(buffer))
            return notes.all.sorted()
        }
        let error = "\(BLEError.Kind.bluetoothOff)"
        #expect(found == (once ? ["end", "end", error].sorted() : [error, error, error]))
    }

    private static func receive(_ buffer: BoundedBuffer<Int, BLEError>) async -> String {
        do throws(BLEError) {
            return try await buffer.next().map { "\($0.element)/\($0.lostBefore)" } ?? "end"
        } catch {
            return "\(error.kind)"
        }
    }
}
