#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// A device, as far as it was told of.
struct BlueZDevice: Hashable, Sendable {
    struct News: OptionSet, Sendable {
        let rawValue: UInt8

        /// The device was heard: only an advertisement tells this.
        static let heard = News(rawValue: 1)
        /// It is said whether there is a link; perhaps the same as before: then there was
        /// another one in between.
        static let connection = News(rawValue: 2)
        /// It is said whether the services are known.
        static let resolved = News(rawValue: 4)
        /// What the device is called or offers is said.
        static let description = News(rawValue: 8)
        static let other = News(rawValue: 16)
    }

    /// How many services of an advertisement, or of all that it has, are kept.
    static let maximumUUIDs = 128
    static let maximumCompanies = 8
    /// How long the data of one company are that are kept: more than an advertisement can hold.
    static let maximumDataLength = 2048
    /// What the daemon says where nobody knows how strong the signal is.
    private static let unknownRSSI: Int64 = 127

    var adapter: DBusObjectPath?
    var address: String?
    var name: String?
    var uuids: [BluetoothUUID] = []
    var manufacturerData: [ManufacturerData] = []
    /// How strong it was heard, where that is known.
    var rssi: Int?
    /// Whether it was heard since discovery began: the daemon takes the strength back when
    /// discovery ends.
    var isInReach = false
    /// Whether it is connected, over whichever radio.
    private var isConnectedSomehow = false
    /// Whether it is connected over low energy, and over the older Bluetooth, as far as the daemon
    /// tells these apart (pitfall 27): from 5.84 on, and only if it was started with
    /// `--experimental`. Others have the interfaces without anything in them (5.87).
    private var (lowEnergy, classic): (Bool?, Bool?)
    var isPaired = false
    var isResolved = false

    /// A property has a value, or with nil none; what that means.
    mutating func set(_ name: String, _ value: DBusValue?) -> News {
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
        case Device1.uuiDs:
            uuids = value?.elements?.prefix(Self.maximumUUIDs).compactMap(\.keptUUID) ?? []
            return .description
        case Device1.address: address = value?.keptText?.uppercased()
        case Device1.adapter: adapter = value?.keptPath
        case Device1.paired: isPaired = value?.boolean ?? false
        default: break
        }
        return .other
    }

    /// A property of a bearer has a value, or with nil none; what that means.
    mutating func set(_ name: String, _ value: DBusValue?, of bearer: String) -> News {
        guard name == Device1.connected else { return .other }
        guard bearer == BearerLE1.interfaceName else {
            classic = value?.boolean
            return .other
        }
        lowEnergy = value?.boolean
        return hasBothBearers ? .connection : .other
    }

    /// Whether it has both kinds of Bluetooth, and the daemon tells them apart.
    private var hasBothBearers: Bool { lowEnergy != nil && classic != nil }

    /// Where its link is begun, ended and told of. One with both kinds of Bluetooth may be
    /// connected over the other: that is no link for us, and not ours to end.
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
    /// What a scan tells of a device, if it was told of.
    ///
    /// Of one that was connected to before, the services are all that it has and not only what it
    /// advertises. When its link was ended before the daemon knew them, the daemon says from then
    /// on that it advertises none (5.66, seen in the virtual machine); but they are among its
    /// objects. The name is the device's own, not one that somebody gave it here.
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

struct BlueZService: MirrorAttribute {
    var device: DBusObjectPath?
    var uuid: BluetoothUUID?
    var isPrimary = true

    var parent: DBusObjectPath? { device }

    mutating func set(_ name: String, _ value: DBusValue?) {
        switch name {
        case GattService1.device: device = value?.keptPath
        case GattService1.uuid: uuid = value?.keptUUID
        case GattService1.primary: isPrimary = value?.boolean ?? true
        default: break
        }
    }
}

struct BlueZCharacteristic: MirrorAttribute {
    var service: DBusObjectPath?
    var uuid: BluetoothUUID?
    var properties: GATTProperties = []
    var mtu: Int?
    /// Whether a socket to write to is to be had; nothing if the daemon does not say.
    var writeAcquired: Bool?
    /// Whether a socket to read from is to be had; nothing if the daemon does not say.
    var notifyAcquired: Bool?

    private static let maximumFlags = 64

    var parent: DBusObjectPath? { service }

    mutating func set(_ name: String, _ value: DBusValue?) {
        switch name {
        case GattCharacteristic1.service: service = value?.keptPath
        case GattCharacteristic1.uuid: uuid = value?.keptUUID
        case GattCharacteristic1.flags:
            let words = value?.elements?.prefix(Self.maximumFlags).compactMap(\.string)
            properties = AttributeFlags.properties(of: words ?? [])
        // Only from 5.62 on (pitfall 17: bleak, SimpleBLE#481).
        case GattCharacteristic1.mtu:
            mtu = value?.integer.flatMap { UInt16(exactly: $0) }.map(Int.init)
        case GattCharacteristic1.writeAcquired: writeAcquired = value?.boolean
        case GattCharacteristic1.notifyAcquired: notifyAcquired = value?.boolean
        default: break
        }
    }
}

struct BlueZDescriptor: MirrorAttribute {
    var characteristic: DBusObjectPath?
    var uuid: BluetoothUUID?

    var parent: DBusObjectPath? { characteristic }

    mutating func set(_ name: String, _ value: DBusValue?) {
        switch name {
        case GattDescriptor1.characteristic: characteristic = value?.keptPath
        case GattDescriptor1.uuid: uuid = value?.keptUUID
        default: break
        }
    }
}
#endif
