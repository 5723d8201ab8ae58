import Foundation
import HaloTransport
import TestSupport
import Testing

@testable import HaloDBus

/// Dense events are coalesced, and delay no call.
@Suite(.takesTurns) struct CoalescingTests {
    private static let start: Int64 = 1_000_000

    @Test func rareEventsAreNotDelayed() {
        var coalescing = DBusCoalescing(limit: 4000)
        for step in 0..<10 {
            #expect(coalescing.delay(after: 1, at: Self.start + Int64(step) * 7500) == nil)
        }
        // Several at once after a pause are delivered at once, too.
        #expect(coalescing.delay(after: 3, at: Self.start + 100_000) == nil)
    }

    @Test func denseEventsAreDelayed() {
        var coalescing = DBusCoalescing(limit: 4000)
        var now = Self.start
        #expect(coalescing.delay(after: 1, at: now) == nil)
        now += 1000
        #expect(coalescing.delay(after: 1, at: now) == 4000)
        now += 4000
        #expect(coalescing.delay(after: 4, at: now) == 4000)
        now += 4000
        #expect(coalescing.delay(after: 400, at: now) == 640)
        now += 640
        // The minimum.
        #expect(coalescing.delay(after: 1280, at: now) == 100)
        // No event, no delay.
        #expect(coalescing.delay(after: 0, at: now + 1) == nil)
    }

    /// Coalescing is off until it is set.
    @Test func coalescingIsOffUntilItIsSet() async throws {
        let bus = try PrivateBus()
        let connection = try await bus.connect()
        #expect(connection.hub.read { $0.coalescing.limit } == 0)
        connection.coalesce(within: .milliseconds(4))
        #expect(connection.hub.read { $0.coalescing.limit } == 4000)
    }

    /// The handlers of events that came at once are called in one turn.
    @Test func handlersOfOneMomentAreCalledTogether() async throws {
        let bus = try PrivateBus()
        let (teller, listener) = (try await bus.connect(), try await bus.connect())
        let heard = Collector<String>()
        let gate = DispatchSemaphore(value: 0)
        let subscription = try await listener.subscription(
            DBusMatchRule(interface: "a.b")
        ) { [loop = listener.loop] signal in
            heard.append(signal.member)
            loop.afterwards {
                heard.append("after \(signal.member)")
                // Holds the thread, outside of the turn, until all others are there.
                if signal.member == "One" { gate.wait() }
            }
        }
        try teller.emit(DBusSignal("One", of: "a.b", at: .root))
        #expect(try await heard.wait(for: 2) == ["One", "after One"])
        for name in ["Two", "Three"] {
            try teller.emit(DBusSignal(name, of: "a.b", at: .root))
        }
        _ = try await teller.call(.bus("GetId"))
        gate.signal()
        let all = try await heard.wait(for: 6)
        #expect(all[2...] == ["Two", "Three", "after Two", "after Three"])
        withExtendedLifetime(subscription) {}
    }

    @Test func anyNumbersGiveADelayWithinTheLimit() {
        let numbers: [Int64] = [.min, -1, 0, 1, 999, 1000, 4000, .max]
        for limit in numbers {
            for now in numbers {
                for next in numbers {
                    for count in [0, 1, 2, Int.max] {
                        var coalescing = DBusCoalescing(limit: limit)
                        _ = coalescing.delay(after: count, at: now)
                        guard let rest = coalescing.delay(after: count, at: next) else { continue }
                        #expect(rest >= 100 && rest <= limit)
                    }
                }
            }
        }
    }

    /// Two signals so dense, with so long a limit, that the thread delays the second by almost an
    /// hour.
    private static func emitDensely(
        _ teller: DBusConnection, _ listener: DBusConnection, _ heard: Collector<DBusSignal>
    ) async throws -> DBusSubscription {
        listener.coalesce(within: .seconds(3600))
        let subscription = try await listener.subscription(
            DBusMatchRule(interface: "a.b"), receive: { heard.append($0) })
        try await eventually("it sleeps") { listener.hub.read { $0.isAsleep } }
        // As if the last event had come 50 seconds ago, and the next timeout were in two hours.
        listener.hub.update { state in
            state.plan.deadline = SystemSocket.now() + 7_200_000_000
            _ = state.coalescing.delay(after: 1, at: SystemSocket.now() - 50_000_000)
        }
        try teller.emit(DBusSignal("C", of: "a.b", at: path("/a"), [.int64(1)]))
        _ = try await heard.wait(for: 1)
        try teller.emit(DBusSignal("C", of: "a.b", at: path("/a"), [.int64(2)]))
        return subscription
    }

    /// The call's timeout is later than all others of the connection, and does not wake the thread.
    @Test(arguments: TestBus.available)
    func aCallEndsADelay(_ kind: TestBus) async throws {
        let bus = try kind.start()
        defer { bus.kill() }
        let (teller, listener) = (try await bus.connect(), try await bus.connect())
        let heard = Collector<DBusSignal>()
        let subscription = try await Self.emitDensely(teller, listener, heard)
        let replies = Collector<Bool>()
        listener.call(.bus("GetId"), timeout: .seconds(7300)) { replies.append($0.isSuccess) }
        #expect(try await replies.wait(for: 1) == [true])
        #expect(try await heard.wait(for: 2).count == 2)
        withExtendedLifetime(subscription) {}
    }

    /// A daemon signals the value that it replies with. The next call often follows at once.
    @Test func aReplyIsFollowedByNoDelay() async throws {
        let bus = try PrivateBus()
        let (daemon, listener) = (try await bus.connect(), try await bus.connect())
        let interface = DBusInterface("c.d", methods: [.init("M")])
        try daemon.export(DBusObject([interface]), at: path("/o")) { request in
            try? daemon.emit(DBusSignal("C", of: "a.b", at: path("/o")))
            request.reply()
        }
        listener.coalesce(within: .seconds(3600))
        let heard = Collector<DBusSignal>()
        let subscription = try await listener.subscription(
            DBusMatchRule(interface: "a.b"), receive: { heard.append($0) })
        let call = DBusCall("M", of: "c.d", at: path("/o"), on: try #require(daemon.uniqueName))
        for count in 1...20 {
            _ = try await listener.call(call, timeout: .seconds(20))
            _ = try await heard.wait(for: count)
            try await eventually("it sleeps") { listener.hub.read { $0.isAsleep } }
            #expect(listener.hub.read { $0.plan.delay } == nil)
        }
        withExtendedLifetime(subscription) {}
    }

    /// A foreign call to an object here cannot end a delay: there is none.
    @Test(arguments: TestBus.available)
    func aConnectionWithObjectsDoesNotDelay(_ kind: TestBus) async throws {
        let bus = try kind.start()
        defer { bus.kill() }
        let (teller, listener) = (try await bus.connect(), try await bus.connect())
        let heard = Collector<DBusSignal>()
        try listener.export(DBusObject(), at: path("/o"))
        let subscription = try await Self.emitDensely(teller, listener, heard)
        let ping = DBusCall(
            "Ping", of: "org.freedesktop.DBus.Peer", at: path("/o"),
            on: try #require(listener.uniqueName))
        _ = try await teller.call(ping, timeout: .seconds(20))
        withExtendedLifetime(subscription) {}
    }
}
