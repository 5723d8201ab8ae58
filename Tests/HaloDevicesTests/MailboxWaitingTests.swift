import HaloProtocol
import HaloTesting
import HaloTransport
import Testing

@testable import HaloDevices

/// Who waits at a mailbox, and is cancelled on the way there.
@Suite struct MailboxWaitingTests {
    /// A time that has something done when somebody begins to wait, and counts who does.
    private struct InterruptedTime: TransportTime {
        let base = SteppedTime()
        let waits = Locked(0)
        let changes = Locked<[WaitChange]>([])
        /// Done at the beginning of the wait of this number, counted from 1.
        let number: Int
        let interruption: @Sendable () -> Void

        var clock: any Clock<Duration> { base.clock }
        func now() -> Moment { base.now() }
        func wallClock() -> WallClock { base.wallClock() }
        func schedule(
            at moment: Moment, _ action: @escaping @Sendable () -> Void
        ) -> Registration { base.schedule(at: moment, action) }

        func waiting(_ change: WaitChange) {
            changes.withLock { $0.append(change) }
            base.waiting(change)
            guard change == .begins || change == .listeningBegins else { return }
            let isMeant = waits.withLock { waits in
                waits += 1
                return waits == number
            }
            if isMeant { interruption() }
        }
    }

    private static func run<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else {
            throw SystemTooOld()
        }
        return try runDeterministically(step: { false }, body)
    }

    /// Of several who wait, the one that is cancelled goes, and the others are not told.
    @Test(arguments: 0..<3)
    func whoIsCancelledIsTheOneWhoGoes(_ cancelled: Int) async throws {
        let time = SteppedTime()
        let mailbox = Mailbox(limit: 3, .waits, time)
        var waiting: [Task<Int?, Never>] = []
        for count in 1...3 {
            waiting.append(Task { (try? await mailbox.next())??.element })
            try await eventually("\(count) who wait") { time.waiterCount == count }
        }
        waiting[cancelled].cancel()
        #expect(await waiting[cancelled].value == nil)
        for value in 1...2 { mailbox.send(value) }
        var found: [Int?] = []
        for task in waiting { found.append(await task.value) }
        found.remove(at: cancelled)
        #expect(found == [1, 2])
        #expect(time.waiterCount == 0)
    }

    @Test(arguments: [Patience.waits, .listens])
    func whoIsCancelledOnTheWayDoesNotWait(_ patience: Patience) throws {
        for number in 1...3 {
            let time = InterruptedTime(number: number) {
                withUnsafeCurrentTask { $0?.cancel() }
            }
            let found = try Self.run { () -> [Int?] in
                let mailbox = Mailbox(limit: 3, patience, time)
                return await withTaskGroup(of: Int?.self) { group in
                    for _ in 0..<3 {
                        group.addTask { (try? await mailbox.next())??.element }
                    }
                    for _ in 0..<10 { await Task.yield() }
                    // Two of the three wait.
                    for value in 1...3 { mailbox.send(value) }
                    var found: [Int?] = []
                    for await element in group { found.append(element) }
                    found.append((try? await mailbox.next())??.element)
                    return found
                }
            }
            #expect(found.compactMap { $0 }.sorted() == [1, 2, 3])
            #expect(found.count == 4)
            #expect(time.base.waiterCount == 0 && time.base.listenerCount == 0)
        }
    }

    @Test func whatComesOnTheWayIsFetchedAtOnce() throws {
        let own = Locked<Mailbox?>(nil)
        let time = InterruptedTime(number: 1) {
            let mailbox = own.withLock { $0 }
            mailbox?.send(7)
            mailbox?.finish(.failure(DeviceError(.silent)))
        }
        let mailbox = Mailbox(limit: 3, .waits, time)
        own.withLock { $0 = mailbox }
        let found = try Self.run { try await mailbox.next()?.element }
        #expect(found == 7)
        #expect(try Self.run { await kind { _ = try await mailbox.next() } } == .silent)
        #expect(try Self.run { try await mailbox.next()?.element } == nil)
        own.withLock { $0 = nil }
        // Before, the loop has begun; on the way, an element and the end have come.
        let changes = time.changes.withLock { $0 }
        #expect(
            changes.drop { $0 != .begins } == [
                .begins, .actionBegins, .actionEnds, .actionBegins, .actionEnds, .ends,
                .actionEnds,
            ])
        #expect(changes.prefix { $0 != .begins }.last == .actionBegins)
    }

    /// Of several who wait at the end, the first is told of the error, and all others go home.
    @Test func theEndComesToEveryoneAndTheErrorToOne() throws {
        let time = InterruptedTime(number: 0) {}
        let ends = try Self.run {
            let mailbox = Mailbox(limit: 3, .listens, time)
            return await withTaskGroup(of: String.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        do throws(DeviceError) {
                            return try await mailbox.next() == nil ? "end" : "element"
                        } catch {
                            return "\(error.kind)"
                        }
                    }
                }
                for _ in 0..<10 { await Task.yield() }
                mailbox.finish(.failure(DeviceError(.silent)))
                mailbox.finish(.failure(DeviceError(.replaced)))
                var ends: [String] = []
                for await end in group { ends.append(end) }
                let more = (try? await mailbox.next())??.element
                ends.append(more == nil ? "end" : "more")
                return ends.sorted()
            }
        }
        #expect(ends == ["\(DeviceError.Kind.silent)", "end", "end", "end"].sorted())
        #expect(time.base.waiterCount == 0 && time.base.listenerCount == 0)
    }
}
