/// The advertised flags of a device: its discoverability and its kinds of Bluetooth.
public struct AdvertisingFlags: FieldFlags {
    /// The byte on the wire; bits 5 to 7 are reserved and kept.
    public let rawValue: UInt8

    /// Creates flags from their byte.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Discoverable for a limited time.
    public static let limitedDiscoverable = AdvertisingFlags(rawValue: 1)
    /// Discoverable without a time limit.
    public static let generalDiscoverable = AdvertisingFlags(rawValue: 2)
    /// Bluetooth Low Energy only.
    public static let classicNotSupported = AdvertisingFlags(rawValue: 4)
    /// A controller for both kinds of Bluetooth at the same time.
    public static let simultaneousController = AdvertisingFlags(rawValue: 8)
    /// A host for both kinds of Bluetooth at the same time.
    public static let simultaneousHost = AdvertisingFlags(rawValue: 16)

    public static func label(ofBit bit: UInt8) -> FieldName? {
        switch bit {
        case 0: "limited discoverable"
        case 1: "general discoverable"
        case 2: "no classic Bluetooth"
        case 3: "both kinds at once in the controller"
        case 4: "both kinds at once in the host"
        default: nil
        }
    }
}
