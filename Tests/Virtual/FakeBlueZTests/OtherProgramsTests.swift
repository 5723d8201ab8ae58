import BlueZVocabulary
import FakeBlueZ
import HaloDBus
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

/// Requests of other programs besides devices, and the signals that they expect.
@Suite("Other programs' habits", .takesTurns) struct OtherProgramsTests {
    /// A timed discoverability ends when the adapter is powered off.
    @Test func discoverableEndsWithThePower() async throws {
        let bench = try await FakeBench()
        func set(_ name: String, _ value: DBusValue) async -> String {
            await bench.client.set(name, Adapter1.interfaceName, FakeBench.adapter, value)
        }
        func discoverable() async -> DBusValue? {
            await bench.client.property(
                Adapter1.discoverable, Adapter1.interfaceName, FakeBench.adapter)
        }
        #expect(await set(Adapter1.discoverable, .boolean(true)) == "OK")
        #expect(await set(Adapter1.discoverable, .boolean(true)) == "OK")
        #expect(await set(Adapter1.powered, .boolean(false)) == "OK")
        try await bench.client.hears("Discoverable=false")
        #expect(
            bench.client.signals.map { $0.replacing("\(FakeBench.adapter) ", with: "") } == [
                "Discoverable=true", "Discovering=false Powered=false", "Discoverable=false",
            ])
        #expect(
            await set(Adapter1.discoverable, .boolean(true))
                == "org.bluez.Error.Failed: Not Powered")
        // Without a limit it stays, and can be said at any time.
        #expect(await set(Adapter1.discoverableTimeout, .uint32(0)) == "OK")
        #expect(await set(Adapter1.discoverable, .boolean(true)) == "OK")
        #expect(await set(Adapter1.powered, .boolean(true)) == "OK")
        #expect(await set(Adapter1.powered, .boolean(false)) == "OK")
        #expect(await discoverable() == .boolean(true))
    }

    /// A device's PnP ID becomes its modalias.
    @Test(arguments: [
        ([1, 0xD0, 0x01, 0x23, 0xAB, 0x00, 0x01], "bluetooth:v01D0pAB23d0100"),
        ([2, 0x6B, 0x1D, 0x46, 0x02, 0x42, 0x05, 0x77], "usb:v1D6Bp0246d0542"),
        ([3, 0x6B, 0x1D, 0x46, 0x02, 0x42, 0x05], nil), ([0, 1, 2, 3, 4, 5, 6], nil),
        ([2, 0x6B, 0x1D, 0x46, 0x02, 0x42], nil), ([], nil),
    ])
    func productsBecomeModaliases(_ value: [UInt8], _ text: String?) async throws {
        let fake = try await FakeBlueZ()
        _ = fake.add(Product(value: value), address: FakeBench.address)
        let client = try await FakeClient(fake)
        _ = await client.say(
            Adapter1.startDiscovery, Adapter1.interfaceName, FakeBench.adapter)
        try await client.hears("+\(FakeBench.short) Device1")
        #expect(
            await client.say(Device1.connect, Device1.interfaceName, FakeBench.device) == "OK")
        // The battery is read after it.
        try await client.hears("+\(FakeBench.short) Battery1")
        let told = await client.property(
            Device1.modalias, Device1.interfaceName, FakeBench.device)
        #expect(told == text.map { .string($0) })
        // It is announced once, and not with each link.
        for member in [Device1.disconnect, Device1.connect] {
            #expect(await client.say(member, Device1.interfaceName, FakeBench.device) == "OK")
        }
        try await client.wait { $0.count { $0 == "+\(FakeBench.short) Battery1" } == 2 }
        #expect(client.signals.count { $0.contains("Modalias=") } == (text == nil ? 0 : 1))
    }

    /// An empty interface name is refused, with gdbus's error.
    @Test func propertiesOfAllInterfacesAreRefused() async throws {
        let bench = try await FakeBench()
        let answer = await bench.client.say(
            "GetAll", "org.freedesktop.DBus.Properties", FakeBench.adapter, .string(""))
        #expect(answer == "org.freedesktop.DBus.Error.InvalidArgs: No such interface ''")
    }

    /// An application may have no service, and only request devices with one.
    @Test(arguments: [
        (["180d"], "OK"), ([], "org.bluez.Error.Failed: No valid service object found"),
    ])
    func applicationsMayWantDevicesOnly(_ uuids: [String], _ answer: String) async throws {
        let bench = try await FakeBench()
        let program = bench.client.connection
        let path = try DBusObjectPath("/app")
        try program.export(DBusObject(objectManager: .ownInterfaces), at: path)
        let profile = DBusInterface(
            "org.bluez.GattProfile1", methods: [.init("Release")],
            properties: [.init("UUIDs", .array(.string))])
        try program.export(
            DBusObject([profile], values: [profile.name: ["UUIDs": .strings(uuids)]]),
            at: try DBusObjectPath("/app/profile"))
        #expect(
            await bench.client.say(
                "RegisterApplication", "org.bluez.GattManager1", FakeBench.adapter,
                .objectPath(path), FakeBench.options) == answer)
    }

    /// A running discovery announces a device again, so that late listeners receive it.
    @Test func aKnownDeviceIsAnnouncedAgain() async throws {
        let fake = try await FakeBlueZ()
        fake.add(TestDevice(), address: FakeBench.address)
        let client = try await FakeClient(fake)
        _ = await client.say(
            Adapter1.startDiscovery, Adapter1.interfaceName, FakeBench.adapter)
        try await client.hears("+\(FakeBench.short) Device1")
        try await client.hears("RSSI=-69")
    }
}

/// A device with a PnP ID and a battery.
private struct Product: GATTPeripheral {
    let value: [UInt8]

    private static let product = AttributeID(1)
    private static let battery = AttributeID(2)

    var services: [GATTService] {
        [
            GATTService(
                BluetoothUUID(0x180A),
                characteristics: [
                    GATTCharacteristic(Self.product, BluetoothUUID(0x2A50), .read)
                ]),
            GATTService(
                BluetoothUUID(0x180F),
                characteristics: [
                    GATTCharacteristic(Self.battery, BluetoothUUID(0x2A19), .read)
                ]),
        ]
    }

    mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        switch event {
        case .started:
            let flags = try? AdvertisingStructure(.flags([.generalDiscoverable]))
            let data = try? AdvertisingData(structures: [flags].compactMap(\.self))
            effects.append(
                .advertise(
                    PeripheralAdvertisement(
                        data ?? AdvertisingData(lenient: []), interval: .milliseconds(20))))
        case .read(Self.product, let offset, let token):
            effects.respond(value, from: offset, to: token)
        case .read(_, let offset, let token): effects.respond([50], from: offset, to: token)
        default: break
        }
    }
}
