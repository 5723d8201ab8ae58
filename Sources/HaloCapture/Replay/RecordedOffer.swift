package import HaloProtocol
package import HaloTransport

/// A characteristic that a device was seen to have.
package struct RecordedOffer: Hashable, Sendable {
    /// The service that it belongs to.
    package let service: BluetoothUUID
    /// The characteristic.
    package let characteristic: BluetoothUUID
    /// What can be done with it.
    package var properties: GATTProperties

    /// A characteristic of a service.
    package init(
        service: BluetoothUUID, characteristic: BluetoothUUID, properties: GATTProperties
    ) {
        self.service = service
        self.characteristic = characteristic
        self.properties = properties
    }
}
