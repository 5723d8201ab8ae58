import BlueZVocabulary
import FakeBlueZ
import HaloDBus
import HaloTransport
import Testing

/// The devices that each client is notified of, and how often.
@Suite("Discovery", .takesTurns) struct DiscoveryTests {
    /// An empty filter removes the earlier one, and is none: only a discovery with a filter
    /// announces small changes of the RSSI.
    @Test(arguments: [true, false]) func anEmptyFilterIsNone(isEmpty: Bool) async throws {
        let bench = try await FakeBench()
        let filter: [String: DBusValue] = isEmpty ? [:] : ["RSSI": .int16(-100)]
        for filter in [["RSSI": .int16(-50)], filter] {
            #expect(await bench.ask(Adapter1.setDiscoveryFilter, .properties(filter)) == "OK")
        }
        #expect(await bench.ask(Adapter1.startDiscovery) == "OK")
        try await bench.client.hears("+\(FakeBench.short) Device1")
        // Another adapter receives the same later, and announces it.
        bench.fake.addAdapter()
        let other = try await FakeClient(bench.fake)
        let (interface, adapter) = (Adapter1.interfaceName, "/org/bluez/hci1")
        _ = await other.say(
            Adapter1.setDiscoveryFilter, interface, adapter,
            .properties(["DuplicateData": .boolean(true)]))
        _ = await other.say(Adapter1.startDiscovery, interface, adapter)
        try await other.hears("+\(adapter)/\(FakeBench.short) Device1")
        bench.fake.setRSSI(-66, for: PeripheralIdentity(FakeBench.address))
        try await other.wait { signals in
            signals.contains { $0.hasPrefix(adapter) && $0.contains("RSSI=-66") }
        }
        _ = await bench.ask(Adapter1.getDiscoveryFilters)
        #expect(bench.life.contains("RSSI=-66") == !isEmpty)
    }

    /// A device that was removed while it was away is found again when it returns.
    @Test func aRemovedDeviceIsFoundAgainWhenItReturns() async throws {
        let bench = try await FakeBench.found()
        bench.fake.setAway(true, for: bench.hosted)
        #expect(
            await bench.ask(
                Adapter1.removeDevice, .objectPath(try DBusObjectPath(FakeBench.device))) == "OK")
        bench.client.forget()
        bench.fake.setAway(false, for: bench.hosted)
        try await bench.client.hears("+\(FakeBench.short) Device1")
        #expect(await bench.tell(Device1.connect) == "OK")
    }

    @Test func rssiIsSignalledWhenItChanges() async throws {
        let bench = try await FakeBench.found()
        bench.fake.setRSSI(-66, for: bench.hosted)
        bench.fake.setRSSI(-80, for: bench.hosted)
        try await bench.client.hears("RSSI=-80")
        #expect(bench.life == ["+Device1", "RSSI=-80"])
        _ = await bench.ask(Adapter1.stopDiscovery)
        #expect(bench.life.last == "-RSSI")
        #expect(bench.client.signals.last == "/org/bluez/hci0 Discovering=false")
        _ = await bench.ask(Adapter1.startDiscovery)
        try await bench.client.wait { _ in bench.life.count == 4 }
        #expect(bench.life.last == "RSSI=-80")
    }

    @Test func oneSearchForAll() async throws {
        let bench = try await FakeBench.found()
        let other = try await FakeClient(bench.fake)
        #expect(await bench.ask(Adapter1.startDiscovery, by: other) == "OK")
        #expect(await bench.ask(Adapter1.stopDiscovery) == "OK")
        #expect(!bench.client.signals.contains { $0.contains("Discovering=false") })
        #expect(await bench.ask(Adapter1.stopDiscovery, by: other) == "OK")
        try await bench.client.hears("/org/bluez/hci0 Discovering=false")
    }
}
