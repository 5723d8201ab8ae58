#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// An adapter of the daemon.
struct FakeAdapter {
    let number: Int
    let path: DBusObjectPath
    let address: String
    var alias: String?
    var isPowered = true
    var isBlocked = false
    /// `true` if the adapter was on when it was blocked: unblocking powers it on.
    var wasPowered = false
    /// The discoverability, followed by its timeout in seconds and the number of the running
    /// timeout. Zero seconds mean no timeout.
    var isDiscoverable = false
    var discoverableTimeout: UInt32 = 180
    var discoverableNumber: UInt64 = 0
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
        let digits = FakeAddress.hexadecimal(number)
        address = "00:AA:01:\(digits):00:\(digits)"
    }

    static let name = "BlueZ 5.66"

    var isSearching: Bool { !searchers.isEmpty }

    /// `true` if a client wants duplicates.
    var hasDuplicates: Bool {
        searchers.contains { filters[$0]?.hasDuplicates == true }
    }

    /// `true` if a client has a filter: then each reception is announced.
    var hasFilter: Bool { searchers.contains { filters[$0] != nil } }

    /// `true` while a client searches with a filter of services.
    var looksForServices: Bool {
        searchers.contains { filters[$0]?.services.isEmpty == false }
    }

    /// `true` if an advertisement matches a client's discovery.
    func isWanted(_ heard: FakeHeard, address: String) -> Bool {
        searchers.contains { client in
            guard let filter = filters[client] else { return heard.isDiscoverable }
            return filter.matches(heard, address: address)
        }
    }

    /// Returns the object as 5.66 exports it.
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

/// A device within reach of the radios.
struct FakePeripheral {
    let number: Int
    let remote: any FakeRemote
    let address: String
    let isAddressRandom: Bool
    /// The adapter that hosts the device, and does not receive it; `nil` if no adapter hosts it.
    let ownAdapter: Int?
    var rssi: Int16
    /// `true` while the device is received with a weaker signal, by as much as the daemon counts as
    /// a change.
    var isFaded = false
    var advertisement: PeripheralAdvertisement?
    /// `true` while the device is out of reach, until a test brings it back.
    var isAway = false
    /// The number of the connected device object; `nil` without a link.
    var device: Int?

    /// The advertisement and scan response; `nil` while the device does not advertise.
    var heard: FakeHeard? {
        guard !isAway, device == nil, let advertisement else { return nil }
        return FakeHeard(
            [advertisement.data] + (advertisement.scanResponse.map { [$0] } ?? []),
            rssi: isFaded ? max(rssi, .min + Self.fade) - Self.fade : rssi)
    }

    private static let fade: Int16 = 9

    /// `true` if a central can connect to the device now.
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

    /// Returns a static random address.
    static func random(_ number: Int) -> String {
        let bytes = [0xC0, 0xDE, 0, number >> 16, number >> 8, number]
        return bytes.map { hexadecimal($0) }.joined(separator: ":")
    }
}

extension DBusObjectPath {
    /// Creates a path from a text that is known to be valid.
    static func fake(_ text: String) -> DBusObjectPath {
        (try? DBusObjectPath(text)) ?? .root
    }
}

extension DBusObject {
    /// Returns the object with the false values of the quirks.
    func falsified(_ quirks: FakeQuirks) -> DBusObject {
        guard !quirks.falseValues.isEmpty else { return self }
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

/// A client's discovery filter.
struct FakeFilter: Hashable, Sendable {
    var services: Set<BluetoothUUID> = []
    var rssi: Int16?
    var pathloss: UInt16?
    var allowsLowEnergy = true
    var hasDuplicates = false
    var pattern: String?

    /// Decodes a filter from the bus; `nil` for an invalid one.
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

    /// The RSSI that a controller reports if it cannot measure one.
    private static let unknown: Int16 = 127

    /// `true` if a device passes the filter.
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

/// The contents of a received advertisement.
struct FakeHeard: Hashable, Sendable {
    var rssi: Int16
    var flags: AdvertisingFlags?
    var name: String?
    var services: [BluetoothUUID] = []
    var manufacturerData: [UInt16: [UInt8]] = [:]
    var serviceData: [BluetoothUUID: [UInt8]] = [:]
    var txPower: Int16?

    /// Merges the advertisement and the scan response in the way of the kernel.
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
        // D-Bus strings cannot contain NUL.
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

    /// `true` if the flags contain a discoverable mode; other devices are only announced in a
    /// discovery with a filter (the daemon's source).
    var isDiscoverable: Bool {
        guard let flags else { return false }
        return !flags.isDisjoint(with: [.limitedDiscoverable, .generalDiscoverable])
    }
}
#endif
