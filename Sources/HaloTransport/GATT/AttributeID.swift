/// Which characteristic or descriptor of a device is meant.
///
/// The number means nothing by itself: a backend gives it out when services are discovered, a
/// ``GATTDatabase`` when a device is described. After ``LinkEvent/servicesChanged`` it is stale.
public struct AttributeID: Hashable, Sendable {
    /// The number.
    public let rawValue: UInt32

    /// An attribute by its number.
    public init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }
}
