public import Foundation

/// An accessory of the app, as it was when the session reported it: a change comes as another
/// object.
public class ASAccessory: NSObject, @unchecked Sendable {
    /// The state of the authorisation.
    public enum AccessoryState: Int, Sendable {
        /// The app may not use the accessory.
        case unauthorized = 0
        /// The app has to finish the authorisation.
        case awaitingAuthorization = 10
        /// The app may use the accessory.
        case authorized = 20
    }

    /// The properties that the app wants the person to rename.
    public struct RenameOptions: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Creates options from their bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The name of the Wi-Fi network.
        public static let ssid = RenameOptions(rawValue: 1 << 0)
    }

    /// The abilities of a kind of accessory.
    public struct SupportOptions: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Creates options from their bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Pairing over Bluetooth Low Energy.
        public static let bluetoothPairingLE = SupportOptions(rawValue: 1 << 1)
        /// Bridging to classic Bluetooth.
        public static let bluetoothTransportBridging = SupportOptions(rawValue: 1 << 2)
        /// Human interface devices.
        public static let bluetoothHID = SupportOptions(rawValue: 1 << 3)
    }

    /// The number of a device that was paired over Wi-Fi Aware.
    public typealias WiFiAwarePairedDeviceID = UInt64

    let record: AccessoryRecord

    init(_ record: AccessoryRecord) { self.record = record }

    /// The state of the authorisation.
    public var state: AccessoryState { record.state }
    /// The identifier of the peripheral; `nil` for an accessory without Bluetooth.
    public var bluetoothIdentifier: UUID? { record.bluetoothIdentifier }
    /// The classic address for bridging.
    public var bluetoothTransportBridgingIdentifier: Data? { record.bridgingIdentifier }
    /// The name, as chosen by the app or the person.
    public var displayName: String { record.displayName }
    /// The name of the accessory's Wi-Fi network.
    public var ssid: String? { record.ssid }
    /// The descriptor that found the accessory.
    public var descriptor: ASDiscoveryDescriptor { record.descriptor }
    /// The number of the device in Wi-Fi Aware; 0 without it.
    public var wifiAwarePairedDeviceID: WiFiAwarePairedDeviceID { record.wifiAwarePairedDeviceID }

    /// The name and the state.
    public override var description: String { "ASAccessory(\(displayName), \(state))" }
}

/// An accessory that the picker has found, for the app to filter.
public final class ASDiscoveredAccessory: ASAccessory, @unchecked Sendable {
    /// The advertisement, with the keys that a central manager uses.
    public let bluetoothAdvertisementData: [AnyHashable: Any]?
    /// The RSSI in dBm, or `nil` if the radio does not report it.
    public let bluetoothRSSI: Int?

    init(_ record: AccessoryRecord, advertisement: [AnyHashable: Any], rssi: Int?) {
        bluetoothAdvertisementData = advertisement
        bluetoothRSSI = rssi
        super.init(record)
    }
}

/// The properties of an accessory of the phone.
struct AccessoryRecord {
    /// The number of the accessory on this phone; negative while it is only discovered.
    let number: Int
    var state = ASAccessory.AccessoryState.authorized
    var bluetoothIdentifier: UUID?
    var bridgingIdentifier: Data?
    var displayName: String
    var ssid: String?
    var descriptor: ASDiscoveryDescriptor
    var wifiAwarePairedDeviceID: ASAccessory.WiFiAwarePairedDeviceID = 0
}

/// The values with which an app finishes the authorisation of an accessory.
public final class ASAccessorySettings: NSObject, Sendable {
    private struct Values {
        var ssid: String?
        var bluetoothTransportBridgingIdentifier: Data?
    }

    private let values = Guarded(Values())

    /// Settings without values; each call returns an object of its own.
    public class var `default`: ASAccessorySettings { ASAccessorySettings() }

    /// The name of the accessory's Wi-Fi network.
    public var ssid: String? {
        get { values.copy.ssid }
        set { values.withLock { $0.ssid = newValue } }
    }

    /// The classic address for bridging, in six bytes.
    public var bluetoothTransportBridgingIdentifier: Data? {
        get { values.copy.bluetoothTransportBridgingIdentifier }
        set { values.withLock { $0.bluetoothTransportBridgingIdentifier = newValue } }
    }
}
