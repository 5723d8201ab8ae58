#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

struct BlueZAdapter: Hashable, Sendable {
    let path: DBusObjectPath
    /// The address, in upper case.
    var address: String?
    /// The daemon's `Name`, the name of the computer; ``alias`` is the present one.
    var name: String?
    var alias: String?
    /// The daemon's `Powered`; `nil` if the adapter has no such property.
    var isPowered: Bool?
    var isBlocked = false
    var isDiscovering = false
    /// The roles; `nil` with older daemons.
    var roles: [String]?
    var modalias: String?
    var experiments: [String] = []
    var hasGattManager = false
    var hasAdvertisingManager = false
    var advertisementCount: Int?
    /// The number of further advertisements that are possible.
    var freeAdvertisements: Int?

    private static let maximumRoles = 8
    private static let maximumExperiments = 64

    init(_ path: DBusObjectPath) { self.path = path }

    /// Sets a property of the adapter or of its advertising manager; `nil` removes it.
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

    /// The alias to restore after a change; empty if the adapter has only its name.
    var ownAlias: String? { alias == name ? "" : alias }

    /// The error for hosting a device, or `nil` if that is possible.
    var hostingRefusal: BLEError? {
        guard !hasGattManager || !hasAdvertisingManager else { return nil }
        let missing =
            hasGattManager ? LEAdvertisingManager1.interfaceName : GattManager1.interfaceName
        let roles = (roles ?? []).joined(separator: ", ")
        let known = roles.isEmpty ? "" : ", whose roles are \(roles)"
        return BLEError(.notSupported, .host, details: "\(path)\(known), has no \(missing)")
    }

    // MARK: The choice among several adapters: the same for links, for hosting and for the doctor

    /// `true` if the name is the adapter's address, its path, or the end of the path.
    func isCalled(_ name: String) -> Bool {
        address == name.uppercased() || path.text == name || path.text.hasSuffix("/\(name)")
    }

    /// Returns the text when no adapter can be chosen: the cause, and what exists or helps.
    static func absence(of name: String?, among all: some Collection<BlueZAdapter>) -> String {
        guard let name, !all.isEmpty else {
            return "bluetoothd has no Bluetooth adapter; "
                + "'sudo dmesg | grep -iE 'bluetooth|firmware'' may say why"
        }
        let known = all.sorted { $0.path.comesBefore($1.path) }.map(\.words)
        return "there is no Bluetooth adapter called \(name); there "
            + (known.count == 1 ? "is " : "are ") + known.joined(separator: " and ")
    }

    private var words: String { address.map { "\(path.lastElement) (\($0))" } ?? path.lastElement }

    /// Returns the chosen adapter: the named one; or else the current one while it is on or no
    /// other is; or else the first one that is on; or else the first one.
    static func choice(
        of all: some Collection<BlueZAdapter>, named name: String?, current: DBusObjectPath? = nil
    ) -> BlueZAdapter? {
        let all = all.sorted { $0.path.comesBefore($1.path) }
        if let name { return all.first { $0.isCalled(name) } }
        let current = all.first { $0.path == current }
        if let current, current.isOn { return current }
        return all.first(where: \.isOn) ?? current ?? all.first
    }
}

extension DBusObjectPath {
    /// The last element of the path, such as `hci0`.
    var lastElement: String { text.split(separator: "/").last.map(String.init) ?? text }

    /// Compares the daemon's numbered paths: by length first, so that hci10 comes after hci9, and a
    /// later handle after an earlier one. Nothing else is parsed in a path (pitfall 21:
    /// bleak#1744).
    func comesBefore(_ other: DBusObjectPath) -> Bool {
        (text.utf8.count, text) < (other.text.utf8.count, other.text)
    }
}
#endif
