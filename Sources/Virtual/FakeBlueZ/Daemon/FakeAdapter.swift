#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol

struct FakeAdapter {
    let number: Int
    let path: DBusObjectPath
    let address: String
    var alias = Self.name
    var isPowered = true
    var isBlocked = false
    /// `true` if the adapter was on when it was blocked: unblocking powers it on.
    var wasPowered = false
    var isDiscoverable = false
    var isPairable = false
    /// The timeout in seconds, which only switching off heeds here; zero means none.
    var discoverableTimeout: UInt32 = 180
    /// The clients' discovery filters.
    var filters: [String: FakeFilter] = [:]
    /// The clients with a running discovery.
    var searchers: Set<String> = []
    /// The number of the next reception of each device; a timer with another number is void.
    var hearing: [Int: UInt64] = [:]

    init(_ number: Int) {
        self.number = number
        path = .fake("\(BlueZDaemon.root.text)/hci\(number)")
        // The numbering of BlueZ's emulator.
        let byte = UInt8(truncatingIfNeeded: number)
        address = HexText.bytes([0, 0xAA, 1, byte, 0, byte], separator: ":")
    }

    static let name = "BlueZ 5.66"

    var isSearching: Bool { !searchers.isEmpty }

    var hasDuplicates: Bool {
        searchers.contains { filters[$0]?.hasDuplicates == true }
    }

    /// `true` if a client has a filter: then each reception is announced.
    var hasFilter: Bool { searchers.contains { filters[$0] != nil } }

    var looksForServices: Bool {
        searchers.contains { filters[$0]?.services.isEmpty == false }
    }

    func isWanted(_ heard: FakeHeard, address: String) -> Bool {
        searchers.contains { client in
            guard let filter = filters[client] else { return heard.isDiscoverable }
            return filter.matches(heard, address: address)
        }
    }

    /// Returns the object as 5.66 exports it.
    var object: DBusObject {
        let services = ["1801", "1800", "1200", "110c", "110e", "180a"]
        let values: [String: [String: DBusValue]] = [
            Adapter1.interfaceName: [
                Adapter1.address: .string(address), Adapter1.addressType: .string("public"),
                Adapter1.name: .string(Self.name), Adapter1.alias: .string(alias),
                Adapter1.deviceClass: .uint32(0), Adapter1.powered: .boolean(isPowered),
                Adapter1.discoverable: .boolean(isDiscoverable),
                Adapter1.discoverableTimeout: .uint32(discoverableTimeout),
                Adapter1.pairable: .boolean(isPairable),
                Adapter1.pairableTimeout: .uint32(0), Adapter1.discovering: .boolean(isSearching),
                Adapter1.uuids: .strings(
                    services.map { "0000\($0)-0000-1000-8000-00805f9b34fb" }),
                Adapter1.modalias: .string("usb:v1D6Bp0246d0542"),
                Adapter1.roles: .strings(["central", "peripheral"]),
            ],
            LEAdvertisingManager1.interfaceName: [
                LEAdvertisingManager1.activeInstances: .byte(0),
                LEAdvertisingManager1.supportedInstances: .byte(5),
                LEAdvertisingManager1.supportedIncludes: .strings(
                    ["tx-power", "appearance", "local-name"]),
            ],
            ClassicInterfaces.media.name: [
                ClassicInterfaces.audioUUIDs: .strings(
                    ["110a", "110b"].map { "0000\($0)-0000-1000-8000-00805f9b34fb" })
            ],
        ]
        let interfaces = [
            Adapter1.interface, LEAdvertisingManager1.interface, GattManager1.interface,
            ClassicInterfaces.media,
        ]
        return DBusObject(interfaces, values: values)
    }
}

extension DBusObjectPath {
    /// Creates a path from a text that is known to be valid.
    static func fake(_ text: String) -> DBusObjectPath {
        (try? DBusObjectPath(text)) ?? .root
    }
}

extension DBusObject {
    func falsified(_ quirks: FakeQuirks) -> DBusObject {
        var object = self
        object.interfaces = interfaces.map { interface in
            let properties = interface.properties.map { property in
                let key = "\(interface.name).\(property.name)"
                guard let value = quirks.falseValues[key] else { return property }
                object.values[interface.name, default: [:]][property.name] = value
                return DBusInterface.Property(property.name, value.type, property.access)
            }
            return DBusInterface(
                interface.name, methods: interface.methods, properties: properties,
                signals: interface.signals)
        }
        return object
    }
}
#endif
