package import HaloProtocol
package import HaloTransport

/// A characteristic that a capture offers.
package struct RecordedOffer: Hashable, Sendable {
    package let service: BluetoothUUID
    package let characteristic: BluetoothUUID
    package var properties: GATTProperties

    package init(
        service: BluetoothUUID, characteristic: BluetoothUUID, properties: GATTProperties
    ) {
        self.service = service
        self.characteristic = characteristic
        self.properties = properties
    }
}
