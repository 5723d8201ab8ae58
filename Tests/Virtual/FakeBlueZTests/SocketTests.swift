import BlueZVocabulary
import FakeBlueZ
import HaloDBus
import HaloTransport
import TestSupport
import Testing

/// Sockets for the values of a characteristic.
@Suite("Sockets", .takesTurns) struct SocketTests {
    private let bench: FakeBench

    init() async throws { bench = try await FakeBench.connected() }

    /// The packets from a socket, and its end.
    final class Packets: Sendable {
        private let state = Locked<(packets: [[UInt8]], hasEnded: Bool)>(([], false))

        var all: [[UInt8]] { state.withLock { $0.packets } }
        var hasEnded: Bool { state.withLock { $0.hasEnded } }

        func open(_ reply: DBusReply) throws -> PacketSocket {
            guard case .unixFD(let index) = try reply.first(),
                let end = reply.descriptors.take(Int(index))
            else { throw Missing() }
            let socket = PacketSocket(
                owning: end,
                receive: { packet in self.state.withLock { $0.packets.append(packet) } },
                ended: { self.state.withLock { $0.hasEnded = true } })
            return try #require(socket)
        }

        func wait(until isDone: (Packets) -> Bool) async throws {
            try await eventually("packets, after \(all)") { isDone(self) }
        }
    }

    struct Missing: Error {}

    private func acquire(
        _ bench: FakeBench, _ attribute: TestDevice.Attribute, _ member: String
    ) async throws -> DBusReply {
        try await bench.client.call(
            member, GattCharacteristic1.interfaceName, FakeBench.path(attribute),
            FakeBench.options
        ).get()
    }

    @Test func valuesComeThroughThem() async throws {
        let reply = try await acquire(bench, .values, GattCharacteristic1.acquireNotify)
        #expect(reply.values.last == .uint16(517))
        let packets = Packets()
        let socket = try packets.open(reply)
        #expect(
            await bench.property(GattCharacteristic1.notifyAcquired, .values) == .boolean(true))
        bench.send(.values, [1], [2, 3])
        try await packets.wait { $0.all.count == 2 }
        #expect(packets.all == [[1], [2, 3]])
        #expect(bench.fake.lostValues == 0)
        #expect(bench.values(.values) == [])
        // Closing it ends the subscription, and another one can be made.
        socket.close()
        try await bench.client.hears("NotifyAcquired=false")
        #expect(await bench.start(.values) == "OK")
        #expect(
            bench.hosted.state.subscriptions.suffix(3) == [
                "values on", "values off", "values on",
            ])
    }

    /// Values that a client does not read are dropped, and counted.
    @Test func unreadValuesAreLost() async throws {
        let reply = try await acquire(bench, .values, GattCharacteristic1.acquireNotify)
        let (count, value) = (10_000, [UInt8](repeating: 1, count: 500))
        bench.hosted.modify { $0.outbox = Array(repeating: (.values, value), count: count) }
        // The reply comes after the values.
        #expect(await bench.read(.plain) == "OK")
        let lost = bench.fake.lostValues
        #expect(lost > 0)
        let packets = Packets()
        let socket = try packets.open(reply)
        try await packets.wait { $0.all.count == count - lost }
        withExtendedLifetime(socket) {}
    }

    @Test(arguments: [false, true]) func theyEndWithTheLink(orDaemon isKilled: Bool) async throws {
        let reply = try await acquire(bench, .values, GattCharacteristic1.acquireNotify)
        let packets = Packets()
        let socket = try packets.open(reply)
        bench.send(.values, [1])
        if isKilled {
            try await packets.wait { !$0.all.isEmpty }
            await bench.fake.kill()
        } else {
            bench.fake.loseLink(PeripheralIdentity(FakeBench.address))
        }
        try await packets.wait { $0.hasEnded }
        #expect(packets.all == [[1]])
        withExtendedLifetime(socket) {}
    }

    @Test func theyEndWithTheirService() async throws {
        let reply = try await acquire(bench, .values, GattCharacteristic1.acquireNotify)
        let packets = Packets()
        let socket = try packets.open(reply)
        bench.hosted.modify {
            $0.hasMost = false
            $0.mustAnnounce = true
        }
        try await packets.wait { $0.hasEnded }
        #expect(await bench.read(.battery) == "OK")
        withExtendedLifetime(socket) {}
    }

    @Test func stopNotifyClosesThem() async throws {
        let packets = Packets()
        let socket = try packets.open(
            try await acquire(bench, .values, GattCharacteristic1.acquireNotify))
        let other = try await FakeClient(bench.fake)
        #expect(await bench.stop(.values, by: other) == "OK")
        #expect(
            await bench.property(GattCharacteristic1.notifyAcquired, .values) == .boolean(false))
        try await packets.wait { $0.hasEnded }
        #expect(await bench.start(.values) == "OK")
        withExtendedLifetime(socket) {}
    }

    @Test func writesGoThroughThem() async throws {
        let reply = try await acquire(bench, .commands, GattCharacteristic1.acquireWrite)
        let socket = try Packets().open(reply)
        for value: [UInt8] in [[1], [2, 3], [4]] { #expect(socket.send(value)) }
        try await bench.client.wait { _ in bench.hosted.state.written.count == 3 }
        #expect(bench.hosted.state.written == [[1], [2, 3], [4]])
        #expect(
            await bench.write(.commands, [1])
                == "org.bluez.Error.NotPermitted: Write acquired")
        socket.close()
        try await bench.client.hears("WriteAcquired=false")
        #expect(await bench.write(.commands, [5]) == "OK")
    }
}
