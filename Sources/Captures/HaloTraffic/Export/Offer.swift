import HaloCapture
import HaloProtocol
import HaloTransport

/// A characteristic of a service, as offered by a device.
struct Offer: Hashable, Sendable {
    /// The service, or `nil` if it is unknown.
    let service: BluetoothUUID?
    let characteristic: BluetoothUUID
    var properties: GATTProperties
}

extension Offer {
    /// Creates the offer of a used characteristic, in its usual service if it has one.
    init(using uuid: BluetoothUUID, _ properties: GATTProperties) {
        service = ServiceCatalog.service(ofCharacteristic: uuid)
        characteristic = uuid
        self.properties = properties
    }

    /// Returns the offer in an event of a capture, or `nil` for another event.
    init?(_ event: CaptureEvent) {
        guard case .offers(let service, let characteristic, let properties) = event else {
            return nil
        }
        self.init(service: service, characteristic: characteristic, properties: properties)
    }
}
