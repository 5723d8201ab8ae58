#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// Which adapter a device is wanted on.
struct HostedAdapterWish: Hashable, Sendable {
    /// The object of the adapter that the transport uses, if that is known.
    var path: DBusObjectPath?
    /// Its address, or the last element of its path; nothing if any will do.
    var name: String?
    /// Whether an adapter that is off is switched on.
    var powersOn = false
}

/// An adapter with what matters for hosting, as the daemon told.
struct HostedAdapter: Hashable, Sendable {
    let path: DBusObjectPath
    let address: String?
    /// What it is called, and what by itself.
    let alias: String?
    let name: String?
    let isPowered: Bool
    let hasGattManager: Bool
    let hasAdvertisingManager: Bool
    let roles: [String]

    /// An adapter among the daemon's objects, if it is one.
    init?(_ entry: DBusEntry) {
        guard let path = entry.key.objectPath,
            let adapter = entry.value[Adapter1.interfaceName]
        else { return nil }
        self.path = path
        address = adapter[Adapter1.address]?.string?.uppercased()
        alias = adapter[Adapter1.alias]?.string
        name = adapter[Adapter1.name]?.string
        isPowered = adapter[Adapter1.powered]?.boolean ?? false
        hasGattManager = entry.value[GattManager1.interfaceName] != nil
        hasAdvertisingManager = entry.value[LEAdvertisingManager1.interfaceName] != nil
        roles = (adapter[Adapter1.roles]?.elements ?? []).compactMap(\.string)
    }

    /// What it is to be called again; with nothing it has no other name than its own.
    var ownAlias: String? { alias == name ? "" : alias }

    /// What matters for the choice among several.
    var candidate: AdapterCandidate {
        AdapterCandidate(path: path, address: address, isOn: isPowered)
    }

    /// Why no device can be on it; nothing if one can.
    var refusal: BLEError? {
        if !hasGattManager || !hasAdvertisingManager {
            let missing =
                hasGattManager ? LEAdvertisingManager1.interfaceName : GattManager1.interfaceName
            let known = roles.isEmpty ? "" : ", whose roles are \(roles.joined(separator: ", "))"
            return BLEError(
                .notSupportedHere, .host, details: "\(path)\(known), has no \(missing)")
        }
        return nil
    }
}
#endif
