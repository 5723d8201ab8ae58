public import HaloProtocol

/// A characteristic of a service.
public struct GATTCharacteristic: Hashable, Sendable {
    /// Which of the device's attributes its value is.
    public let id: AttributeID
    /// Which characteristic.
    public let uuid: BluetoothUUID
    /// What can be done with it.
    public let properties: GATTProperties
    /// What the device demands before; an app cannot see it and finds it open.
    public let permissions: GATTPermissions
    /// Its descriptors, without the one that switches notifications: backends have that to
    /// themselves.
    public let descriptors: [GATTDescriptor]

    /// A characteristic.
    public init(
        _ id: AttributeID, _ uuid: BluetoothUUID, _ properties: GATTProperties,
        permissions: GATTPermissions = [], descriptors: [GATTDescriptor] = []
    ) {
        self.id = id
        self.uuid = uuid
        self.properties = properties
        self.permissions = permissions
        self.descriptors = descriptors
    }
}
