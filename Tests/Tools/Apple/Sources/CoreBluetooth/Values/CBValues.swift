/// The state of a phone's Bluetooth, as a manager reports it.
public enum CBManagerState: Int, Sendable {
    /// The state is not known yet.
    case unknown = 0
    /// The system's Bluetooth service restarts.
    case resetting = 1
    /// The phone has no Bluetooth Low Energy.
    case unsupported = 2
    /// The app has no permission.
    case unauthorized = 3
    /// Bluetooth is switched off.
    case poweredOff = 4
    /// Bluetooth is ready.
    case poweredOn = 5
}

/// The permission of the app to use Bluetooth.
public enum CBManagerAuthorization: Int, Sendable {
    /// The user has not decided yet.
    case notDetermined = 0
    /// The user may not decide.
    case restricted = 1
    /// The user has refused.
    case denied = 2
    /// The user has allowed it.
    case allowedAlways = 3
}

/// The connection state of a peripheral, for one app.
public enum CBPeripheralState: Int, Sendable {
    /// There is no link for this app.
    case disconnected = 0
    /// An attempt is pending.
    case connecting = 1
    /// The app has a link.
    case connected = 2
    /// The app has cancelled its link.
    case disconnecting = 3
}

/// The kind of a write.
public enum CBCharacteristicWriteType: Int, Sendable {
    /// The device confirms the write.
    case withResponse = 0
    /// The device does not answer.
    case withoutResponse = 1
}

/// The latency that a hosting app asks of a central.
public enum CBPeripheralManagerConnectionLatency: Int, Sendable {
    /// Fast, at a high cost of energy.
    case low = 0
    /// Between the two.
    case medium = 1
    /// Slow, at a low cost of energy.
    case high = 2
}

/// The operations that a characteristic allows.
public struct CBCharacteristicProperties: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Creates properties from their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The value can be broadcast.
    public static let broadcast = CBCharacteristicProperties(rawValue: 0x01)
    /// The value can be read.
    public static let read = CBCharacteristicProperties(rawValue: 0x02)
    /// The value can be written without a response.
    public static let writeWithoutResponse = CBCharacteristicProperties(rawValue: 0x04)
    /// The value can be written with a response.
    public static let write = CBCharacteristicProperties(rawValue: 0x08)
    /// The device can notify.
    public static let notify = CBCharacteristicProperties(rawValue: 0x10)
    /// The device can indicate.
    public static let indicate = CBCharacteristicProperties(rawValue: 0x20)
    /// The value can be written with a signature.
    public static let authenticatedSignedWrites = CBCharacteristicProperties(rawValue: 0x40)
    /// A descriptor has more properties.
    public static let extendedProperties = CBCharacteristicProperties(rawValue: 0x80)
    /// Only trusted devices may subscribe to notifications.
    public static let notifyEncryptionRequired = CBCharacteristicProperties(rawValue: 0x100)
    /// Only trusted devices may subscribe to indications.
    public static let indicateEncryptionRequired = CBCharacteristicProperties(rawValue: 0x200)
}

/// The permissions of a hosted attribute.
public struct CBAttributePermissions: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Creates permissions from their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Centrals may read.
    public static let readable = CBAttributePermissions(rawValue: 0x01)
    /// Centrals may write.
    public static let writeable = CBAttributePermissions(rawValue: 0x02)
    /// Only trusted centrals may read.
    public static let readEncryptionRequired = CBAttributePermissions(rawValue: 0x04)
    /// Only trusted centrals may write.
    public static let writeEncryptionRequired = CBAttributePermissions(rawValue: 0x08)
}
