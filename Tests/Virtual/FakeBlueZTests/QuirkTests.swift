#if os(Linux)
import BlueZVocabulary
import FakeBlueZ
import HaloDBus
import HaloTransport
import TestSupport
import Testing

/// The effect of each switch.
@Suite("Quirks", .takesTurns) struct QuirkTests {
    private func quirks(_ change: (inout FakeQuirks) -> Void) -> FakeQuirks {
        var quirks = FakeQuirks()
        change(&quirks)
        return quirks
    }

    @Test func servicesAfterTheyAreResolved() async throws {
        let bench = try await FakeBench.connected(
            quirks: quirks { $0.exportsLate = .milliseconds(20) })
        let signals = bench.client.signals
        let resolved = signals.firstIndex { $0.contains("ServicesResolved=true") }
        let exported = signals.firstIndex { $0.contains("Gatt") }
        #expect(try #require(resolved) < #require(exported))
        #expect(await bench.read(.plain) == "OK")
        _ = await bench.tell(Device1.disconnect)
        try await bench.client.hears("-\(FakeBench.short)/service0008 GattService1")
        try await eventually("no services") {
            try await !bench.client.objects().keys.contains { $0.contains("/service") }
        }
    }

    @Test func servicesExportedAgain() async throws {
        let bench = try await FakeBench.connected(quirks: quirks { $0.exportsAgain = 1 })
        #expect(
            bench.life == [
                "+Device1", "Connected=true", "ServicesResolved=true UUIDs=…",
                "ServicesResolved=false", "ServicesResolved=true UUIDs=…", "+Battery1",
            ])
        #expect(bench.client.signals.contains { $0.hasPrefix("-") && $0.contains("Gatt") })
    }

    @Test func servicesNeverResolved() async throws {
        let bench = try await FakeBench.found(quirks: quirks { $0.neverResolves = true })
        #expect(await bench.tell(Device1.connect) == "OK")
        _ = await bench.tell(Device1.disconnect)
        try await bench.client.hears("Connected=false")
        #expect(bench.life == ["+Device1", "Connected=true", "Connected=false"])
    }

    @Test func linksThatEndFirst() async throws {
        let bench = try await FakeBench.found(quirks: quirks { $0.dropsBeforeResolved = 1 })
        #expect(await bench.tell(Device1.connect) == "OK")
        try await bench.client.hears("Connected=false")
        #expect(bench.life == ["+Device1", "Connected=true", "Connected=false"])
        #expect(await bench.tell(Device1.connect) == "OK")
        try await bench.client.hears("ServicesResolved=true")
    }

    @Test func attemptsThatAreAborted() async throws {
        let bench = try await FakeBench.found(quirks: quirks { $0.abortsByLocal = 1 })
        #expect(
            await bench.tell(Device1.connect)
                == "org.bluez.Error.Failed: le-connection-abort-by-local")
        try await bench.client.hears("Connected=false")
        #expect(bench.life == ["+Device1", "Connected=true", "Connected=false"])
        #expect(await bench.tell(Device1.connect) == "OK")
    }

    @Test func searchesAndOperationsInProgress() async throws {
        let bench = try await FakeBench(
            quirks: quirks {
                $0.searchInProgress = 1
                $0.operationInProgress = 1
            })
        #expect(
            await bench.ask(Adapter1.startDiscovery)
                == "org.bluez.Error.InProgress: Operation already in progress")
        #expect(await bench.ask(Adapter1.startDiscovery) == "OK")
        try await bench.client.hears("+\(FakeBench.short) Device1")
        #expect(await bench.tell(Device1.connect) == "OK")
        try await bench.client.hears("+\(FakeBench.short) Battery1")
        #expect(await bench.read(.plain) == "org.bluez.Error.InProgress: In Progress")
        #expect(await bench.read(.plain) == "OK")
    }

    @Test func devicesForgottenWithTheSearch() async throws {
        let bench = try await FakeBench.found(quirks: quirks { $0.forgetsWhenSearchEnds = true })
        #expect(await bench.ask(Adapter1.stopDiscovery) == "OK")
        #expect(bench.life == ["+Device1", "-RSSI", "-Device1"])
    }

    @Test func connectingAndDisconnectingWithoutAnEnd() async throws {
        let bench = try await FakeBench.found(quirks: quirks { $0.connectHangs = true })
        let connect = try await bench.begin(Device1.connect)
        #expect(await bench.tell(Device1.disconnect) == "OK")
        #expect(try await connect.value() == "org.bluez.Error.Failed: br-connection-canceled")
        bench.fake.quirks = quirks { $0.disconnectNeverReplies = true }
        #expect(await bench.tell(Device1.connect) == "OK")
        try await bench.client.hears("+\(FakeBench.short) Battery1")
        let disconnect = try await bench.begin(Device1.disconnect)
        try await bench.client.hears("Connected=false")
        await bench.fake.kill()
        #expect(try await disconnect.value().hasPrefix("org.freedesktop.DBus.Error.NoReply"))
    }

    @Test func aFilterOfServicesCrashesTheDaemon() async throws {
        let bench = try await FakeBench(quirks: quirks { $0.diesOfServiceFilters = true })
        let look = DBusValue.properties(["UUIDs": .strings(["180d"])])
        let adapter = Adapter1.interfaceName
        let isThere = { @Sendable in
            try await bench.client.connection.owner(of: BlueZDaemon.name) != nil
        }
        #expect(
            await bench.client.say(Adapter1.setDiscoveryFilter, adapter, FakeBench.adapter, look)
                == "OK")
        #expect(try await isThere())
        #expect(await bench.client.say(Adapter1.startDiscovery, adapter, FakeBench.adapter) == "OK")
        try await eventually("the daemon's end") { try await !isThere() }
        try await bench.fake.restart()
        #expect(try await isThere())
    }

    @Test func valuesLostDoubledAndSwapped() async throws {
        let bench = try await FakeBench.connected(quirks: quirks { $0.losesFirstValue = true })
        #expect(await bench.start(.values) == "OK")
        bench.send(.values, [1], [2])
        try await bench.client.hears("Value=[2]")
        #expect(bench.values(.values) == ["[2]"])
        bench.client.forget()
        bench.fake.quirks = quirks { $0.doublesValues = true }
        bench.send(.values, [3])
        try await bench.client.wait { _ in bench.values(.values).count == 2 }
        bench.client.forget()
        bench.fake.quirks = quirks { $0.swapsValues = true }
        bench.send(.values, [4], [5], [6])
        try await bench.client.wait { _ in bench.values(.values).count == 3 }
        #expect(bench.values(.values) == ["[5]", "[4]", "[6]"])
    }

    /// The ways in which a link can end, and the reason that a newer daemon gives.
    enum Reason: CaseIterable, Sendable {
        case wished, byTheDevice, lost, switchedOff

        var words: String {
            switch self {
            case .wished, .switchedOff:
                "org.bluez.Reason.Local Connection terminated by local host"
            case .byTheDevice: "org.bluez.Reason.Remote Connection terminated by remote user"
            case .lost: "org.bluez.Reason.Timeout Connection timeout"
            }
        }
    }

    @Test(arguments: Reason.allCases)
    func reasonsOfTheEnd(_ reason: Reason) async throws {
        let bench = try await FakeBench.connected(quirks: quirks { $0.tellsReasons = true })
        bench.client.forget()
        switch reason {
        case .wished: _ = await bench.tell(Device1.disconnect)
        case .byTheDevice: bench.hosted.modify { $0.mustDisconnect = true }
        case .lost: bench.fake.loseLink(PeripheralIdentity(FakeBench.address))
        case .switchedOff: bench.fake.setPowered(false)
        }
        try await bench.client.hears("Connected=false")
        let ends = bench.life.filter { $0.contains("onnected") }
        #expect(ends.first == "Disconnected \(reason.words)")
        #expect(ends.count == 2)
    }

    @Test(arguments: [true, false])
    func readsThatAreSignalled(_ isAnnounced: Bool) async throws {
        let bench = try await FakeBench.connected(
            quirks: quirks { $0.announcesReads = isAnnounced })
        #expect(await bench.read(.plain) == "OK")
        #expect(bench.values(.plain) == (isAnnounced ? ["[50]"] : []))
    }

    @Test func valuesBeforeTheAnswer() async throws {
        let bench = try await FakeBench.connected(quirks: quirks { $0.valuesBeforeAnswer = true })
        // The device sends at once, and does not wait for the answer.
        bench.hosted.modify { $0.greeting = [1] }
        bench.client.forget()
        try bench.client.note(
            GattCharacteristic1.startNotify, GattCharacteristic1.interfaceName,
            FakeBench.path(.values))
        try await bench.client.hears("= StartNotify")
        let name = FakeBench.path(.values).replacing("/org/bluez/hci0/", with: "")
        #expect(
            bench.client.signals == [
                "\(name) Notifying=true", "\(name) Value=[1]", "= StartNotify OK",
            ])
    }

    @Test func valuesAfterTheEnd() async throws {
        let bench = try await FakeBench.connected(quirks: quirks { $0.valuesAfterEnd = true })
        #expect(await bench.start(.values) == "OK")
        bench.send(.values, [1])
        try await bench.client.hears("Value=[1]")
        bench.client.forget()
        bench.fake.loseLink(PeripheralIdentity(FakeBench.address))
        try await bench.client.hears("Value=[1]")
        let end = bench.client.signals.firstIndex { $0.contains("Connected=false") }
        let value = bench.client.signals.firstIndex { $0.contains("Value=[1]") }
        #expect(try #require(end) < #require(value))
    }

    @Test func subscriptionsForgotten() async throws {
        let bench = try await FakeBench.connected(quirks: quirks { $0.forgetsSubscriptions = true })
        #expect(await bench.start(.values) == "OK")
        bench.fake.loseLink(PeripheralIdentity(FakeBench.address))
        try await bench.client.hears("Notifying=false")
        #expect(await bench.stop(.values) == "org.bluez.Error.Failed: No notify session started")
    }

    @Test func theSecondSubscriptionHangs() async throws {
        let bench = try await FakeBench.connected(
            quirks: quirks { $0.secondStartNotifyHangs = true })
        #expect(await bench.start(.values) == "OK")
        #expect(await bench.stop(.values) == "OK")
        let again = try await bench.begin(.values, GattCharacteristic1.startNotify)
        await bench.fake.kill()
        #expect(try await again.value().hasPrefix("org.freedesktop.DBus.Error.NoReply"))
    }

    @Test func propertiesThatAreNotThere() async throws {
        let bench = try await FakeBench.connected(
            quirks: quirks {
                $0.hidesMTU = true
                $0.hidesSockets = true
                $0.hidesBatteryService = true
            })
        #expect(await bench.property(GattCharacteristic1.mtu, .values) == nil)
        #expect(await bench.property(GattCharacteristic1.notifyAcquired, .values) == nil)
        #expect(await bench.property(GattCharacteristic1.notifying, .values) == .boolean(false))
        #expect(await bench.property(GattCharacteristic1.uuid, .battery) == nil)
        let level = await bench.client.property(
            Battery1.percentage, Battery1.interfaceName, FakeBench.device)
        #expect(level == .byte(64))
    }

    @Test func socketsRefused() async throws {
        let bench = try await FakeBench.connected(quirks: quirks { $0.refusesSockets = true })
        let answer = await bench.use(
            .values, GattCharacteristic1.acquireNotify, FakeBench.options)
        #expect(answer.hasPrefix("org.freedesktop.DBus.Error.UnknownObject: Method"))
    }

    @Test func smallPackets() async throws {
        let bench = try await FakeBench.connected(quirks: quirks { $0.mtu = 23 })
        #expect(await bench.property(GattCharacteristic1.mtu, .values) == .uint16(23))
        #expect(bench.hosted.state.maximumLength == 20)
        #expect(await bench.start(.values) == "OK")
        bench.send(.values, [UInt8](repeating: 9, count: 30))
        try await bench.client.hears("Value=[9")
        #expect(bench.values(.values) == ["\([UInt8](repeating: 9, count: 20))"])
    }

    @Test func valuesOfOtherTypes() async throws {
        let bench = try await FakeBench.found(
            quirks: quirks {
                $0.falseValues = ["org.bluez.Device1.RSSI": .string("loud")]
            })
        let rssi = await bench.client.property(
            Device1.rssi, Device1.interfaceName, FakeBench.device)
        #expect(rssi == .string("loud"))
        // Also of an object that was exported when it was still true.
        bench.fake.quirks = quirks { $0.falseValues = ["org.bluez.Device1.Connected": .byte(7)] }
        #expect(await bench.tell(Device1.connect) == "OK")
        try await bench.client.hears("Connected=7")
    }

    @Test func servicesThatAreStale() async throws {
        let bench = try await FakeBench.connected(quirks: quirks { $0.keepsStaleServices = true })
        bench.hosted.modify {
            $0.hasMore = true
            $0.mustDisconnect = true
        }
        try await bench.client.hears("Connected=false")
        bench.client.forget()
        #expect(await bench.tell(Device1.connect) == "OK")
        try await bench.client.hears("+\(FakeBench.short) Battery1")
        #expect(!bench.client.signals.contains { $0.contains("Gatt") })
    }
}
#endif
