public import HaloProtocol

/// A characteristic of a service.
public struct GATTCharacteristic: Hashable, Sendable, Codable, Identifiable {
    /// The attribute that holds the value.
    public let id: AttributeID
    /// The UUID that names the kind of characteristic.
    public let uuid: BluetoothUUID
    /// The operations that the characteristic allows.
    public let properties: GATTProperties
    /// The security that a hosted device demands; empty for discovered characteristics.
    public let permissions: GATTPermissions
    /// The descriptors, without the Client Characteristic Configuration: only the backend uses
    /// that.
    public let descriptors: [GATTDescriptor]

    /// Creates a characteristic with its descriptors.
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
