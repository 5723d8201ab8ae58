import BlueZVocabulary
import FakeBlueZ
import HaloDBus
import HaloTransport
import TestSupport
import Testing

/// The signals before and after a reply, as recorded from the real daemon.
@Suite("Answers among signals", .takesTurns)
struct OrderTests {
    private static let adapter = FakeBench.adapter
    private static let short = FakeBench.short

    /// Makes a call, and returns all signals until one contains a text.
    private func heard(
        _ bench: FakeBench, until end: String, _ member: String, _ interface: String,
        _ path: String, _ argument: DBusValue? = nil
    ) async throws -> [String] {
        bench.client.forget()
        if let argument {
            try bench.client.note(member, interface, path, argument)
        } else {
            try bench.client.note(member, interface, path)
        }
        try await bench.client.hears(end)
        return bench.client.signals.map { $0.replacing("\(Self.short)", with: "device") }
    }

    @Test func searches() async throws {
        let bench = try await FakeBench()
        let adapter = Adapter1.interfaceName
        #expect(
            try await heard(
                bench, until: "+", Adapter1.startDiscovery, adapter, Self.adapter) == [
                    "= StartDiscovery OK", "/org/bluez/hci0 Discovering=true", "+device Device1",
                ])
        #expect(
            try await heard(
                bench, until: "Discovering", Adapter1.stopDiscovery, adapter, Self.adapter) == [
                    "= StopDiscovery OK", "device -RSSI", "/org/bluez/hci0 Discovering=false",
                ])
    }

    @Test func operations() async throws {
        let bench = try await FakeBench.connected()
        let characteristic = GattCharacteristic1.interfaceName
        let path = FakeBench.path(.values)
        let name = path.replacing(FakeBench.device, with: "device")
        func ask(_ member: String, _ argument: DBusValue? = nil) async throws -> [String] {
            try await heard(bench, until: "= ", member, characteristic, path, argument)
        }
        #expect(
            try await ask(GattCharacteristic1.startNotify) == [
                "\(name) Notifying=true", "= StartNotify OK",
            ])
        #expect(
            try await ask(GattCharacteristic1.readValue, FakeBench.options) == [
                "\(name) Value=[50]", "= ReadValue OK",
            ])
        #expect(
            try await ask(GattCharacteristic1.stopNotify) == [
                "\(name) Notifying=false", "= StopNotify OK",
            ])
        let switching = try await heard(
            bench, until: "= ", GattDescriptor1.readValue, GattDescriptor1.interfaceName,
            path + "/desc0015", FakeBench.options)
        #expect(switching == ["\(name)/desc0015 Value=[0, 0]", "= ReadValue OK"])
    }

    @Test func theEndOfALink() async throws {
        let bench = try await FakeBench.connected()
        _ = await bench.ask(Adapter1.stopDiscovery)
        let socket = await bench.client.call(
            GattCharacteristic1.acquireWrite, GattCharacteristic1.interfaceName,
            FakeBench.path(.commands), FakeBench.options)
        #expect(throws: Never.self) { try socket.get() }
        let commands = FakeBench.path(.commands).replacing(FakeBench.device, with: "device")
        #expect(
            try await heard(
                bench, until: "WriteAcquired", Device1.disconnect, Device1.interfaceName,
                FakeBench.device) == [
                    "-device Battery1", "device ServicesResolved=false", "= Disconnect OK",
                    "device Connected=false", "\(commands) WriteAcquired=false",
                ])
        withExtendedLifetime(socket) {}
    }

    /// The link ends before the objects are removed, and the reply comes between.
    @Test func aDeviceThatIsRemoved() async throws {
        let bench = try await FakeBench.connected(
            timing: FakeTiming(disconnecting: .seconds(3)))
        _ = await bench.ask(Adapter1.stopDiscovery)
        #expect(await bench.start(.values) == "OK")
        let path = DBusValue.objectPath(try DBusObjectPath(FakeBench.device))
        bench.client.forget()
        try bench.client.note(
            Adapter1.removeDevice, Adapter1.interfaceName, Self.adapter, path)
        try await bench.client.hears("-\(Self.short) Battery1")
        bench.send(.values, [9])
        try await bench.client.hears("-\(Self.short) Device1")
        let all = bench.client.signals.map { $0.replacing("\(Self.short)", with: "device") }
        let values = FakeBench.path(.values).replacing(FakeBench.device, with: "device")
        #expect(
            all.prefix(5) == [
                "-device Battery1", "\(values) Value=[9]", "device ServicesResolved=false",
                "= RemoveDevice OK", "device Connected=false",
            ])
        // Each service goes after what it has, the first one first.
        let gone = all.dropFirst(5).map { String($0.prefix { $0 != " " }) }
        #expect(gone.first == "-device/service0008/char0009/desc000b")
        #expect(gone.last == "-device")
        #expect(gone.dropLast() == gone.dropLast().sorted(by: Self.goesFirst)[...])
        #expect(await bench.tell(Device1.connect).contains("doesn't exist"))
    }

    private static func goesFirst(_ one: String, _ other: String) -> Bool {
        // By handle, and what lies below before what it lies in.
        one.hasPrefix(other) ? true : other.hasPrefix(one) ? false : one < other
    }

    @Test func anAdapterThatIsSwitchedOff() async throws {
        let bench = try await FakeBench.found()
        bench.client.forget()
        try bench.client.note(
            "Set", "org.freedesktop.DBus.Properties", Self.adapter,
            .string(Adapter1.interfaceName), .string(Adapter1.powered),
            .variant(.boolean(false)))
        try await bench.client.hears("Powered=false")
        // Devices without a connection are removed with it.
        #expect(
            bench.client.signals == [
                "-\(Self.short) Device1", "= Set OK",
                "/org/bluez/hci0 Discovering=false Powered=false",
            ])
    }

    @Test func anAdapterThatTheKernelKeepsOff() async throws {
        let bench = try await FakeBench.found()
        bench.fake.setBlocked(true)
        try await bench.client.hears("Powered=false")
        bench.fake.setBlocked(false)
        try await bench.client.hears("Powered=true")
    }
}
