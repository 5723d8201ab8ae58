public import Foundation
public import UIKit

/// A kind of accessory that a picker shows, with the name and the image that it shows.
public class ASPickerDisplayItem: NSObject, @unchecked Sendable {
    /// The steps that the picker adds to the set-up.
    public struct SetupOptions: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Creates options from their bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The person is asked for a name.
        public static let rename = SetupOptions(rawValue: 1 << 0)
        /// The app finishes the authorisation before the picker goes on.
        public static let confirmAuthorization = SetupOptions(rawValue: 1 << 1)
        /// The person finishes the set-up in the app.
        public static let finishInApp = SetupOptions(rawValue: 1 << 2)
    }

    private struct Options {
        var rename: ASAccessory.RenameOptions = []
        var setup: SetupOptions = []
    }

    /// The name that the picker shows.
    public let name: String
    /// The image that the picker shows.
    public let productImage: UIImage
    /// The conditions for the advertisements of such accessories.
    public let descriptor: ASDiscoveryDescriptor
    private let options = Guarded(Options())

    /// Creates a kind of accessory.
    public init(name: String, productImage: UIImage, descriptor: ASDiscoveryDescriptor) {
        self.name = name
        self.productImage = productImage
        self.descriptor = descriptor
    }

    /// The properties that the person may rename.
    public var renameOptions: ASAccessory.RenameOptions {
        get { options.copy.rename }
        set { options.withLock { $0.rename = newValue } }
    }

    /// The steps that the picker adds to the set-up.
    public var setupOptions: SetupOptions {
        get { options.copy.setup }
        set { options.withLock { $0.setup = newValue } }
    }
}

/// An accessory that the app used before it used this framework.
public final class ASMigrationDisplayItem: ASPickerDisplayItem, @unchecked Sendable {
    private struct Old {
        var peripheralIdentifier: UUID?
        var hotspotSSID: String?
        var wifiAwarePairedDeviceID: ASAccessory.WiFiAwarePairedDeviceID = 0
    }

    private let old = Guarded(Old())

    /// The identifier of the peripheral.
    public var peripheralIdentifier: UUID? {
        get { old.copy.peripheralIdentifier }
        set { old.withLock { $0.peripheralIdentifier = newValue } }
    }

    /// The name of the accessory's Wi-Fi network.
    public var hotspotSSID: String? {
        get { old.copy.hotspotSSID }
        set { old.withLock { $0.hotspotSSID = newValue } }
    }

    /// The number of the device in Wi-Fi Aware.
    public var wifiAwarePairedDeviceID: ASAccessory.WiFiAwarePairedDeviceID {
        get { old.copy.wifiAwarePairedDeviceID }
        set { old.withLock { $0.wifiAwarePairedDeviceID = newValue } }
    }
}

/// One accessory that the app has let through its filter, with a name and an image of its own.
public final class ASDiscoveredDisplayItem: ASPickerDisplayItem, @unchecked Sendable {
    let accessory: ASDiscoveredAccessory

    /// Creates an item for an accessory of an event
    /// ``ASAccessoryEventType/accessoryDiscovered``.
    public init(name: String, productImage: UIImage, accessory: ASDiscoveredAccessory) {
        self.accessory = accessory
        super.init(name: name, productImage: productImage, descriptor: accessory.descriptor)
    }
}

/// The settings of a session's picker.
public final class ASPickerDisplaySettings: NSObject, Sendable {
    /// The time after which a picker that has found nothing gives up.
    public struct DiscoveryTimeout: RawRepresentable, Hashable, Sendable {
        /// The time in seconds.
        public let rawValue: TimeInterval

        /// Creates a time from seconds.
        public init(rawValue: TimeInterval) { self.rawValue = rawValue }

        /// About a minute.
        public static let short = DiscoveryTimeout(rawValue: 60)
        /// About two minutes.
        public static let medium = DiscoveryTimeout(rawValue: 120)
        /// About five minutes.
        public static let long = DiscoveryTimeout(rawValue: 300)
        /// Until the app ends the discovery. The number that stands for it is not known.
        public static let unbounded = DiscoveryTimeout(rawValue: .infinity)
    }

    /// The options of a picker.
    public struct Options: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Creates options from their bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The app filters the accessories before the picker shows them.
        public static let filterDiscoveryResults = Options(rawValue: 1 << 0)
    }

    private struct Values {
        var discoveryTimeout = DiscoveryTimeout(rawValue: 30)
        var options: Options = []
    }

    private let values: Guarded<Values>

    private init(_ values: Values) { self.values = Guarded(values) }

    /// The default settings; each call returns an object of its own.
    public class var `default`: ASPickerDisplaySettings { ASPickerDisplaySettings(Values()) }

    /// The time after which a picker that has found nothing gives up: 30 seconds by default.
    public var discoveryTimeout: DiscoveryTimeout {
        get { values.copy.discoveryTimeout }
        set { values.withLock { $0.discoveryTimeout = newValue } }
    }

    /// The options of the picker.
    public var options: Options {
        get { values.copy.options }
        set { values.withLock { $0.options = newValue } }
    }

    /// A copy, which later changes of this object do not reach.
    var duplicate: ASPickerDisplaySettings { ASPickerDisplaySettings(values.copy) }
}
