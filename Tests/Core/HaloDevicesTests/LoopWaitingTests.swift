import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

@testable import HaloDevices

/// Tasks that wait in a loop, and are cancelled while they begin to wait.
@Suite(.passesTime) struct LoopWaitingTests {
    /// A time that calls a function at the beginning of a wait, and counts the waits.
    private struct InterruptedTime: ForwardingTime {
        let stepped = SteppedTime()
        var base: any TransportTime { stepped }
        let waits = Locked(0)
        let changes = Locked<[WaitChange]>([])
        /// The number of that wait, counted from 1.
        let number: Int
        let interruption: @Sendable () -> Void

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
        try runDeterministically(step: { false }, body)
    }

    /// Of several tasks that wait, only the cancelled one is resumed.
    @Test(arguments: 0..<3)
    func onlyTheCancelledTaskIsResumed(_ cancelled: Int) async throws {
        let time = SteppedTime()
        let loop = NumberLoop(limit: 3, .waits, time)
        var waiting: [Task<Int?, Never>] = []
        for count in 1...3 {
            waiting.append(Task { (try? await loop.next()) ?? nil })
            try await eventually("\(count) tasks that wait") { time.waiterCount == count }
        }
        waiting[cancelled].cancel()
        #expect(await waiting[cancelled].value == nil)
        for value in 1...2 { loop.send(value) }
        var found: [Int?] = []
        for task in waiting { found.append(await task.value) }
        found.remove(at: cancelled)
        #expect(found == [1, 2])
        #expect(time.waiterCount == 0)
    }

    @Test(arguments: [WaitKind.waits, .listens])
    func aTaskCancelledOnTheWayDoesNotWait(_ kind: WaitKind) throws {
        for number in 1...3 {
            let time = InterruptedTime(number: number) {
                withUnsafeCurrentTask { $0?.cancel() }
            }
            let found = try Self.run { () -> [Int?] in
                let loop = NumberLoop(limit: 3, kind, time)
                return await withTaskGroup(of: Int?.self) { group in
                    for _ in 0..<3 {
                        group.addTask { (try? await loop.next()) ?? nil }
                    }
                    for _ in 0..<10 { await Task.yield() }
                    // Two of the three wait.
                    for value in 1...3 { loop.send(value) }
                    var found: [Int?] = []
                    for await element in group { found.append(element) }
                    found.append((try? await loop.next()) ?? nil)
                    return found
                }
            }
            #expect(found.compactMap { $0 }.sorted() == [1, 2, 3])
            #expect(found.count == 4)
            #expect(time.stepped.waiterCount == 0 && time.stepped.listenerCount == 0)
        }
    }

    @Test func anElementThatComesOnTheWayIsReturnedAtOnce() throws {
        let own = Locked<NumberLoop?>(nil)
        let time = InterruptedTime(number: 1) {
            let loop = own.withLock { $0 }
            loop?.send(7)
            loop?.finish(.failure(DeviceError(.silent)))
        }
        let loop = NumberLoop(limit: 3, .waits, time)
        own.withLock { $0 = loop }
        let found = try Self.run { try await loop.next() }
        #expect(found == 7)
        #expect(try Self.run { await kind { _ = try await loop.next() } } == .silent)
        #expect(try Self.run { try await loop.next() } == nil)
        own.withLock { $0 = nil }
        #expect(time.changes.withLock { $0 } == [.begins, .ends, .resumes])
    }

    /// Of several tasks that wait at the end, the first receives the error, and the others `nil`.
    @Test func allTasksEndAndOneReceivesTheError() throws {
        let time = InterruptedTime(number: 0) {}
        let ends = try Self.run {
            let loop = NumberLoop(limit: 3, .listens, time)
            return await withTaskGroup(of: String.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        do throws(DeviceError) {
                            return try await loop.next() == nil ? "end" : "element"
                        } catch {
                            return "\(error.kind)"
                        }
                    }
                }
                for _ in 0..<10 { await Task.yield() }
                loop.finish(.failure(DeviceError(.silent)))
                loop.finish(.failure(DeviceError(.replaced)))
                var ends: [String] = []
                for await end in group { ends.append(end) }
                let more = (try? await loop.next()) ?? nil
                ends.append(more == nil ? "end" : "more")
                return ends.sorted()
            }
        }
        #expect(ends == ["\(DeviceError.Kind.silent)", "end", "end", "end"].sorted())
        #expect(time.stepped.waiterCount == 0 && time.stepped.listenerCount == 0)
    }
}
