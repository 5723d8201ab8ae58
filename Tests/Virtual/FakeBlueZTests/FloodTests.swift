import BlueZVocabulary
import FakeBlueZ
import HaloTransport
import TestSupport
import Testing

@testable import HaloDBus

/// Clients that send without end, and read nothing.
@Suite("Floods", .takesTurns) struct FloodTests {
    /// A bench with more devices, on a bus with a small buffer for each client, and the clients
    /// that the bus disconnects.
    private static func bench() async throws -> (FakeBench, Locked<[PrivateBus.Expulsion]>) {
        let bus = try PrivateBus(limits: .init(bufferBytes: 1 << 20))
        let expelled = Locked<[PrivateBus.Expulsion]>([])
        bus.onExpulsion { expulsion in expelled.withLock { $0.append(expulsion) } }
        let bench = try await FakeBench.connected(on: bus)
        return (bench, expelled)
    }

    /// The daemon serves others meanwhile and afterwards, and the bus disconnects the flooder.
    @Test func aFloodOfCallsEndsTheFlooder() async throws {
        let (bench, expelled) = try await Self.bench()
        let silent = try SilentClient(bench.fake.bus)
        var count = 0
        #expect(throws: DBusError.self) {
            while count < 100_000 {
                try silent.call(
                    "GetManagedObjects", of: "org.freedesktop.DBus.ObjectManager", at: .root,
                    on: BlueZDaemon.name)
                count += 1
            }
        }
        #expect(await bench.write(.plain, [1]) == "OK")
        try await eventually("the end of the flooder") { expelled.withLock { !$0.isEmpty } }
        #expect(expelled.withLock { $0.map(\.reason) } == [.doesNotRead])
        #expect(await bench.write(.plain, [2]) == "OK")
        #expect(bench.hosted.modify { $0.written.count } == 2)
    }

    /// The daemon loses no value, and serves others.
    @Test func aSubscriberThatDoesNotReadIsDisconnected() async throws {
        let (bench, expelled) = try await Self.bench()
        let silent = try SilentClient(bench.fake.bus)
        try silent.call(
            DBusMessageBus.addMatch, of: DBusName.bus, at: .bus, on: DBusName.bus,
            [.string("type='signal'")])
        let sender = bench.fake.add(
            NumberSender(atOnce: 100, length: 200), address: "C0:00:00:00:00:10")
        try await LoadTests.subscribe(to: sender, of: bench.fake, for: bench.client)
        bench.client.stopHearing()
        sender.modify { $0.left = .max }
        try await eventually("the end of the subscriber") { expelled.withLock { !$0.isEmpty } }
        sender.modify { $0.left = 0 }
        silent.waitForEnd()
        #expect(expelled.withLock { $0.map(\.reason) } == [.doesNotRead])
        #expect(bench.fake.lostValues == 0)
        #expect(await bench.write(.plain, [1]) == "OK")
    }
}
