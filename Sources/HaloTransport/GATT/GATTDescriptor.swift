public import HaloProtocol

/// A descriptor of a characteristic.
public struct GATTDescriptor: Hashable, Sendable {
    /// Which of the device's attributes it is.
    public let id: AttributeID
    /// Which descriptor.
    public let uuid: BluetoothUUID

    /// A descriptor.
    public init(_ id: AttributeID, _ uuid: BluetoothUUID) {
        self.id = id
        self.uuid = uuid
    }
}
