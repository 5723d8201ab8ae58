#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus

/// An adapter, as far as it was told of.
struct BlueZAdapter: Hashable, Sendable {
    var address: String?
    var name: String?
    var isPowered = false
    /// Whether a switch of the computer keeps it off, as far as the daemon says so.
    var isBlocked = false
    var isDiscovering = false
    var roles: [String] = []
    /// Whether programs can be devices with it.
    var hasGattManager = false
    /// Whether they can advertise.
    var hasAdvertisingManager = false

    private static let maximumRoles = 8

    /// A property has a value, or with nil none.
    mutating func set(_ name: String, _ value: DBusValue?) {
        switch name {
        case Adapter1.address: address = value?.keptText?.uppercased()
        case Adapter1.name: self.name = value?.keptText
        case Adapter1.powered: isPowered = value?.boolean ?? false
        case Adapter1.powerState: isBlocked = value?.string == Adapter1.blockedPowerState
        case Adapter1.discovering: isDiscovering = value?.boolean ?? false
        case Adapter1.roles:
            roles = value?.elements?.prefix(Self.maximumRoles).compactMap(\.keptText) ?? []
        default: break
        }
    }
}
#endif
