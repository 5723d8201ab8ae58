/// Abilities of a backend beyond those that all backends have.
public struct TransportFeatures: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Creates features from their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The RSSI of a connected device can be read.
    public static let connectedRSSI = TransportFeatures(rawValue: 1)
    /// A scan can report every advertisement of a device, and not only the first one.
    public static let duplicateReports = TransportFeatures(rawValue: 2)
    /// Advertisements are reported as the bytes that were sent.
    public static let rawAdvertisements = TransportFeatures(rawValue: 4)
    /// ``BLELink/pair()`` works. Without this feature, the system pairs when an attribute demands
    /// it.
    public static let pairing = TransportFeatures(rawValue: 8)
    /// ``BLETransport/retrieveConnected(_:_:)`` finds devices: other programs share the adapter.
    public static let connectedDevices = TransportFeatures(rawValue: 16)
}
