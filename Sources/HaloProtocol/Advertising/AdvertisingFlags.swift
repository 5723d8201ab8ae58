/// How a device can be found, as it advertises it.
public struct AdvertisingFlags: OptionSet, Hashable, Sendable {
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
}

extension AdvertisingFlags: CustomStringConvertible {
    /// The flags in words.
    public var description: String {
        let names: [(AdvertisingFlags, String)] = [
            (.limitedDiscoverable, "limited discoverable"),
            (.generalDiscoverable, "general discoverable"),
            (.classicNotSupported, "no classic Bluetooth"),
            (.simultaneousController, "both kinds in the controller"),
            (.simultaneousHost, "both kinds in the host"),
        ]
        let set = names.filter { contains($0.0) }.map { $0.1 }
        return set.isEmpty ? "none" : set.joined(separator: ", ")
    }
}
