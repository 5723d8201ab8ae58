import Foundation
import HaloTransport
import Synchronization
import TestSupport
import Testing

@testable import HaloDBus

/// Failures halfway: nothing waits for ever, and nothing is left half done.
@Suite(.takesTurns) struct ErrorPathTests {
    private static let thing = DBusInterface(
        "org.example.Thing", properties: [.init("Name", .string)])
    private static let ping = DBusCall("Ping", of: "org.example.Thing", at: .root, on: ":1.2")
    private static let late = DBusError(.timedOut)

    private static func object(_ name: String) -> DBusObject {
        DBusObject([thing], values: [thing.name: ["Name": .string(name)]])
    }

    @Test func aSubscriptionFailsBeforeTheEnd() throws {
        var bench = SessionBench()
        let call = try bench.session.call(Self.ping, until: 1000)
        let id = try bench.session.subscribe(DBusMatchRule(member: "Said"), until: 1000)
        bench.session.tick(at: 1000)
        #expect(
            bench.effects() == [
                "\(call): \(Self.late)", "subscribed \(id) \(Self.late)", "ended: \(Self.late)",
            ])
    }

    @Test func aSubscriptionToASilentBusTimesOut() async throws {
        let ends = try DBusDescriptor.socketPair()
        guard let end = ends.take(0) else { throw TestBus.Missing() }
        let connection = try DBusConnection(owning: end, timeout: .milliseconds(50))
        await #expect(throws: DBusError.self) {
            _ = try await connection.subscription(DBusMatchRule(member: "Said")) { _ in }
        }
    }

    @Test func aReplyThatHasArrivedIsInTime() async throws {
        let bus = try PrivateBus()
        let speaker = try await bus.connect()
        let busy = try await bus.connect()
        let (results, called) = (Collector<Bool>(), Collector<Int64>())
        let gate = DispatchSemaphore(value: 0)
        let subscription = try await busy.subscription(DBusMatchRule(member: "Said")) { _ in
            busy.call(.bus("GetId"), timeout: .milliseconds(1)) { results.append($0.isSuccess) }
            called.append(SystemSocket.now())
            // After the turn, which sends the call: holds the thread until the reply is in the
            // socket and its time is over.
            busy.loop.afterwards { gate.wait() }
        }
        let socket = try #require(busy.hub.read { $0.socket })
        try speaker.emit(DBusSignal("Said", of: Self.thing.name, at: .root))
        let start = try await called.wait(for: 1)[0]
        try await eventually("the reply is in the socket, and its time is over") {
            var byte: UInt8 = 0
            return recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 1
                && SystemSocket.now() > start + 1000
        }
        gate.signal()
        #expect(try await results.wait(for: 1) == [true])
        subscription.cancel()
    }

    @Test(arguments: [nil, "org.freedesktop.DBus.Peer"])
    func pingIsAnsweredAtAnyPath(_ interface: String?) throws {
        var bench = try SessionBench.open()
        try bench.session.export(Self.object("one"), at: path("/org/one"))
        var call = DBusMessage(
            .call(path: path("/org/one"), interface: interface, member: "Ping"), serial: 55)
        call.sender = ":1.3"
        try bench.receive(call)
        #expect(try bench.take().map(\.kind) == [.reply(to: 55)])
        #expect(bench.effects() == [])
    }

    @Test func anObjectThatCannotBeSignalledIsNotExported() throws {
        var bench = try SessionBench.open()
        try bench.session.export(
            DBusObject([], objectManager: .ownInterfaces), at: path("/org"))
        let place = path("/org/one")
        #expect(throws: DBusError.self) {
            try bench.session.export(Self.object("a\0b"), at: place)
        }
        #expect(bench.session.objects.objects[place] == nil)
        try bench.session.export(Self.object("a"), at: place)
        #expect(throws: DBusError.self) {
            try bench.session.set(["Name": .string("a\0b")], of: Self.thing.name, at: place)
        }
        #expect(throws: DBusError.self) {
            let other = DBusInterface("org.example.Other", properties: [.init("Name", .string)])
            try bench.session.add(other, ["Name": .string("a\0b")], to: place)
        }
        let values = bench.session.objects.objects[place]?.values
        #expect(values == Self.object("a").values)
    }
}
