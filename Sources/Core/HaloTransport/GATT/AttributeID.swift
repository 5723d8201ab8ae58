/// The number of an attribute on a device: the value of a characteristic, or a descriptor.
///
/// It is not the ATT handle. A backend assigns it when services are discovered, a ``GATTDatabase``
/// when a device is described. After ``LinkEvent/servicesChanged`` it is stale.
public struct AttributeID: RawRepresentable, Hashable, Sendable, Codable {
    /// The number, unique on the device.
    public let rawValue: UInt32

    /// Creates an attribute from its number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Creates an attribute from its number.
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}
