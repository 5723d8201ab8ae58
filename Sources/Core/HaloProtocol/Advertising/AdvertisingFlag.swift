/// The advertised flags of a device; bits 5 to 7 are reserved and kept.
public typealias AdvertisingFlags = FieldFlags<AdvertisingFlag>

/// A flag of a device: its discoverability, or one of its kinds of Bluetooth.
public enum AdvertisingFlag: UInt8, FieldCode {
    case limitedDiscoverable = 0
    /// Discoverable without a time limit.
    case generalDiscoverable = 1
    /// Bluetooth Low Energy only.
    case classicNotSupported = 2
    /// A controller for both kinds of Bluetooth at the same time.
    case simultaneousController = 3
    /// A host for both kinds of Bluetooth at the same time.
    case simultaneousHost = 4

    public static let labels = FieldLabels<AdvertisingFlag>([
        .classicNotSupported: "no classic Bluetooth",
        .simultaneousController: "both kinds at once in the controller",
        .simultaneousHost: "both kinds at once in the host",
    ])
}
