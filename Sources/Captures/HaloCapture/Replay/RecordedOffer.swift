package import HaloProtocol
package import HaloTransport

/// A characteristic that a capture offers.
package struct RecordedOffer: Hashable, Sendable {
    /// The UUID of the service.
    package let service: BluetoothUUID
    /// The UUID of the characteristic.
    package let characteristic: BluetoothUUID
    /// The properties of the characteristic.
    package var properties: GATTProperties

    /// Creates an offer of a characteristic in a service.
    package init(
        service: BluetoothUUID, characteristic: BluetoothUUID, properties: GATTProperties
    ) {
        self.service = service
        self.characteristic = characteristic
        self.properties = properties
    }
}
