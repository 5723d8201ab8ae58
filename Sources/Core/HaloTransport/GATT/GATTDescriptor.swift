public import HaloProtocol

/// A descriptor of a characteristic.
public struct GATTDescriptor: Hashable, Sendable, Codable, Identifiable {
    /// The attribute that holds the value.
    public let id: AttributeID
    /// The UUID that names the kind of descriptor.
    public let uuid: BluetoothUUID

    /// Creates a descriptor of a kind.
    public init(_ id: AttributeID, _ uuid: BluetoothUUID) {
        self.id = id
        self.uuid = uuid
    }
}
