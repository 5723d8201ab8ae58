/// What a backend can do beyond what all of them can.
public struct TransportFeatures: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Features by their bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The signal strength of a connected device can be read.
    public static let connectedRSSI = TransportFeatures(rawValue: 1)
    /// A scan reports each advertisement, and not only the first of a device.
    public static let duplicateReports = TransportFeatures(rawValue: 2)
    /// Advertisements come as the bytes that were sent.
    public static let rawAdvertisements = TransportFeatures(rawValue: 4)
    /// A device can be paired with on purpose, and not only when an attribute demands it.
    public static let pairing = TransportFeatures(rawValue: 8)
}
