public import HaloProtocol

/// A service of a device.
public struct GATTService: Hashable, Sendable {
    /// The kind of service.
    public let uuid: BluetoothUUID
    /// `true` if it stands by itself, and not only as a part of others.
    public let isPrimary: Bool
    /// Its characteristics, in the order of the device.
    public let characteristics: [GATTCharacteristic]

    /// A service of some characteristics.
    public init(
        _ uuid: BluetoothUUID, isPrimary: Bool = true, characteristics: [GATTCharacteristic]
    ) {
        self.uuid = uuid
        self.isPrimary = isPrimary
        self.characteristics = characteristics
    }

    /// The first characteristic of a UUID.
    public func characteristic(_ uuid: BluetoothUUID) -> GATTCharacteristic? {
        characteristics.first { $0.uuid == uuid }
    }
}

/// A characteristic of a service.
public struct GATTCharacteristic: Hashable, Sendable {
    /// The attribute that is its value.
    public let id: AttributeID
    /// The kind of characteristic.
    public let uuid: BluetoothUUID
    /// The operations that it allows.
    public let properties: GATTProperties
    /// The security that the device demands before; empty where an app sees it.
    public let permissions: GATTPermissions
    /// Its descriptors, without the one that switches notifications: backends have that to
    /// themselves.
    public let descriptors: [GATTDescriptor]

    /// A characteristic.
    public init(
        _ id: AttributeID, _ uuid: BluetoothUUID, _ properties: GATTProperties,
        permissions: GATTPermissions = [], descriptors: [GATTDescriptor] = []
    ) {
        self.id = id
        self.uuid = uuid
        self.properties = properties
        self.permissions = permissions
        self.descriptors = descriptors
    }
}

/// A descriptor of a characteristic.
public struct GATTDescriptor: Hashable, Sendable {
    /// The attribute that it is.
    public let id: AttributeID
    /// The kind of descriptor.
    public let uuid: BluetoothUUID

    /// A descriptor.
    public init(_ id: AttributeID, _ uuid: BluetoothUUID) {
        self.id = id
        self.uuid = uuid
    }
}

/// The number of a characteristic's value, or of a descriptor, on a device.
///
/// The number means nothing by itself: a backend gives it out when services are discovered, a
/// ``GATTDatabase`` when a device is described. After ``LinkEvent/servicesChanged`` it is stale.
public struct AttributeID: Hashable, Sendable {
    /// The number.
    public let rawValue: UInt32

    /// An attribute by its number.
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// The operations that a characteristic allows.
public struct GATTProperties: OptionSet, Hashable, Sendable {
    /// The bits of the characteristic's declaration.
    public let rawValue: UInt8

    /// Properties by their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The value may be sent in the advertisement.
    public static let broadcast = GATTProperties(rawValue: 0x01)
    /// The value can be read.
    public static let read = GATTProperties(rawValue: 0x02)
    /// The value can be written without a response.
    public static let writeWithoutResponse = GATTProperties(rawValue: 0x04)
    /// The value can be written with a response.
    public static let write = GATTProperties(rawValue: 0x08)
    /// The device can send the value by itself, unconfirmed.
    public static let notify = GATTProperties(rawValue: 0x10)
    /// The device can send the value by itself, and wants each one confirmed.
    public static let indicate = GATTProperties(rawValue: 0x20)
    /// The value can be written with a signature.
    public static let signedWrite = GATTProperties(rawValue: 0x40)
    /// More properties stand in a descriptor.
    public static let extended = GATTProperties(rawValue: 0x80)

    /// `true` if the value can be written, in either way.
    public var canWrite: Bool { !isDisjoint(with: [.write, .writeWithoutResponse]) }
    /// `true` if the device can send the value by itself, in either way.
    public var canSubscribe: Bool { !isDisjoint(with: [.notify, .indicate]) }
}

/// The security of a link that a device demands before an attribute can be used.
public struct GATTPermissions: OptionSet, Hashable, Sendable {
    /// The bits; they are not on any wire.
    public let rawValue: UInt8

    /// Permissions by their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Reading takes an encrypted link.
    public static let readEncrypted = GATTPermissions(rawValue: 1)
    /// Writing takes an encrypted link.
    public static let writeEncrypted = GATTPermissions(rawValue: 2)
    /// Subscribing takes an encrypted link.
    public static let subscribeEncrypted = GATTPermissions(rawValue: 4)
}

/// The two ways to write a value.
public enum WriteMode: Hashable, Sendable, CaseIterable {
    /// The device answers, with yes or an error.
    case withResponse
    /// There is no answer: the value is on its way when the backend has room for the next one.
    case withoutResponse

    /// The property of characteristics that can be written so.
    var property: GATTProperties {
        switch self {
        case .withResponse: .write
        case .withoutResponse: .writeWithoutResponse
        }
    }
}
