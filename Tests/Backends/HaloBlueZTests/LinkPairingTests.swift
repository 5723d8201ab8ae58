import BlueZVocabulary
import FakeBlueZ
import HaloDBus
import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// A device that requires pairing.
@Suite(.takesTurns) struct LinkPairingTests {
    /// A device with one value, which can be read only over an encrypted link.
    struct Locker: GATTPeripheral {
        static let service = BluetoothUUID(0xFFE0)
        static let secret = BluetoothUUID(0xFFE1)
        private let database: GATTDatabase

        init() {
            var database = GATTDatabase()
            _ = database.add(Self.service) { service in
                service.add(Self.secret, .read, permissions: .readEncrypted, value: [42])
            }
            self.database = database
        }

        var services: [GATTService] { database.services }

        private static var advertisement: PeripheralAdvertisement {
            let flags = AdvertisingStructure.Content.flags([.generalDiscoverable])
            let structures = [flags].compactMap { try? AdvertisingStructure($0) }
            return PeripheralAdvertisement(
                (try? AdvertisingData(structures: structures)) ?? AdvertisingData(lenient: []),
                interval: .milliseconds(100))
        }

        mutating func handle(
            _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
        ) {
            switch event {
            case .started:
                effects.append(.advertise(Self.advertisement))
            case .read(let attribute, _, let token):
                effects.respond(database.value(of: attribute) ?? [], to: token)
            default:
                break
            }
        }
    }

    private func read(
        _ options: BlueZOptions, quirks: FakeQuirks = FakeQuirks()
    ) async throws -> [UInt8] {
        let address = "C0:DE:00:00:00:42"
        let fake = try await FakeBlueZ(quirks: quirks)
        fake.add(Locker(), address: address)
        var options = options
        options.bus = try fake.listen()
        let transport = try await BlueZTransport(options)
        let link = try await transport.connect(
            to: PeripheralIdentity(address), timeout: .seconds(60))
        let secret = try await link.characteristic(Locker.secret, of: Locker.service)
        let value = try await link.read(secret)
        // Once more: the keys are there.
        #expect(try await link.read(secret) == value)
        await link.disconnect()
        return value
    }

    @Test func pairsIfTheOptionsAllowIt() async throws {
        #expect(try await read(BlueZOptions(pairing: BlueZPairing())) == [42])
    }

    @Test func goesOnUnderAnotherAddress() async throws {
        // bleak#1737.
        var quirks = FakeQuirks()
        quirks.addressAfterPairing = "C0:DE:00:00:00:43"
        #expect(try await read(BlueZOptions(pairing: BlueZPairing()), quirks: quirks) == [42])
    }

    /// Explicit pairing, before any operation needs it.
    @Test func pairsOnTheAppsRequest() async throws {
        let address = "C0:DE:00:00:00:42"
        let fake = try await FakeBlueZ()
        fake.add(Locker(), address: address)
        let transport = try await BlueZTransport(BlueZOptions(bus: try fake.listen()))
        #expect(transport.features == [.pairing, .connectedDevices])
        let link = try await transport.connect(
            to: PeripheralIdentity(address), timeout: .seconds(60))
        try await link.pair()
        try await link.pair()
        let secret = try await link.characteristic(Locker.secret, of: Locker.service)
        #expect(try await link.read(secret) == [42])
        await link.disconnect()
    }

    /// A daemon that is discovering services pairs, and never replies to `Pair`.
    @Test func pairsBeforeItsServicesAreKnown() async throws {
        let address = "C0:DE:00:00:00:42"
        let fake = try await FakeBlueZ(timing: FakeTiming(resolving: .seconds(3600)))
        fake.add(Locker(), address: address)
        let transport = try await BlueZTransport(BlueZOptions(bus: try fake.listen()))
        let link = try await transport.connect(
            to: PeripheralIdentity(address), timeout: .seconds(60))
        try await link.pair()
        try await link.pair()
        await link.disconnect()
    }

    @Test func isAskedOnceMoreWhereTheDaemonRefusesWhatPairs() async throws {
        var quirks = FakeQuirks()
        quirks.refusesWhatPairs = true
        #expect(try await read(BlueZOptions(pairing: BlueZPairing()), quirks: quirks) == [42])
    }

    /// A ring that reports to want a bond gets one; another one does not.
    @Test(arguments: [(RingProfile.r12, true), (.r02, false)])
    func aRingIsPairedWithIfThatIsUseful(_ profile: RingProfile, _ isUseful: Bool) async throws {
        let fake = try await FakeBlueZ()
        let address = "C0:DE:00:00:00:43"
        fake.add(VirtualRing(profile), address: address)
        let transport = try await BlueZTransport(BlueZOptions(bus: try fake.listen()))
        let ring = try await Ring.connect(to: PeripheralIdentity(address), over: transport)
        for _ in 0..<2 { #expect(try await ring.pairIfUseful() == isUseful) }
        let bus = try await fake.bus.connect()
        let name = address.replacing(":", with: "_")
        let reply = try await bus.call(
            DBusCall(
                DBusProperties.get, of: DBusProperties.interfaceName,
                at: try DBusObjectPath("/org/bluez/hci0/dev_\(name)"), on: BlueZDaemon.name,
                [.string(Device1.interfaceName), .string(Device1.paired)]))
        #expect(reply.values == [.variant(.boolean(isUseful))])
        await ring.disconnect()
        guard isUseful else { return }
        await #expect(throws: DeviceError.self) { try await ring.pairIfUseful() }
    }

    @Test func doesNotPairOtherwise() async throws {
        await #expect(throws: BLEError.self) { try await read(BlueZOptions()) }
    }
}
