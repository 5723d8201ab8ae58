#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

/// An adapter, as far as it was told of.
struct BlueZAdapter: Hashable, Sendable {
    let path: DBusObjectPath
    /// In upper case.
    var address: String?
    /// What it is called by itself, and what it is called now.
    var name: String?
    var alias: String?
    /// `nil` if the daemon does not say.
    var isPowered: Bool?
    /// Whether a switch of the computer keeps it off, as far as the daemon says so.
    var isBlocked = false
    var isDiscovering = false
    /// `nil` if the daemon does not say: older ones do not.
    var roles: [String]?
    /// The daemon's own version is in it.
    var modalias: String?
    /// The identifiers of experimental features that are switched on.
    var experiments: [String] = []
    var hasGattManager = false
    var hasAdvertisingManager = false
    var advertisementCount: Int?
    /// How many more advertisements there can be.
    var freeAdvertisements: Int?

    private static let maximumRoles = 8
    private static let maximumExperiments = 64

    init(_ path: DBusObjectPath) { self.path = path }

    /// A property, the adapter's own or one of its interface for advertising, has a value, or with
    /// nil none.
    mutating func set(_ name: String, _ value: DBusValue?) {
        switch name {
        case Adapter1.address: address = value?.keptText?.uppercased()
        case Adapter1.name: self.name = value?.keptText
        case Adapter1.alias: alias = value?.keptText
        case Adapter1.powered: isPowered = value?.boolean
        case Adapter1.powerState: isBlocked = value?.string == Adapter1.blockedPowerState
        case Adapter1.discovering: isDiscovering = value?.boolean ?? false
        case Adapter1.roles: roles = Self.words(value, Self.maximumRoles)
        case Adapter1.modalias: modalias = value?.keptText
        case Adapter1.experimentalFeatures:
            experiments = Self.words(value, Self.maximumExperiments) ?? []
        case LEAdvertisingManager1.activeInstances: advertisementCount = Self.count(value)
        case LEAdvertisingManager1.supportedInstances: freeAdvertisements = Self.count(value)
        default: break
        }
    }

    /// Its interface for devices, or that for advertising, is there, or no longer.
    mutating func setManager(_ interface: String, isThere: Bool) {
        switch interface {
        case GattManager1.interfaceName: hasGattManager = isThere
        default:
            hasAdvertisingManager = isThere
            (advertisementCount, freeAdvertisements) = (nil, nil)
        }
    }

    private static func words(_ value: DBusValue?, _ limit: Int) -> [String]? {
        value?.elements?.prefix(limit).compactMap(\.keptText)
    }

    private static func count(_ value: DBusValue?) -> Int? {
        value?.integer.map { Int(clamping: $0) }
    }

    var isOn: Bool { isPowered == true }

    /// What matters for the choice among several.
    var candidate: AdapterCandidate { AdapterCandidate(path: path, address: address, isOn: isOn) }

    /// What it is to be called again after another name: with nothing it has no other than its own.
    var ownAlias: String? { alias == name ? "" : alias }

    /// Why no device can be hosted on it; `nil` if one can.
    var hostingRefusal: BLEError? {
        guard !hasGattManager || !hasAdvertisingManager else { return nil }
        let missing =
            hasGattManager ? LEAdvertisingManager1.interfaceName : GattManager1.interfaceName
        let roles = (roles ?? []).joined(separator: ", ")
        let known = roles.isEmpty ? "" : ", whose roles are \(roles)"
        return BLEError(.notSupportedHere, .host, details: "\(path)\(known), has no \(missing)")
    }
}

/// An adapter with what matters when one of several is chosen: for links, for hosting and by the
/// doctor in the same way.
struct AdapterCandidate: Hashable, Sendable {
    let path: DBusObjectPath
    /// In upper case, if it is known.
    let address: String?
    let isOn: Bool

    /// Whether it goes by a name: its address, its path, or the end of that.
    func isCalled(_ name: String) -> Bool {
        address == name.uppercased() || path.text == name || path.text.hasSuffix("/\(name)")
    }

    /// What is wrong where none can be chosen, and what there is or what helps.
    static func absence(of name: String?, among all: [AdapterCandidate]) -> String {
        guard let name, !all.isEmpty else {
            return "bluetoothd has no Bluetooth adapter; "
                + "'sudo dmesg | grep -iE 'bluetooth|firmware'' may say why"
        }
        let known = all.sorted { $0.path.comesBefore($1.path) }.map(\.words)
        return "there is no Bluetooth adapter called \(name); there "
            + (known.count == 1 ? "is " : "are ") + known.joined(separator: " and ")
    }

    private var words: String { address.map { "\(path.lastElement) (\($0))" } ?? path.lastElement }

    /// The one that is named; or else the current one while it is on or no other is; or else the
    /// first one that is on; or else the first one.
    static func choice(
        of all: [AdapterCandidate], named name: String?, current: DBusObjectPath? = nil
    ) -> DBusObjectPath? {
        let all = all.sorted { $0.path.comesBefore($1.path) }
        if let name { return all.first { $0.isCalled(name) }?.path }
        let current = all.first { $0.path == current }
        if let current, current.isOn { return current.path }
        return (all.first(where: \.isOn) ?? current ?? all.first)?.path
    }
}

extension DBusObjectPath {
    /// What an adapter is called on the bus: `hci0`.
    var lastElement: String { text.split(separator: "/").last.map(String.init) ?? text }

    /// The daemon's order of what it counts: by length first, so that hci10 comes after hci9, and
    /// a later handle after an earlier one. Nothing else is read in a path (pitfall 21:
    /// bleak#1744).
    func comesBefore(_ other: DBusObjectPath) -> Bool {
        (text.utf8.count, text) < (other.text.utf8.count, other.text)
    }
}
#endif
