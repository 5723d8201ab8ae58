#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// An adapter, as the daemon knows it.
struct FakeAdapter {
    let number: Int
    let path: DBusObjectPath
    let address: String
    var alias: String?
    var isPowered = true
    var isBlocked = false
    /// It was on when it was blocked, and is so again afterwards.
    var wasPowered = false
    /// Whether others see it, for how many seconds at most, and which time that is. Zero seconds
    /// are for ever.
    var isDiscoverable = false
    var discoverableTimeout: UInt32 = 180
    var discoverableNumber: UInt64 = 0
    /// What clients said before or while they search.
    var filters: [String: FakeFilter] = [:]
    /// Who searches.
    var searchers: Set<String> = []
    /// When it hears a device next in a search, told from other times by a number.
    var hearing: [Int: UInt64] = [:]

    init(_ number: Int) {
        self.number = number
        path = .fake("\(BlueZDaemon.root)/hci\(number)")
        // As the emulator of BlueZ numbers its controllers.
        let digits = FakeAddress.hexadecimal(number)
        address = "00:AA:01:\(digits):00:\(digits)"
    }

    static let name = "BlueZ 5.66"

    var isSearching: Bool { !searchers.isEmpty }

    /// Whether somebody wants to hear of each advertisement.
    var hasDuplicates: Bool {
        searchers.contains { filters[$0]?.hasDuplicates == true }
    }

    /// Whether somebody looks with a filter: then each report is told of.
    var hasFilter: Bool { searchers.contains { filters[$0] != nil } }

    /// `true` while a client searches with a filter of services.
    var looksForServices: Bool {
        searchers.contains { filters[$0]?.services.isEmpty == false }
    }

    /// Whether somebody looks for what was heard.
    func isWanted(_ heard: FakeHeard, address: String) -> Bool {
        searchers.contains { client in
            guard let filter = filters[client] else { return heard.isDiscoverable }
            return filter.matches(heard, address: address)
        }
    }

