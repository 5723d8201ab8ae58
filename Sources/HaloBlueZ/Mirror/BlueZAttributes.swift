#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// A service of a device.
struct BlueZService: Hashable, Sendable {
    var device: DBusObjectPath?
    var uuid: BluetoothUUID?
    var isPrimary = true

    /// A property has a value, or with nil none.
    mutating func set(_ name: String, _ value: DBusValue?) {
        switch name {
        case GattService1.device: device = value?.keptPath
        case GattService1.uuid: uuid = value?.keptUUID
        case GattService1.primary: isPrimary = value?.boolean ?? true
        default: break
        }
    }
}

/// A characteristic of a service.
struct BlueZCharacteristic: Hashable, Sendable {
    var service: DBusObjectPath?
    var uuid: BluetoothUUID?
    var properties: GATTProperties = []
    var mtu: Int?
    /// Whether a socket to write to is to be had; nothing if the daemon does not say.
    var writeAcquired: Bool?
    /// Whether a socket to read from is to be had; nothing if the daemon does not say.
    var notifyAcquired: Bool?

    private static let maximumFlags = 64

    /// A property has a value, or with nil none.
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

/// A descriptor of a characteristic.
struct BlueZDescriptor: Hashable, Sendable {
    var characteristic: DBusObjectPath?
    var uuid: BluetoothUUID?

    /// A property has a value, or with nil none.
    mutating func set(_ name: String, _ value: DBusValue?) {
        switch name {
        case GattDescriptor1.characteristic: characteristic = value?.keptPath
        case GattDescriptor1.uuid: uuid = value?.keptUUID
        default: break
        }
    }
}
#endif
