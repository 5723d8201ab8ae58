import HaloCapture
import HaloProtocol
import HaloTransport

struct Offer: Hashable, Sendable {
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

    init?(_ event: CaptureEvent) {
        guard case .offers(let service, let characteristic, let properties) = event else {
            return nil
        }
        self.init(service: service, characteristic: characteristic, properties: properties)
    }
}