    /// The object as 5.66 exports it.
    func object(_ quirks: FakeQuirks) -> DBusObject {
        let services = ["1801", "1800", "1200", "110c", "110e", "180a"]
        let values: [String: [String: DBusValue]] = [
            Adapter1.interfaceName: [
                Adapter1.address: .string(address), Adapter1.addressType: .string("public"),
                Adapter1.name: .string(Self.name), Adapter1.alias: .string(alias ?? Self.name),
                Adapter1.deviceClass: .uint32(0), Adapter1.powered: .boolean(isPowered),
                Adapter1.discoverable: .boolean(isDiscoverable),
                Adapter1.discoverableTimeout: .uint32(discoverableTimeout),
                Adapter1.pairable: .boolean(false),
                Adapter1.pairableTimeout: .uint32(0), Adapter1.discovering: .boolean(isSearching),
                Adapter1.uuiDs: .strings(
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
            Media1.interfaceName: [
                Media1.supportedUUIDs: .strings(
                    ["110a", "110b"].map { "0000\($0)-0000-1000-8000-00805f9b34fb" })
            ],
        ]
        let interfaces = [
            Adapter1.interface, LEAdvertisingManager1.interface, GattManager1.interface,
            Media1.interface,
        ]
        return DBusObject(interfaces, values: values).falsified(quirks)
    }
}

/// What the radios of this computer can meet.
struct FakeAirborne {
    let number: Int
    let remote: any FakeRemote
    let address: String
    let isAddressRandom: Bool
    /// The adapter that it is on itself, and which therefore does not meet it.
    let ownAdapter: Int?
    var rssi: Int16
    /// It is heard weaker now than it is, by as much as the daemon takes for a change.
    var isFaded = false
    var advertisement: PeripheralAdvertisement?
    /// Out of reach, for as long as somebody says.
    var isAway = false
    /// Who is connected to it.
    var device: Int?

    init(
        _ number: Int, _ remote: any FakeRemote, _ address: String, isAddressRandom: Bool,
        ownAdapter: Int?, rssi: Int16
    ) {
        self.number = number
        self.remote = remote
        self.address = address
        self.isAddressRandom = isAddressRandom
        self.ownAdapter = ownAdapter
        self.rssi = rssi
    }

    /// What it sends for others to find it, if it does.
    var heard: FakeHeard? {
        guard !isAway, device == nil, let advertisement else { return nil }
        return FakeHeard(
            [advertisement.data] + (advertisement.scanResponse.map { [$0] } ?? []),
            rssi: isFaded ? max(rssi, .min + Self.fade) - Self.fade : rssi)
    }

    private static let fade: Int16 = 9

    /// Whether a central can connect now.
    var isReachable: Bool {
        !isAway && device == nil && advertisement?.isConnectable == true
    }
}

/// Addresses of adapters and devices.
enum FakeAddress {
    static func hexadecimal(_ number: Int) -> String {
        let digits = String(number & 0xFF, radix: 16, uppercase: true)
        return digits.utf8.count < 2 ? "0" + digits : digits
    }

    /// A static random address, as devices without a number of their own have.
    static func random(_ number: Int) -> String {
        let bytes = [0xC0, 0xDE, 0, number >> 16, number >> 8, number]
        return bytes.map { hexadecimal($0) }.joined(separator: ":")
    }
}

extension DBusObjectPath {
    /// A path that is known to be one.
    static func fake(_ text: String) -> DBusObjectPath {
        (try? DBusObjectPath(text)) ?? .root
    }
}

extension DBusObject {
    /// The object with the false values that somebody wants.
    func falsified(_ quirks: FakeQuirks) -> DBusObject {
        guard !quirks.falseValues.isEmpty else { return self }
        var object = self
        object.interfaces = interfaces.map { interface in
            let properties = interface.properties.map { property in
                let key = "\(interface.name).\(property.name)"
                guard let value = quirks.falseValues[key] else { return property }
                object.values[interface.name, default: [:]][property.name] = value
                return DBusInterface.Property(
                    property.name, value.type, property.access, announces: property.announcement)
            }
            return DBusInterface(
                interface.name, methods: interface.methods, properties: properties,
                signals: interface.signals)
        }
        return object
    }
}

/// What a client says about the devices that it looks for.
struct FakeFilter: Hashable, Sendable {
    var services: Set<BluetoothUUID> = []
    var rssi: Int16?
    var pathloss: UInt16?
    var allowsLowEnergy = true
    var hasDuplicates = false
    var pattern: String?

    /// A filter as it came over the bus; nothing if it makes no sense.
    init?(_ options: DBusValue?) {
        for entry in options?.entries ?? [] {
            guard case .string(let key) = entry.key, take(key, entry.value.unwrapped) else {
                return nil
            }
        }
        if rssi != nil, pathloss != nil { return nil }
    }

    private mutating func take(_ key: String, _ value: DBusValue) -> Bool {
        switch (key, value) {
        case (DiscoveryFilter.uuids, .array(.string, let texts)):
            let uuids = texts.compactMap { text in
                text.string.flatMap { try? BluetoothUUID(parsing: $0) }
            }
            services = Set(uuids)
            return uuids.count == texts.count
        case (DiscoveryFilter.rssi, .int16(let level)):
            rssi = level
            return (-127...20).contains(level)
        case (DiscoveryFilter.pathloss, .uint16(let loss)):
            pathloss = loss
            return loss <= 137
        case (DiscoveryFilter.transport, .string(let transport)):
            allowsLowEnergy = transport != DiscoveryFilter.transportClassic
            return [
                DiscoveryFilter.transportAuto, DiscoveryFilter.transportClassic,
                DiscoveryFilter.transportLE,
            ]
            .contains(transport)
        case (DiscoveryFilter.duplicateData, .boolean(let isOn)):
            hasDuplicates = isOn
            return true
        case (DiscoveryFilter.discoverable, .boolean): return true
        case (DiscoveryFilter.pattern, .string(let text)):
            pattern = text
            return true
        default: return false
        }
    }

    /// What a controller says that does not know how strong something was.
    private static let unknown: Int16 = 127

    /// Whether a device is looked for.
    func matches(_ heard: FakeHeard, address: String) -> Bool {
        guard allowsLowEnergy else { return false }
        if let rssi, heard.rssi < rssi || heard.rssi == Self.unknown { return false }
        if !services.isEmpty, services.isDisjoint(with: heard.services) { return false }
        if let pathloss {
            guard let power = heard.txPower else { return false }
            if Int(power) - Int(heard.rssi) > Int(pathloss) { return false }
        }
        guard let pattern else { return true }
        return address.hasPrefix(pattern) || heard.name?.hasPrefix(pattern) == true
    }
}

/// What an adapter hears of a device.
struct FakeHeard: Hashable, Sendable {
    var rssi: Int16
    var flags: AdvertisingFlags?
    var name: String?
    var services: [BluetoothUUID] = []
    var manufacturerData: [UInt16: [UInt8]] = [:]
    var serviceData: [BluetoothUUID: [UInt8]] = [:]
    var txPower: Int16?

    /// What is in the advertisement and in the answer to a scan, taken together as the kernel
    /// does.
    init(_ data: [AdvertisingData], rssi: Int16) {
        self.rssi = rssi
        for part in data {
            flags = flags ?? part.flags
            name = part.name.map { String(decoding: $0.bytes, as: UTF8.self) } ?? name
            for service in part.services where !services.contains(service) {
                services.append(service)
            }
            txPower = part.transmitPowerDecibelMilliwatts.map { Int16($0) } ?? txPower
            for structure in part.structures { take(structure.content) }
        }
        // A NUL cannot travel, and no daemon sends one.
        name?.unicodeScalars.removeAll { $0 == "\0" }
    }

    private mutating func take(_ content: AdvertisingStructure.Content) {
        switch content {
        case .manufacturerData(let company, let data): manufacturerData[company] = data
        case .shortServiceData(let uuid, let data): serviceData[BluetoothUUID(UInt32(uuid))] = data
        case .mediumServiceData(let uuid, let data): serviceData[BluetoothUUID(uuid)] = data
        case .longServiceData(let uuid, let data): serviceData[uuid] = data
        default: break
        }
    }

    /// Whether it says that it can be found; what says nothing is only told of in searches with
    /// a filter (as the daemon's source has it).
    var isDiscoverable: Bool {
        guard let flags else { return false }
        return !flags.isDisjoint(with: [.limitedDiscoverable, .generalDiscoverable])
    }
}
#endif
