/// The link security that a device demands for the use of an attribute.
public struct GATTPermissions: OptionSet, Hashable, Sendable, Codable {
    /// The bits, which are never transmitted.
    public let rawValue: UInt8

    /// Creates permissions from their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Reading requires an encrypted link.
    public static let readEncrypted = GATTPermissions(rawValue: 1)
    /// Writing requires an encrypted link.
    public static let writeEncrypted = GATTPermissions(rawValue: 2)
    /// Subscribing requires an encrypted link.
    public static let subscribeEncrypted = GATTPermissions(rawValue: 4)
}
