import BlueZVocabulary
import FakeBlueZ
import Foundation
import HaloDBus
import HaloTesting
import HaloTransport
import TestSupport
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

    /// The address is the text that other programs need in their environment.
    @Test func itsAddressIsText() async throws {
        let fake = try await FakeBlueZ()
        let file = NSTemporaryDirectory() + "halo-fake-\(fake.bus.id)"
        for address in [try fake.listen(), try fake.listen(at: file, forEveryone: true)] {
            let other = try await DBusConnection.connect(to: try DBusAddress.list(address))
            #expect(try await other.owner(of: BlueZDaemon.name) != nil)
        }
        #expect(FileManager.default.fileExists(atPath: file))
        let error = #expect(throws: BLEError.self) {
            try fake.listen(at: "/nonexistent/folder/bus")
        }
        #expect(error?.kind == .backend && error?.details?.isEmpty == false)
    }

    /// A second daemon is refused at once, and does not wait for the end of the first.
    @Test func theOnlyOneOnItsBus() async throws {
        let first = try await FakeBlueZ()
        let start = ContinuousClock.now
        let error = await #expect(throws: BLEError.self) { _ = try await FakeBlueZ(on: first.bus) }
        #expect(error?.kind == .backend)
        #expect(error?.details?.contains("somebody else is org.bluez") == true)
        #expect(start.duration(to: .now) < .seconds(9))
        let client = try await FakeClient(first)
        #expect(
            await client.say(Adapter1.startDiscovery, Adapter1.interfaceName, Self.adapter) == "OK")
    }

    @Test func withoutABusItCannotStart() async throws {
        let bus = try PrivateBus()
        let fake = try await FakeBlueZ(on: bus)
        bus.close()
        let starting = await #expect(throws: BLEError.self) { _ = try await FakeBlueZ(on: bus) }
        let restarting = await #expect(throws: BLEError.self) { try await fake.restart() }
        for error in [starting, restarting] {
            #expect(error?.kind == .backend && error?.details?.isEmpty == false)
        }
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
