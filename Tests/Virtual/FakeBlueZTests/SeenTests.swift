import BlueZVocabulary
import FakeBlueZ
import HaloDBus
import HaloTransport
import TestSupport
import Testing

/// Unexpected habits of the real daemon (`Documentation/Daemon.md`).
@Suite("Habits of the daemon", .takesTurns)
struct SeenTests {
    @Test func aValueIsSignalledOncePerSubscriber() async throws {
        let bench = try await FakeBench.connected()
        let other = try await FakeClient(bench.fake)
        #expect(await bench.start(.values) == "OK")
        #expect(await bench.start(.values, by: other) == "OK")
        bench.send(.values, [1])
        try await bench.client.wait { _ in bench.values(.values).count == 2 }
        #expect(await bench.stop(.values, by: other) == "OK")
        bench.send(.values, [2])
        try await bench.client.wait { _ in bench.values(.values).last == "[2]" }
        #expect(bench.values(.values) == ["[1]", "[1]", "[2]"])
    }

    @Test func aSecondWriteIsRefused() async throws {
        let bench = try await FakeBench.connected()
        // The first one waits behind a read that is never answered.
        _ = try await bench.begin(.silent, GattCharacteristic1.readValue, FakeBench.options)
        let first = try await bench.client.begin(
            GattCharacteristic1.writeValue, GattCharacteristic1.interfaceName,
            FakeBench.path(.plain), .bytes([1]), FakeBench.options)
        let busy = "org.bluez.Error.InProgress: In Progress"
        #expect(await bench.write(.plain, [2]) == busy)
        let options = DBusValue.properties(["type": .string("command")])
        #expect(await bench.write(.plain, [2], options) == busy)
        bench.fake.loseLink(PeripheralIdentity(FakeBench.address))
        #expect(try await first.value().hasPrefix("org.bluez.Error.Failed"))
        // The next link starts without it.
        #expect(await bench.tell(Device1.connect) == "OK")
        #expect(await bench.write(.plain, [3]) == "OK")
        #expect(await bench.write(.plain, [4]) == "OK")
    }

    @Test func optionsHaveTheirTypes() async throws {
        let bench = try await FakeBench.connected()
        let invalid = "org.bluez.Error.InvalidArguments: Invalid arguments in method call"
        let wrong: [DBusValue] = [.string("1"), .uint32(1)]
        for offset in wrong {
            #expect(await bench.read(.plain, .properties(["offset": offset])) == invalid)
        }
        #expect(await bench.write(.plain, [1], .properties(["type": .uint32(1)])) == invalid)
        #expect(await bench.read(.plain, .properties(["nonsense": .uint32(1)])) == "OK")
        let notSupported = "org.bluez.Error.NotSupported: Operation is not supported"
        for attribute in [TestDevice.Attribute.plain, .commands] {
            #expect(
                await bench.write(attribute, [1], .properties(["type": .string("nonsense")]))
                    == notSupported)
        }
        for (type, offset, reply) in [
            ("Request", 0, "OK"), ("Command", 0, "OK"), ("command", 1, notSupported),
        ] as [(String, UInt16, String)] {
            let options = DBusValue.properties(["type": .string(type), "offset": .uint16(offset)])
            #expect(await bench.write(.commands, [1], options) == reply)
        }
    }

    @Test func commandsFitIntoAPacket() async throws {
        let bench = try await FakeBench.connected()
        let options = DBusValue.properties(["type": .string("command")])
        let long = [UInt8](repeating: 1, count: 515)
        #expect(await bench.write(.commands, Array(long.dropLast()), options) == "OK")
        #expect(
            await bench.write(.commands, long, options)
                == "org.bluez.Error.Failed: Failed to initiate write")
    }

    @Test func valuesComeBeforeTheServicesAreKnownAgain() async throws {
        let bench = try await FakeBench.connected()
        #expect(await bench.start(.values) == "OK")
        #expect(await bench.tell(Device1.disconnect) == "OK")
        try await bench.client.hears("Connected=false")
        bench.client.forget()
        // The device waits only for the subscription.
        bench.hosted.modify { $0.greeting = [7] }
        #expect(await bench.tell(Device1.connect) == "OK")
        try await bench.client.hears("ServicesResolved=true")
        let lines = bench.client.signals
        let value = try #require(lines.firstIndex { $0.contains("Value=[7]") })
        #expect(try value < #require(lines.firstIndex { $0.contains("ServicesResolved=true") }))
    }

    /// A subscription that is left over while the services change does no harm.
    @Test func otherServicesWithASubscription() async throws {
        let bench = try await FakeBench.connected(
            timing: FakeTiming(resolving: .milliseconds(20)))
        #expect(await bench.start(.tx) == "OK")
        #expect(await bench.tell(Device1.disconnect) == "OK")
        bench.hosted.modify { $0.hasMost = false }
        #expect(await bench.tell(Device1.connect) == "OK")
        bench.send(.tx, [1])
        try await bench.client.wait { _ in bench.life.last == "+Battery1" }
        #expect(await bench.read(.battery) == "OK")
    }

    @Test func aLinkWithoutASignal() async throws {
        var quirks = FakeQuirks()
        quirks.concealsConnected = true
        let bench = try await FakeBench.connected(quirks: quirks)
        #expect(bench.life == ["+Device1", "ServicesResolved=true UUIDs=…", "+Battery1"])
        let isConnected = await bench.client.property(
            Device1.connected, Device1.interfaceName, FakeBench.device)
        #expect(isConnected == .boolean(true))
        #expect(await bench.tell(Device1.disconnect) == "OK")
        try await bench.client.hears("Connected=false")
    }

    /// With a filter each advertisement is announced, also an unchanged one; without a filter
    /// unchanged ones are not.
    @Test(arguments: [true, false])
    func reportsThatSayTheSame(_ hasFilter: Bool) async throws {
        let bench = try await FakeBench()
        if hasFilter {
            let filter = DBusValue.properties(["Transport": .string("le")])
            #expect(await bench.ask(Adapter1.setDiscoveryFilter, filter) == "OK")
        }
        #expect(await bench.ask(Adapter1.startDiscovery) == "OK")
        try await bench.client.hears("+\(FakeBench.short) Device1")
        bench.fake.setRSSI(-60, for: PeripheralIdentity(FakeBench.address))
        // The next advertisement replaces one that was not announced yet.
        if hasFilter { try await bench.client.hears("RSSI=-60") }
        bench.fake.setRSSI(-90, for: PeripheralIdentity(FakeBench.address))
        try await bench.client.hears("RSSI=-90")
        #expect(bench.life.dropFirst() == (hasFilter ? ["RSSI=-60", "RSSI=-90"] : ["RSSI=-90"]))
    }

    @Test func anUnknownStrengthIsNotStrong() async throws {
        let bench = try await FakeBench()
        let identity = PeripheralIdentity(FakeBench.address)
        bench.fake.setRSSI(127, for: identity)
        let filter = DBusValue.properties(["RSSI": .int16(-60)])
        #expect(await bench.ask(Adapter1.setDiscoveryFilter, filter) == "OK")
        #expect(await bench.ask(Adapter1.startDiscovery) == "OK")
        bench.fake.setRSSI(-50, for: identity)
        try await bench.client.hears("+\(FakeBench.short) Device1")
        let rssi = await bench.client.property(
            Device1.rssi, Device1.interfaceName, FakeBench.device)
        #expect(rssi == .int16(-50))
    }
}
