import HaloProtocol
package import HaloSimulator
import HaloTransport

/// The devices in reach of the phone, the same for both programs.
package func makeAir() throws -> VirtualBluetooth {
    let air = VirtualBluetooth(mode: .realTime(speed: 10))
    air.add(VirtualRing(.r02, days: 0))
    let measurement = try HeartRateMeasurement(beatsPerMinute: 300)
    air.add(VirtualHeartRateSensor(playing: [measurement], repeats: true))
    air.add(VirtualLEDStrip())
    air.add(try Lighthouse())
    return air
}

/// A device that advertises a name and a service, and has no attributes.
private struct Lighthouse: GATTPeripheral {
    let services: [GATTService] = []
    private let advertisement: PeripheralAdvertisement

    init() throws {
        let service = BluetoothUUID(high: 0xC0DE_0001_1C2B_4B43, low: 0x9D2E_7A5B_0E4F_2A10)
        let name = try AdvertisingStructure(.name(AdvertisedName("Halo"), isComplete: true))
        let list = try AdvertisingStructure(.services(.long([service]), isComplete: true))
        advertisement = PeripheralAdvertisement(try AdvertisingData(structures: [name, list]))
    }

    func handle(_ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects) {
        if case .started = event { effects.append(.advertise(advertisement)) }
    }
}
