#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

struct BlueZDevice: Hashable, Sendable {
    struct Updates: OptionSet, Sendable {
        let rawValue: UInt8

        /// An advertisement was received: nothing else sets these properties.
        static let heard = Updates(rawValue: 1)
        /// `Connected` was set; if it is as before, there was another link in between.
        static let connection = Updates(rawValue: 2)
        static let resolved = Updates(rawValue: 4)
        /// The name or the services were set.
        static let description = Updates(rawValue: 8)
        static let other = Updates(rawValue: 16)
    }

    static let maximumUUIDs = 128
    static let maximumCompanies = 8
    /// The maximum length of one company's data, in bytes: more than an advertisement can hold.
    static let maximumDataLength = 2048
    private static let unknownRSSI: Int64 = 127

    var adapter: DBusObjectPath?
    var address: String?
    var name: String?
    var uuids: [BluetoothUUID] = []
    var manufacturerData: [ManufacturerData] = []
    /// The RSSI in dBm; `nil` if it is unknown.
    var rssi: Int?
    /// `true` if the device was received in this discovery, whose end removes the RSSI.
    var isInReach = false
    private var isConnectedSomehow = false
    /// `Connected` over low energy and over Bluetooth Classic, as far as the daemon has both
    /// (pitfall 27): from 5.84 on, and only if it was started with `--experimental`. Other daemons
    /// have the interfaces without properties (5.87).
    private var (lowEnergy, classic): (Bool?, Bool?)
    var isPaired = false
    var isResolved = false

    /// Sets a property, or removes it with `nil`; returns the kinds of the update.
    mutating func set(_ name: String, _ value: DBusValue?) -> Updates {
        switch name {
        case Device1.rssi:
            let strength = value?.integer.flatMap { Int16(exactly: $0) }
            isInReach = strength != nil
            rssi = strength.flatMap { $0 == Self.unknownRSSI ? nil : Int($0) }
            return isInReach ? .heard : .other
        case Device1.manufacturerData:
            manufacturerData = Self.manufacturerData(value)
            return value == nil ? .other : .heard
        case Device1.serviceData: return value == nil ? .other : .heard
        case Device1.connected:
            isConnectedSomehow = value?.boolean ?? false
            return hasBothBearers ? .other : .connection
        case Device1.servicesResolved:
            isResolved = value?.boolean ?? false
            return .resolved
        case Device1.name:
            self.name = value?.keptText
            return .description
        case Device1.uuids:
            uuids = value?.elements?.prefix(Self.maximumUUIDs).compactMap(\.keptUUID) ?? []
            return .description
        case Device1.address: address = value?.keptText?.uppercased()
        case Device1.adapter: adapter = value?.keptPath
        case Device1.paired: isPaired = value?.boolean ?? false
        default: break
        }
        return .other
    }

    mutating func set(_ name: String, _ value: DBusValue?, of bearer: String) -> Updates {
        guard name == Device1.connected else { return .other }
        guard bearer == BearerLE1.interfaceName else {
            classic = value?.boolean
            return .other
        }
        lowEnergy = value?.boolean
        return hasBothBearers ? .connection : .other
    }

    private var hasBothBearers: Bool { lowEnergy != nil && classic != nil }

    /// The interface for the device's link. A device with both bearers may be connected over
    /// Bluetooth Classic: that link does not belong to this backend, which must not end it.
    var linkInterface: String { hasBothBearers ? BearerLE1.interfaceName : Device1.interfaceName }

    var isConnected: Bool {
        get { hasBothBearers ? lowEnergy == true : isConnectedSomehow }
        set { if hasBothBearers { lowEnergy = newValue } else { isConnectedSomehow = newValue } }
    }

    private static func manufacturerData(_ value: DBusValue?) -> [ManufacturerData] {
        (value?.entries ?? []).prefix(maximumCompanies).compactMap { entry in
            guard let company = entry.key.integer.flatMap({ UInt16(exactly: $0) }),
                let bytes = entry.value.bytes, bytes.count <= maximumDataLength
            else { return nil }
            return ManufacturerData(company: company, bytes: bytes)
        }
    }
}

extension BlueZMirror {
    /// Returns the discovery of a device; `nil` for an unknown one.
    ///
    /// For a device that was connected before, the services are all of its services, and not only
    /// the advertised ones. If its link ended before the daemon knew them, the daemon reports an
    /// empty list from then on (5.66, seen in the virtual machine); then they are read from its
    /// objects. The name is the device's own, not an alias.
    func discovery(of path: DBusObjectPath) -> Discovery? {
        guard let device = devices[path], let address = device.address else { return nil }
        var uuids = device.uuids
        if uuids.isEmpty {
            uuids = services.paths(of: path).compactMap { services[$0]?.uuid }
            uuids.sort { ($0.high, $0.low) < ($1.high, $1.low) }
        }
        return Discovery(
            PeripheralIdentity(address), name: device.name, services: uuids,
            manufacturerData: device.manufacturerData, rssi: device.rssi)
    }
}
#endif
