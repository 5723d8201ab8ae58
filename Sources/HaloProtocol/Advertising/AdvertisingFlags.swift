/// How a device can be found, as it advertises it.
public struct AdvertisingFlags: FieldFlags {
    /// The byte on the wire; bits 5 to 7 are reserved and kept.
    public let rawValue: UInt8

    /// Flags by their byte.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// It can be found for a short time.
    public static let limitedDiscoverable = AdvertisingFlags(rawValue: 1)
    /// It can be found.
    public static let generalDiscoverable = AdvertisingFlags(rawValue: 2)
    /// It speaks Bluetooth Low Energy alone.
    public static let classicNotSupported = AdvertisingFlags(rawValue: 4)
    /// Its controller speaks both kinds of Bluetooth at the same time.
    public static let simultaneousController = AdvertisingFlags(rawValue: 8)
    /// Its host speaks both kinds of Bluetooth at the same time.
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
