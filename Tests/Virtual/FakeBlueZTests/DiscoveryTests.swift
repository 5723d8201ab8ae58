import BlueZVocabulary
import FakeBlueZ
import HaloDBus
import HaloTransport
import TestSupport
import Testing

/// The devices that each client is notified of, and how often.
@Suite("Discovery", .takesTurns) struct DiscoveryTests {
    private static let aa00 = "0000aa00-0000-1000-8000-00805f9b34fb"

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let filter: [String: DBusValue]
        let isFound: Bool
    }

    private static let cases = [
        Case(testDescription: "a service", filter: ["UUIDs": .strings([aa00])], isFound: true),
        Case(
            testDescription: "another service", filter: ["UUIDs": .strings(["180d"])],
            isFound: false),
        Case(testDescription: "strong", filter: ["RSSI": .int16(-50)], isFound: false),
        Case(testDescription: "not so strong", filter: ["RSSI": .int16(-70)], isFound: true),
        Case(testDescription: "LE", filter: ["Transport": .string("le")], isFound: true),
        Case(testDescription: "classic", filter: ["Transport": .string("bredr")], isFound: false),
        Case(testDescription: "a name", filter: ["Pattern": .string("R02")], isFound: true),
        Case(testDescription: "another name", filter: ["Pattern": .string("X")], isFound: false),
    ]

    @Test(arguments: cases)
    func filtersHold(_ one: Case) async throws {
        let bench = try await FakeBench()
        #expect(await bench.ask(Adapter1.setDiscoveryFilter, .properties(one.filter)) == "OK")
        #expect(await bench.ask(Adapter1.startDiscovery) == "OK")
        if one.isFound { try await bench.client.hears("+\(FakeBench.short) Device1") }
        #expect(await bench.ask(Adapter1.stopDiscovery) == "OK")
        #expect(bench.life.contains("+Device1") == one.isFound)
    }

    @Test(arguments: [true, false])
    func duplicatesOnlyIfWanted(_ areWanted: Bool) async throws {
        let bench = try await FakeBench()
        _ = await bench.ask(
            Adapter1.setDiscoveryFilter, .properties(["DuplicateData": .boolean(areWanted)]))
        _ = await bench.ask(Adapter1.startDiscovery)
        try await bench.client.hears("+\(FakeBench.short) Device1")
        if areWanted {
            try await bench.client.wait { _ in
                bench.life.count { $0.contains("RSSI=-60") } >= 3
            }
            #expect(bench.life.contains { $0.contains("ManufacturerData") })
        } else {
            // Another adapter hears the same advertisements, and is to report each of them.
            bench.fake.addAdapter()
            let other = try await FakeClient(bench.fake)
            let (interface, adapter) = (Adapter1.interfaceName, "/org/bluez/hci1")
            let filter = DBusValue.properties(["DuplicateData": .boolean(true)])
            _ = await other.say(Adapter1.setDiscoveryFilter, interface, adapter, filter)
            _ = await other.say(Adapter1.startDiscovery, interface, adapter)
            try await other.wait { signals in
                signals.count { $0.hasPrefix(adapter) && $0.contains("RSSI=-60") } >= 3
            }
            #expect(bench.life == ["+Device1"])
        }
    }

    /// A new name is announced once, with the alias that follows from it.
    @Test func aNewNameIsAnnouncedOnce() async throws {
        let bench = try await FakeBench.found()
        bench.client.forget()
        bench.hosted.modify { $0.newName = "R02_NEW" }
        try await bench.client.hears("Name=R02_NEW")
        // Another adapter receives the same later, and announces it.
        bench.fake.addAdapter()
        let other = try await FakeClient(bench.fake)
        let (interface, adapter) = (Adapter1.interfaceName, "/org/bluez/hci1")
        let filter = DBusValue.properties(["DuplicateData": .boolean(true)])
        _ = await other.say(Adapter1.setDiscoveryFilter, interface, adapter, filter)
        _ = await other.say(Adapter1.startDiscovery, interface, adapter)
        try await other.wait { signals in
            signals.count { $0.hasPrefix(adapter) && $0.contains("RSSI=-60") } >= 3
        }
        #expect(bench.life == ["Alias=R02_NEW Name=R02_NEW"])
    }

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

    /// A device that returns is received again, and a pending `Connect` succeeds.
    @Test func aReturningDeviceIsConnected() async throws {
        let bench = try await FakeBench.found(timing: FakeTiming(unreachable: .seconds(600)))
        bench.fake.setAway(true, for: bench.hosted)
        let connecting = try await bench.begin(Device1.connect)
        _ = await bench.ask(Adapter1.getDiscoveryFilters)
        #expect(!bench.hosted.isConnected)
        bench.fake.setAway(false, for: bench.hosted)
        #expect(try await connecting.value() == "OK")
        try await bench.client.hears("ServicesResolved=true")
    }

    /// A device that was removed while it was away is found again when it returns.
    @Test func aRemovedDeviceIsFoundAgainWhenItReturns() async throws {
        let bench = try await FakeBench.found()
        let identity = PeripheralIdentity(FakeBench.address)
        bench.fake.setAway(true, for: identity)
        #expect(
            await bench.ask(
                Adapter1.removeDevice, .objectPath(try DBusObjectPath(FakeBench.device))) == "OK")
        bench.client.forget()
        bench.fake.setAway(false, for: identity)
        try await bench.client.hears("+\(FakeBench.short) Device1")
        #expect(await bench.tell(Device1.connect) == "OK")
    }

    /// Another device with the address of a known one is the same device for the daemon.
    @Test func aKnownAddressIsTheSameDevice() async throws {
        let bench = try await FakeBench.connected()
        await bench.hosted.remove()
        try await bench.client.hears("Connected=false")
        let next = bench.fake.add(TestDevice(), address: FakeBench.address)
        bench.client.forget()
        #expect(await bench.tell(Device1.connect) == "OK")
        try await bench.client.hears("ServicesResolved=true")
        #expect(next.isConnected)
        #expect(await bench.write(.plain, [9]) == "OK")
        #expect(next.state.written == [[9]])
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

    @Test func devicesAreForgotten() async throws {
        let bench = try await FakeBench.found(
            timing: FakeTiming(forgetting: .milliseconds(20)))
        _ = await bench.ask(Adapter1.stopDiscovery)
        try await bench.client.hears("-\(FakeBench.short) Device1")
        // Devices that were connected are not removed.
        let second = bench.fake.add(TestDevice(), address: "C0:00:00:00:00:02")
        _ = await bench.ask(Adapter1.startDiscovery)
        try await bench.client.wait { _ in bench.life.count == 4 }
        try await bench.client.hears("+dev_C0_00_00_00_00_02 Device1")
        _ = await bench.tell(Device1.connect)
        _ = await bench.tell(Device1.disconnect)
        _ = await bench.ask(Adapter1.stopDiscovery)
        try await bench.client.hears("-dev_C0_00_00_00_00_02 Device1")
        withExtendedLifetime(second) {}
        #expect(bench.life.count { $0 == "-Device1" } == 1)
    }

    @Test func twoAdaptersReceiveTheSameDevice() async throws {
        let fake = try await FakeBlueZ(adapters: 2)
        let hosted = fake.add(TestDevice(), address: FakeBench.address)
        let client = try await FakeClient(fake)
        for adapter in ["/org/bluez/hci0", "/org/bluez/hci1"] {
            #expect(
                await client.say(Adapter1.startDiscovery, Adapter1.interfaceName, adapter) == "OK")
        }
        try await client.hears("+\(FakeBench.short) Device1")
        try await client.hears("+/org/bluez/hci1/\(FakeBench.short) Device1")
        #expect(
            await client.say(Device1.connect, Device1.interfaceName, FakeBench.device) == "OK")
        #expect(hosted.isConnected)
    }
}
