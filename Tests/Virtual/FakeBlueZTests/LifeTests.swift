import BlueZVocabulary
import FakeBlueZ
import HaloDBus
import HaloTransport
import TestSupport
import Testing

/// The signals in the life of a device, in the order of the real daemon.
@Suite("A device's life", .takesTurns) struct LifeTests {
    @Test func fromFindingToTheEnd() async throws {
        let bench = try await FakeBench.connected()
        #expect(
            bench.life == [
                "+Device1", "Connected=true", "ServicesResolved=true UUIDs=…", "+Battery1",
            ])
        let resolved = bench.client.signals.firstIndex { $0.contains("ServicesResolved=true") }
        let exported = bench.client.signals.lastIndex { $0.contains("Gatt") }
        #expect(try #require(exported) < #require(resolved))
        #expect(bench.client.signals.first == "/org/bluez/hci0 Discovering=true")
    }

    @Test func theAdapterIsPulledOut() async throws {
        let bench = try await FakeBench.connected()
        bench.client.forget()
        bench.fake.removeAdapter()
        try await bench.client.hears("-/org/bluez/hci0 Adapter1")
        let signals = bench.client.signals
        #expect(signals.first == "/org/bluez/hci0 Discovering=false Powered=false")
        #expect(
            signals.suffix(2) == [
                "-\(FakeBench.short) Device1",
                "-/org/bluez/hci0 Adapter1,GattManager1,LEAdvertisingManager1,Media1",
            ])
        #expect(try await bench.client.objects().keys.sorted() == ["/org/bluez"])
        #expect(bench.fake.addAdapter() == 0)
        #expect(bench.fake.addAdapter(11) == 11)
        #expect(bench.fake.addAdapter() == 12)
        try await bench.client.hears("+/org/bluez/hci12 Adapter1")
    }

    @Test func comingBackToWhatIsKnown() async throws {
        let bench = try await FakeBench.connected()
        #expect(await bench.start(.values) == "OK")
        bench.hosted.modify { $0.mustDisconnect = true }
        try await bench.client.hears("-\(FakeBench.short) Battery1")
        bench.client.forget()
        #expect(await bench.tell(Device1.connect) == "OK")
        try await bench.client.hears("+\(FakeBench.short) Battery1")
        #expect(
            bench.life == ["Connected=true", "ServicesResolved=true UUIDs=…", "+Battery1"])
        #expect(!bench.client.signals.contains { $0.contains("Gatt") })
        // Nobody asked for them again.
        bench.send(.values, [7])
        try await bench.client.hears("Value=[7]")
    }

    /// Adapters keep their names; filters and links end with the daemon.
    @Test func aDaemonThatIsKilled() async throws {
        let bench = try await FakeBench.connected()
        let (adapter, name) = (Adapter1.interfaceName, DBusValue.string("Kitchen"))
        #expect(await bench.client.set(Adapter1.alias, adapter, FakeBench.adapter, name) == "OK")
        let filter = DBusValue.properties(["UUIDs": .strings(["180d"])])
        #expect(await bench.ask(Adapter1.setDiscoveryFilter, filter) == "OK")
        await bench.fake.kill()
        #expect(!bench.hosted.isConnected)
        // The bus notices when it next looks.
        try await eventually("a bus without a daemon") {
            try await bench.client.connection.owner(of: BlueZDaemon.name) == nil
        }
        try await bench.fake.restart()
        #expect(
            try await bench.client.objects().keys.sorted() == ["/org/bluez", "/org/bluez/hci0"])
        let alias = await bench.client.property(Adapter1.alias, adapter, FakeBench.adapter)
        #expect(alias == name)
        bench.client.forget()
        #expect(await bench.ask(Adapter1.startDiscovery) == "OK")
        try await bench.client.hears("+\(FakeBench.short) Device1")
        #expect(await bench.tell(Device1.connect) == "OK")
        try await bench.client.hears("+\(FakeBench.short) Battery1")
    }

    /// The discoveries, subscriptions and sockets of a client end with it; its link stays.
    @Test func theEndOfAClient() async throws {
        let bench = try await FakeBench.connected()
        let other = try await FakeClient(bench.fake)
        #expect(await bench.ask(Adapter1.stopDiscovery) == "OK")
        #expect(await bench.ask(Adapter1.startDiscovery, by: other) == "OK")
        #expect(await bench.start(.values, by: other) == "OK")
        let socket = await other.call(
            GattCharacteristic1.acquireNotify, GattCharacteristic1.interfaceName,
            FakeBench.path(.tx), FakeBench.options)
        #expect(throws: Never.self) { try socket.get() }
        bench.client.forget()
        other.connection.close()
        try await bench.client.hears("Discovering=false")
        try await bench.client.hears("Notifying=false")
        try await bench.client.hears("NotifyAcquired=false")
        withExtendedLifetime(socket) {}
        #expect(bench.hosted.isConnected)
        // The device gets it after the bus.
        try await bench.client.wait { _ in
            bench.hosted.state.subscriptions.suffix(2).sorted() == ["tx off", "values off"]
        }
    }

    @Test func aDeviceThatGoesForGood() async throws {
        let bench = try await FakeBench.connected()
        await bench.hosted.remove()
        try await bench.client.hears("Connected=false")
        #expect(await bench.hosted.waitUntilEnded() == nil)
        // It has stopped: it does nothing that it is told.
        bench.hosted.modify { $0.mustDisconnect = true }
        #expect(bench.hosted.state.mustDisconnect)
    }

    @Test func whoWaitsForTheEndIsToldOfIt() async throws {
        let bench = try await FakeBench.connected()
        let ended = Locked(0)
        let hosted = bench.hosted
        let waiting = (0..<3).map { _ in
            Task {
                #expect(await hosted.waitUntilEnded() == nil)
                ended.withLock { $0 += 1 }
            }
        }
        // By now they wait, or are about to.
        _ = await bench.ask(Adapter1.getDiscoveryFilters)
        await hosted.remove()
        try await eventually("they are told") { ended.withLock { $0 } == 3 }
        withExtendedLifetime(waiting) {}
    }

    /// Devices stop with their daemon, which ends with its last reference.
    @Test func devicesStopWithTheirDaemon() async throws {
        func hosted() async throws -> Hosted<TestDevice> {
            try await FakeBlueZ().add(TestDevice())
        }
        let device = try await hosted()
        device.modify { $0.mustDisconnect = true }
        #expect(device.state.mustDisconnect)
    }

    /// The counts of values begin anew with each daemon: none waits for those of the one before.
    @Test func valuesAfterARestart() async throws {
        let fake = try await FakeBlueZ()
        let sender = fake.add(NumberSender(atOnce: 100), address: FakeBench.address)
        for _ in 0..<3 {
            let client = try await FakeClient(fake)
            try await LoadTests.subscribe(to: sender, of: fake, for: client)
            client.stopHearing()
            let before = sender.state.sent.withLock { $0 }
            sender.modify { $0.left = 900 }
            try await eventually("900 values") {
                sender.state.sent.withLock { $0 } >= before + 900
            }
            await fake.kill()
            try await fake.restart()
        }
    }
}
