/// What a device demands of a link before an attribute can be used.
public struct GATTPermissions: OptionSet, Hashable, Sendable {
    /// The bits; they are not on any wire.
    public let rawValue: UInt8

    /// Permissions by their bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Reading takes an encrypted link.
    public static let readEncrypted = GATTPermissions(rawValue: 1)
    /// Writing takes an encrypted link.
    public static let writeEncrypted = GATTPermissions(rawValue: 2)
    /// Subscribing takes an encrypted link.
    public static let subscribeEncrypted = GATTPermissions(rawValue: 4)
}
