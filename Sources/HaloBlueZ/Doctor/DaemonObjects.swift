#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus

/// What the daemon told about itself and its adapters.
struct DaemonObjects: Hashable, Sendable {
    /// One adapter. What it did not tell, or told in another type than it should, is nothing.
    struct Adapter: Hashable, Sendable {
        let path: DBusObjectPath
        var address: String?
        var isPowered: Bool?
        var powerState: String?
        var isDiscovering: Bool?
        var roles: [String]?
        var modalias: String?
        var experiments: [String] = []
        var hasGattManager = false
        var hasAdvertisingManager = false
        var advertisementCount: Int?
        /// How many more advertisements there can be.
        var freeAdvertisements: Int?

        /// What it is called on the bus: `hci0`.
        var name: String { path.text.split(separator: "/").last.map(String.init) ?? "/" }
    }

    /// The version of the daemon.
    struct Version: Hashable, Comparable, CustomStringConvertible, Sendable {
        let major: UInt8
        let minor: UInt8

        static func < (one: Version, other: Version) -> Bool {
            (one.major, one.minor) < (other.major, other.minor)
        }

        var description: String { "\(major).\(minor)" }

        /// From this one on a characteristic tells its MTU.
        static let tellsMTU = Version(major: 5, minor: 62)
        /// From this one on EATT is off unless it is asked for (bluez ab3ff0d2).
        static let disablesEATT = Version(major: 5, minor: 67)
    }

    /// As many adapters as are looked at; a daemon can claim any number.
    private static let adapterLimit = 64

    /// The adapters, `hci2` before `hci10`.
    var adapters: [Adapter] = []
    /// Whether it has what BlueZ always has, where it always is.
    var hasAgentManager = false

    /// The version, read from what an adapter says that it is: unless `DeviceID` is set, that is
    /// the Linux Foundation's number for BlueZ with the version behind it, `d0542` for 5.66.
    var version: Version? {
        for case let modalias? in adapters.map(\.modalias) {
            let words = modalias.split(separator: "d", maxSplits: 1)
            guard words.count == 2, words[0].uppercased() == "USB:V1D6BP0246",
                words[1].utf8.count == 4,
                words[1].allSatisfy(\.isHexDigit), let number = UInt16(words[1], radix: 16)
            else { continue }
            return Version(
                major: UInt8(truncatingIfNeeded: number >> 8),
                minor: UInt8(truncatingIfNeeded: number))
        }
        return nil
    }

    /// The adapter that a program gets that begins now.
    func chosenAdapter(_ wanted: String?) -> Adapter? {
        let candidates = adapters.map { adapter in
            AdapterCandidate(
                path: adapter.path, address: adapter.address?.uppercased(),
                isOn: adapter.isPowered == true)
        }
        let chosen = AdapterCandidate.choice(of: candidates, named: wanted)
        return adapters.first { $0.path == chosen }
    }

    /// Reads what the daemon answered when it was asked for its objects; nothing if that was no
    /// such answer.
    init?(_ answer: DBusValue?) {
        guard let entries = answer?.entries else { return nil }
        for entry in entries {
            guard let path = entry.key.objectPath else { return nil }
            if entry.value[AgentManager1.interfaceName] != nil { hasAgentManager = true }
            if let values = entry.value[Adapter1.interfaceName],
                adapters.count < Self.adapterLimit
            {
                adapters.append(Adapter(path, values, entry.value))
            }
        }
        adapters.sort { $0.path.comesBefore($1.path) }
    }

    init() {}
}

extension DaemonObjects.Adapter {
    init(_ path: DBusObjectPath, _ values: DBusValue, _ interfaces: DBusValue) {
        self.path = path
        address = values[Adapter1.address]?.string
        isPowered = values[Adapter1.powered]?.boolean
        powerState = values[Adapter1.powerState]?.string
        isDiscovering = values[Adapter1.discovering]?.boolean
        roles = values[Adapter1.roles]?.elements?.compactMap(\.string)
        modalias = values[Adapter1.modalias]?.string
        experiments =
            values[Adapter1.experimentalFeatures]?.elements?.compactMap(\.string) ?? []
        hasGattManager = interfaces[GattManager1.interfaceName] != nil
        guard let advertising = interfaces[LEAdvertisingManager1.interfaceName] else { return }
        hasAdvertisingManager = true
        advertisementCount =
            advertising[LEAdvertisingManager1.activeInstances]?.integer.map { Int(clamping: $0) }
        freeAdvertisements =
            advertising[LEAdvertisingManager1.supportedInstances]?.integer.map {
                Int(clamping: $0)
            }
    }

    init(path: DBusObjectPath) {
        self.path = path
    }
}
#endif
