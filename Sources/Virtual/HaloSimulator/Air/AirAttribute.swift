internal import HaloProtocol
internal import HaloTransport

/// A characteristic or a descriptor with its properties and permissions.
struct AirAttribute {
    let uuid: BluetoothUUID
    /// The properties, or `nil` for a descriptor.
    let properties: GATTProperties?
    let permissions: GATTPermissions

    init(_ characteristic: GATTCharacteristic) {
        uuid = characteristic.uuid
        properties = characteristic.properties
        permissions = characteristic.permissions
    }

    init(_ descriptor: GATTDescriptor) {
        uuid = descriptor.uuid
        properties = nil
        permissions = []
    }
}
