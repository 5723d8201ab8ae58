public import CoreBluetooth
public import Foundation

/// The conditions for accessories: every one that is set must hold.
public final class ASDiscoveryDescriptor: NSObject, @unchecked Sendable {
    /// The distance at which accessories are found.
    public enum Range: Int, Sendable {
        /// Any distance.
        case `default` = 0
        /// A few centimetres.
        case immediate = 10
    }

    /// The side of a Wi-Fi Aware service.
    public enum WiFiAwareServiceRole: Int, Sendable {
        /// The phone subscribes to the accessory's service.
        case subscriber = 10
        /// The phone publishes a service.
        case publisher = 20
    }

    private let conditions = Guarded(Conditions())

    /// Creates a descriptor without conditions.
    public override init() {}

    /// The conditions at this moment.
    var snapshot: Conditions { conditions.copy }

    private func get<Value>(_ path: (Conditions) -> Value) -> Value { path(conditions.copy) }

    /// The abilities of the accessories.
    public var supportedOptions: ASAccessory.SupportOptions {
        get { get(\.supportedOptions) }
        set { conditions.withLock { $0.supportedOptions = newValue } }
    }

    /// The company of the manufacturer data.
    public var bluetoothCompanyIdentifier: ASBluetoothCompanyIdentifier {
        get { get(\.company) }
        set { conditions.withLock { $0.company = newValue } }
    }

    /// The bytes that the manufacturer data begins with, after the mask.
    public var bluetoothManufacturerDataBlob: Data? {
        get { get(\.manufacturerBlob) }
        set { conditions.withLock { $0.manufacturerBlob = newValue } }
    }

    /// The bits of the manufacturer data that count.
    public var bluetoothManufacturerDataMask: Data? {
        get { get(\.manufacturerMask) }
        set { conditions.withLock { $0.manufacturerMask = newValue } }
    }

    /// A part of the advertised name.
    public var bluetoothNameSubstring: String? {
        get { get(\.nameSubstring) }
        set { conditions.withLock { $0.nameSubstring = newValue } }
    }

    /// The options with which ``bluetoothNameSubstring`` is compared.
    public var bluetoothNameSubstringCompareOptions: NSString.CompareOptions {
        get { get(\.nameOptions) }
        set { conditions.withLock { $0.nameOptions = newValue } }
    }

    /// The distance.
    public var bluetoothRange: Range {
        get { get(\.range) }
        set { conditions.withLock { $0.range = newValue } }
    }

    /// The bytes that the service data begins with, after the mask.
    public var bluetoothServiceDataBlob: Data? {
        get { get(\.serviceBlob) }
        set { conditions.withLock { $0.serviceBlob = newValue } }
    }

    /// The bits of the service data that count.
    public var bluetoothServiceDataMask: Data? {
        get { get(\.serviceMask) }
        set { conditions.withLock { $0.serviceMask = newValue } }
    }

    /// A service that is advertised.
    public var bluetoothServiceUUID: CBUUID? {
        get { get(\.service) }
        set { conditions.withLock { $0.service = newValue } }
    }

    /// The name of a Wi-Fi network.
    public var ssid: String? {
        get { get(\.ssid) }
        set { conditions.withLock { $0.ssid = newValue } }
    }

    /// The beginning of the name of a Wi-Fi network.
    public var ssidPrefix: String? {
        get { get(\.ssidPrefix) }
        set { conditions.withLock { $0.ssidPrefix = newValue } }
    }

    /// The name of a Wi-Fi Aware service.
    public var wifiAwareServiceName: String? {
        get { get(\.wifiAwareServiceName) }
        set { conditions.withLock { $0.wifiAwareServiceName = newValue } }
    }

    /// The side of the Wi-Fi Aware service.
    public var wifiAwareServiceRole: WiFiAwareServiceRole {
        get { get(\.wifiAwareServiceRole) }
        set { conditions.withLock { $0.wifiAwareServiceRole = newValue } }
    }

    /// The model of a Wi-Fi Aware device.
    public var wifiAwareModelNameMatch: ASPropertyCompareString? {
        get { get(\.wifiAwareModel) }
        set { conditions.withLock { $0.wifiAwareModel = newValue } }
    }

    /// The vendor of a Wi-Fi Aware device.
    public var wifiAwareVendorNameMatch: ASPropertyCompareString? {
        get { get(\.wifiAwareVendor) }
        set { conditions.withLock { $0.wifiAwareVendor = newValue } }
    }
}

/// The number of a company, assigned by the Bluetooth SIG.
public struct ASBluetoothCompanyIdentifier: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: UInt16

    /// Creates an identifier from its number.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Creates an identifier from its number.
    public init(_ rawValue: UInt16) { self.rawValue = rawValue }
}

/// Text with the options for its comparison.
public final class ASPropertyCompareString: NSObject, Sendable {
    /// The text.
    public let string: String
    /// The options for its comparison.
    public let compareOptions: NSString.CompareOptions

    /// Creates text with the options for its comparison.
    public init(string: String, compareOptions: NSString.CompareOptions) {
        self.string = string
        self.compareOptions = compareOptions
    }
}
