#if os(Linux)
import Foundation
import HaloTesting
import Synchronization
import Testing

@testable import HaloDBus

/// What comes densely is told together, and nobody who is in a hurry waits for it.
@Suite(.takesTurns) struct GatheringTests {
    private static let start: Int64 = 1_000_000

    @Test func whatComesRarelyIsNotWaitedFor() {
        var gathering = DBusGathering(limit: 4000)
        for step in 0..<10 {
            #expect(gathering.rest(after: 1, at: Self.start + Int64(step) * 7500) == nil)
        }
        // Several at once after a pause are no more urgent, and no less.
        #expect(gathering.rest(after: 3, at: Self.start + 100_000) == nil)
    }

    @Test func whatComesDenselyIsWaitedForAsLongAsManyCome() {
        var gathering = DBusGathering(limit: 4000)
        var now = Self.start
        #expect(gathering.rest(after: 1, at: now) == nil)
        now += 1000
        #expect(gathering.rest(after: 1, at: now) == 4000)
        now += 4000
        #expect(gathering.rest(after: 4, at: now) == 4000)
        now += 4000
        #expect(gathering.rest(after: 400, at: now) == 640)
        now += 640
        // Less is not worth it.
        #expect(gathering.rest(after: 1280, at: now) == 100)
        // Nothing that counts has come: nobody rests.
        #expect(gathering.rest(after: 0, at: now + 1) == nil)
    }

    /// A connection gathers as it is told to, and usually not at all.
    @Test func aConnectionGathersAsItIsTold() async throws {
        let connection = try await PrivateBus().connect()
        #expect(connection.hub.state.withLock { $0.gathering.limit } == 0)
        connection.gather(for: .milliseconds(4))
        #expect(connection.hub.state.withLock { $0.gathering.limit } == 4000)
    }

    /// Whoever wants to know is told before several things that came at once, and after them.
    @Test func muchIsAnnounced() async throws {
        let bus = try PrivateBus()
        let (teller, listener) = (try await bus.connect(), try await bus.connect())
        let heard = Collector<String>()
        let subscription = try await listener.subscription(DBusMatchRule(interface: "a.b")) {
            heard.append($0.member)
        }
        listener.aroundMuch {
            heard.append("begin")
        } end: {
            heard.append("end")
        }
        try teller.emit(DBusSignal("One", of: "a.b", at: .root))
        #expect(try await heard.wait(for: 1) == ["One"])
        // Its thread waits until all are there.
        let (begun, gate) = (Collector<Int>(), DispatchSemaphore(value: 0))
        _ = listener.perform {
            begun.append(0)
            gate.wait()
        }
        _ = try await begun.wait(for: 1)
        for name in ["Two", "Three"] {
            try teller.emit(DBusSignal(name, of: "a.b", at: .root))
        }
        _ = try await teller.call(.bus("GetId"))
        gate.signal()
        #expect(try await heard.wait(for: 5) == ["One", "begin", "Two", "Three", "end"])
        withExtendedLifetime(subscription) {}
    }

    @Test func noNumberIsTooMuch() {
        let numbers: [Int64] = [.min, -1, 0, 1, 999, 1000, 4000, .max]
        for limit in numbers {
            for now in numbers {
                for next in numbers {
                    for count in [0, 1, 2, Int.max] {
                        var gathering = DBusGathering(limit: limit)
                        _ = gathering.rest(after: count, at: now)
                        guard let rest = gathering.rest(after: count, at: next) else { continue }
                        #expect(rest >= 100 && rest <= limit)
                    }
                }
            }
        }
    }

    /// Signals that come so densely, for a patient listener, that its thread rests half a minute.
    private static func tellDensely(
        _ teller: DBusConnection, _ listener: DBusConnection, _ heard: Collector<DBusSignal>
    ) async throws -> DBusSubscription {
        listener.gather(for: .seconds(3600))
        let subscription = try await listener.subscription(
            DBusMatchRule(interface: "a.b"), receive: { heard.append($0) })
        for number in 1...3 {
            try await Task.sleep(for: .milliseconds(500))
            try teller.emit(DBusSignal("C", of: "a.b", at: path("/a"), [.int64(Int64(number))]))
            if number < 3 { _ = try await heard.wait(for: number) }
        }
        return subscription
    }

    /// The thread rests, for longer than the call may take: the call wakes it.
    @Test(arguments: TestBus.available)
    func aCallDoesNotWaitForOthers(_ kind: TestBus) async throws {
        let bus = try kind.start()
        defer { bus.kill() }
        let (teller, listener) = (try await bus.connect(), try await bus.connect())
        let heard = Collector<DBusSignal>()
        let subscription = try await Self.tellDensely(teller, listener, heard)
        _ = try await listener.call(.bus("GetId"), timeout: .seconds(20))
        #expect(try await heard.wait(for: 3).count == 3)
        withExtendedLifetime(subscription) {}
    }

    /// Who asks something of an object here cannot wake the thread: it does not rest.
    @Test(arguments: TestBus.available)
    func whoAsksDoesNotWaitForOthers(_ kind: TestBus) async throws {
        let bus = try kind.start()
        defer { bus.kill() }
        let (teller, listener) = (try await bus.connect(), try await bus.connect())
        let heard = Collector<DBusSignal>()
        try listener.export(DBusObject(), at: path("/o"))
        let subscription = try await Self.tellDensely(teller, listener, heard)
        let ping = DBusCall(
            "Ping", of: "org.freedesktop.DBus.Peer", at: path("/o"),
            on: try #require(listener.uniqueName))
        _ = try await teller.call(ping, timeout: .seconds(20))
        withExtendedLifetime(subscription) {}
    }

    /// Packets are waited for as signals are, unless there are more than were told at once.
    @Test(arguments: [
        ([1], true), ([63], true), ([64], false), ([64, 1], true), ([64, 64], false),
    ])
    func packetsThatAreThereAreNotWaitedFor(_ told: [Int], _ rests: Bool) async throws {
        let bus = try PrivateBus()
        let connection = try await bus.connect()
        connection.gather(for: .seconds(3600))
        let ends = try DBusDescriptor.socketPair(keepingPackets: true)
        guard let near = ends.take(0) else { throw TestBus.Missing() }
        let (begun, heard) = (Collector<Int>(), Collector<Int>())
        let gate = DispatchSemaphore(value: 0)
        _ = connection.perform {
            begun.append(0)
            gate.wait()
        }
        _ = try await begun.wait(for: 1)
        let socket = DBusPacketSocket(batching: near, on: connection) { heard.append($0.count) }
        ends.withNumbers { numbers in
            for _ in 0..<told.reduce(0, +) { _ = SystemSocket.send(numbers[1], packet: [1]) }
        }
        // As if it had looked a minute ago: that dense it is for somebody so patient.
        connection.hub.state.withLock { state in
            _ = state.gathering.rest(after: 1, at: SystemSocket.now() - 60_000_000)
        }
        gate.signal()
        #expect(try await heard.wait(for: told.count) == told)
        try await eventually("it sleeps") { connection.hub.state.withLock { $0.isAsleep } }
        #expect(connection.hub.state.withLock { $0.rests } == rests)
        withExtendedLifetime((socket, ends, bus)) {}
    }
}
#endif
