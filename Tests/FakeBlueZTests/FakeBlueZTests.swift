#if os(Linux)
import BlueZVocabulary
import FakeBlueZ
import HaloDBus
import HaloTesting
import HaloTransport
import Testing

/// The life of a device on the bus, as a plain D-Bus program sees it.
@Suite("A daemon of one's own", .takesTurns) struct FakeBlueZTests {
    static let adapter = "/org/bluez/hci0"
    static let address = "C0:00:00:00:00:01"
    static let device = "/org/bluez/hci0/dev_C0_00_00_00_00_01"

    @Test func aloneOnItsBus() async throws {
        let (one, other) = (try await FakeBlueZ(), try await FakeBlueZ())
        #expect(one.bus.id != other.bus.id)
    }

    @Test func oneLifeInOrder() async throws {
        let fake = try await FakeBlueZ()
        let hosted = fake.add(ContractPeripheral(), address: Self.address)
        #expect(hosted.identity?.rawValue == Self.address)
        let client = try await FakeClient(fake)
        #expect(
            await client.say(Adapter1.startDiscovery, Adapter1.interfaceName, Self.adapter) == "OK")
        try await client.hears("+dev_C0_00_00_00_00_01 Device1")
        #expect(await client.say(Device1.connect, Device1.interfaceName, Self.device) == "OK")
        try await client.hears("ServicesResolved=true")
        #expect(hosted.isConnected)
        #expect(await client.say(Device1.disconnect, Device1.interfaceName, Self.device) == "OK")
        #expect(!hosted.isConnected)
    }
}
#endif
