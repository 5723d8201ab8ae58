public import HaloProtocol

/// A service of a device.
public struct GATTService: Hashable, Sendable {
    /// The UUID that names the kind of service.
    public let uuid: BluetoothUUID
    /// `true` for a primary service; `false` for a service that other services include.
    public let isPrimary: Bool
    /// The characteristics, in the order of the device.
    public let characteristics: [GATTCharacteristic]

    /// Creates a service with its characteristics.
    public init(
        _ uuid: BluetoothUUID, isPrimary: Bool = true, characteristics: [GATTCharacteristic]
    ) {
        self.uuid = uuid
        self.isPrimary = isPrimary
        self.characteristics = characteristics
    }

    /// Finds the first characteristic with a UUID.
    public func characteristic(_ uuid: BluetoothUUID) -> GATTCharacteristic? {
        characteristics.first { $0.uuid == uuid }
    }
}

/// A characteristic of a service.
public struct GATTCharacteristic: Hashable, Sendable {
    /// The attribute that holds the value.
    public let id: AttributeID
    /// The UUID that names the kind of characteristic.
    public let uuid: BluetoothUUID
    /// The operations that the characteristic allows.
    public let properties: GATTProperties
    /// The security that a hosted device demands; empty for discovered characteristics.
    public let permissions: GATTPermissions
    /// The descriptors, without the Client Characteristic Configuration: only the backend uses
    /// that.
    public let descriptors: [GATTDescriptor]

    /// Creates a characteristic with its descriptors.
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
    /// The attribute that holds the value.
    public let id: AttributeID
    /// The UUID that names the kind of descriptor.
    public let uuid: BluetoothUUID

    /// Creates a descriptor of a kind.
    public init(_ id: AttributeID, _ uuid: BluetoothUUID) {
        self.id = id
        self.uuid = uuid
    }
}

/// The UUIDs of attributes that the Core Specification defines: volume 3, part G.
package enum AttributeUUIDs {
    /// The declaration of a primary service.
    package static let primaryService = BluetoothUUID(0x2800)
    /// The declaration of a secondary service.
    package static let secondaryService = BluetoothUUID(0x2801)
    /// The declaration of an included service.
    package static let include = BluetoothUUID(0x2802)
    /// The declaration of a characteristic.
    package static let characteristic = BluetoothUUID(0x2803)
    /// The descriptor that switches notifications and indications.
    package static let clientConfiguration = BluetoothUUID(0x2902)
    /// The characteristic that indicates a change of the services.
    package static let serviceChanged = BluetoothUUID(0x2A05)

    /// `true` for the UUIDs that are assigned to descriptors.
    package static func isDescriptor(_ uuid: BluetoothUUID) -> Bool {
        uuid.short16.map { (0x2900...0x29FF).contains($0) } ?? false
    }
}

/// The number of an attribute on a device: the value of a characteristic, or a descriptor.
///
/// It is not the ATT handle. A backend assigns it when services are discovered, a ``GATTDatabase``
/// when a device is described. After ``LinkEvent/servicesChanged`` it is stale.
public struct AttributeID: Hashable, Sendable {
    /// The number, unique on the device.
    public let rawValue: UInt32

    /// Creates an attribute from its number.
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// The operations that a characteristic allows.
public struct GATTProperties: OptionSet, Hashable, Sendable {
    /// The bits as in the characteristic's declaration.
    public let rawValue: UInt8

    /// Creates properties from their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The value may be broadcast in advertisements.
    public static let broadcast = GATTProperties(rawValue: 0x01)
    /// The value can be read.
    public static let read = GATTProperties(rawValue: 0x02)
    /// The value can be written without a response.
    public static let writeWithoutResponse = GATTProperties(rawValue: 0x04)
    /// The value can be written with a response.
    public static let write = GATTProperties(rawValue: 0x08)
    /// The value can be sent as a notification, which is not confirmed.
    public static let notify = GATTProperties(rawValue: 0x10)
    /// The value can be sent as an indication, which the central confirms.
    public static let indicate = GATTProperties(rawValue: 0x20)
    /// The value can be written with a signature.
    public static let signedWrite = GATTProperties(rawValue: 0x40)
    /// More properties are in a descriptor: Characteristic Extended Properties.
    public static let extended = GATTProperties(rawValue: 0x80)

    /// `true` if the value can be written, with or without a response.
    public var canWrite: Bool { !isDisjoint(with: [.write, .writeWithoutResponse]) }
    /// `true` if the value can be sent as a notification or an indication.
    public var canSubscribe: Bool { !isDisjoint(with: [.notify, .indicate]) }

    /// Returns how to write the value: as preferred, if that is allowed, or else in the other way;
    /// `nil` if it cannot be written.
    public func writeMode(preferring mode: WriteMode) -> WriteMode? {
        let canRespond = contains(.write)
        let canDoWithout = contains(.writeWithoutResponse)
        return switch mode {
        case .withResponse where canRespond, .withoutResponse where canDoWithout: mode
        case .withoutResponse where canRespond: .withResponse
        case .withResponse where canDoWithout: .withoutResponse
        default: nil
        }
    }
}

/// The link security that a device demands for the use of an attribute.
public struct GATTPermissions: OptionSet, Hashable, Sendable {
    /// The bits, which are never transmitted.
    public let rawValue: UInt8

    /// Creates permissions from their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Reading requires an encrypted link.
    public static let readEncrypted = GATTPermissions(rawValue: 1)
    /// Writing requires an encrypted link.
    public static let writeEncrypted = GATTPermissions(rawValue: 2)
    /// Subscribing requires an encrypted link.
    public static let subscribeEncrypted = GATTPermissions(rawValue: 4)
}

/// The two ways to write a value.
public enum WriteMode: Hashable, Sendable, CaseIterable {
    /// The device confirms the write, or refuses it with an error.
    case withResponse
    /// The device does not respond: the write is complete when there is room for the next one.
    case withoutResponse

    /// The property of characteristics that allow this mode.
    var property: GATTProperties {
        switch self {
        case .withResponse: .write
        case .withoutResponse: .writeWithoutResponse
        }
    }
}

extension BluetoothUUID: Codable {
    /// Decodes text such as `2A37` or `6E400002-B5A3-F393-E0A9-E50E24DCCA9E`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do throws(TextError) {
            try self.init(parsing: text)
        } catch {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
        }
    }

    /// Encodes the shortest text: 4, 8 or 36 characters.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
