import HaloCoreBluetooth
import HaloProtocol
import HaloTransport

/// A beacon: it advertises a name and the UUID of a service.
struct Beacon: GATTPeripheral {
    static let service = BluetoothUUID(high: 0xC0DE_0001_1C2B_4B43, low: 0x9D2E_7A5B_0E4F_2A10)
    let services: [GATTService] = []
    private let advertisement: PeripheralAdvertisement

    init() throws {
        let name = try AdvertisingStructure(.name(AdvertisedName("Halo"), isComplete: true))
        let service = try AdvertisingStructure(.services(.long([Self.service]), isComplete: true))
        advertisement = PeripheralAdvertisement(try AdvertisingData(structures: [name, service]))
    }

    func handle(_ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects) {
        if case .started = event { effects.append(.advertise(advertisement)) }
    }
}

/// Starts the beacon.
func startBeacon() async throws -> Hosted<Beacon> {
    let beacon = try await CoreBluetoothTransport().host(Beacon())
    print("advertising")
    return beacon
}

/// An app that finds the beacon.
func findBeacon() async throws {
    let found = try await CoreBluetoothTransport().find(ScanFilter(services: [Beacon.service]))
    print("found \(found.name ?? "no name")")
}
