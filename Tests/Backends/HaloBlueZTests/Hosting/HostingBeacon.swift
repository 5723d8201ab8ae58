import HaloProtocol
import HaloTransport

/// A device that only advertises.
struct HostingBeacon: GATTPeripheral {
    let services: [GATTService] = []

    mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        guard case .started = event else { return }
        let data = AdvertisingData.connectable(name: "Beacon", services: [])
        effects.append(.advertise(PeripheralAdvertisement(data, isConnectable: false)))
    }
}
