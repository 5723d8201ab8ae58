#if os(Linux)
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

    @Test func theEndByDisconnect() async throws {
        let bench = try await FakeBench.connected()
        bench.client.forget()
        #expect(await bench.tell(Device1.disconnect) == "OK")
        try await bench.client.hears("Connected=false")
        #expect(bench.life == ["-Battery1", "ServicesResolved=false", "Connected=false"])
        #expect(!bench.hosted.isConnected)
    }

    enum OtherEnd: CaseIterable, Sendable { case byTheDevice, lost, away }

    @Test(arguments: OtherEnd.allCases)
    func anyOtherEnd(_ end: OtherEnd) async throws {
        let bench = try await FakeBench.connected()
        _ = await bench.ask(Adapter1.stopDiscovery)
        bench.client.forget()
        switch end {
        case .byTheDevice: bench.hosted.modify { $0.mustDisconnect = true }
        case .lost: bench.fake.loseLink(PeripheralIdentity(FakeBench.address))
        case .away: bench.fake.setAway(true, PeripheralIdentity(FakeBench.address))
        }
        try await bench.client.hears("-\(FakeBench.short) Battery1")
        #expect(bench.life == ["Connected=false ServicesResolved=false", "-Battery1"])
    }

    @Test func theAdapterIsSwitchedOff() async throws {
        let bench = try await FakeBench.connected()
        _ = await bench.ask(Adapter1.stopDiscovery)
        bench.client.forget()
        #expect(
            await bench.client.set(
                Adapter1.powered, Adapter1.interfaceName, FakeBench.adapter, .boolean(false))
                == "OK")
        try await bench.client.hears("Powered=false")
        #expect(
            bench.client.signals == [
                "\(FakeBench.short) Connected=false ServicesResolved=false",
                "-\(FakeBench.short) Battery1",
                "/org/bluez/hci0 Discovering=false Powered=false",
            ])
        bench.fake.setPowered(true)
        try await bench.client.hears("Powered=true")
        #expect(await bench.tell(Device1.connect) == "OK")
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
        #expect(bench.fake.addAdapter(11) == 11)
        try await bench.client.hears("+/org/bluez/hci11 Adapter1")
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

    @Test func otherServicesThanBefore() async throws {
        // The device is silent until its services change, and stays connected.
        let bench = try await FakeBench.connected(
            timing: FakeTiming(answering: .seconds(600)))
        bench.client.forget()
        bench.hosted.modify {
            $0.hasMore = true
            $0.mustAnnounce = true
        }
        let (new, short) = ("service0033", FakeBench.short)
        try await bench.client.hears("+\(short)/\(new) GattService1")
        // There are no other signals, and the objects stay.
        #expect(
            bench.client.signals == ["\(short) UUIDs=…", "+\(short)/\(new) GattService1"])
        #expect(await bench.read(.plain) == "OK")
        let read = try await bench.begin(
            .silent, GattCharacteristic1.readValue, FakeBench.options)
        bench.client.forget()
        bench.hosted.modify {
            $0.hasMost = false
            $0.mustAnnounce = true
        }
        #expect(
            try await read.value() == "org.bluez.Error.NotSupported: Operation is not supported")
        try await bench.client.hears("\(short) UUIDs=…")
        let gone = bench.client.signals.filter { $0.contains("Gatt") }
        #expect(gone.allSatisfy { $0.hasPrefix("-") })
        #expect(gone.last == "-\(short)/service0010 GattService1")
        #expect(bench.life == ["UUIDs=…"])
        bench.client.forget()
        bench.hosted.modify {
            $0.hasMost = true
            $0.mustAnnounce = true
        }
        // It is somewhere else than before.
        try await bench.client.hears("+\(short)/service0034 GattService1")
        #expect(!bench.client.signals.contains { $0.contains("service0010") })
    }

    @Test func aDaemonThatIsKilled() async throws {
        let bench = try await FakeBench.connected()
        await bench.fake.kill()
        #expect(!bench.hosted.isConnected)
        // The bus notices when it next looks.
        try await eventually("a bus without a daemon") {
            try await bench.client.connection.owner(of: BlueZDaemon.name) == nil
        }
        try await bench.fake.restart()
        #expect(
            try await bench.client.objects().keys.sorted() == ["/org/bluez", "/org/bluez/hci0"])
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

    @Test func aLinkWithoutARequest() async throws {
        let bench = try await FakeBench()
        bench.fake.connect(PeripheralIdentity(FakeBench.address))
        try await bench.client.hears("+\(FakeBench.short) Battery1")
        #expect(
            bench.life == [
                "+Device1", "Connected=true", "ServicesResolved=true UUIDs=…", "+Battery1",
            ])
        #expect(await bench.tell(Device1.connect) == "OK")
        #expect(await bench.read(.plain) == "OK")
    }

    @Test func aDeviceThatIsThereAnew() async throws {
        let bench = try await FakeBench.connected()
        await bench.hosted.remove()
        try await bench.client.hears("Connected=false")
        bench.client.forget()
        let other = bench.fake.add(TestDevice(), address: FakeBench.address)
        #expect(await bench.tell(Device1.connect) == "OK")
        try await bench.client.hears("+\(FakeBench.short) Battery1")
        #expect(other.isConnected)
        // A third one of the same address is not heard beside it.
        let third = bench.fake.add(TestDevice(), address: FakeBench.address)
        #expect(await bench.tell(Device1.disconnect) == "OK")
        #expect(await bench.tell(Device1.connect) == "OK")
        #expect(other.isConnected && !third.isConnected)
    }

    @Test func aDeviceThatGoesForGood() async throws {
        let bench = try await FakeBench.connected()
        await bench.hosted.remove()
        try await bench.client.hears("Connected=false")
        #expect(await bench.hosted.ended() == nil)
        // It has stopped: it does nothing that it is told.
        bench.hosted.modify { $0.mustDisconnect = true }
        #expect(bench.hosted.state.mustDisconnect)
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
#endif
