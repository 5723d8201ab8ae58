#if canImport(AccessorySetupKit) && (os(iOS) || os(Linux)) && !targetEnvironment(macCatalyst)
internal import AccessorySetupKit
internal import Foundation
internal import HaloProtocol
public import HaloTransport
public import UIKit

/// A device that the user has chosen for the app.
public struct Accessory: Hashable, Sendable {
    /// The identity, to connect to it.
    public let identity: PeripheralIdentity
    /// The name that the user sees and may have changed.
    public let name: String
    /// `true` if the app may connect to it; `false` if the user has not finished the setup.
    public let isAuthorized: Bool

    /// Converts an accessory of the system; `nil` for one without Bluetooth.
    init?(_ accessory: ASAccessory) {
        guard let identifier = accessory.bluetoothIdentifier else { return nil }
        identity = PeripheralIdentity(identifier)
        name = accessory.displayName
        isAuthorized = accessory.state == .authorized
    }
}

/// A kind of device in the picker: the name and the image that the user sees, and how to find it.
public struct AccessoryKind: Sendable {
    /// The name in the picker.
    public let name: String
    /// The image in the picker.
    public let image: UIImage
    /// The clues by which the system finds the devices.
    public let declaration: AccessoryDeclaration

    /// Creates a kind of device.
    public init(_ name: String, image: UIImage, _ declaration: AccessoryDeclaration) {
        self.name = name
        self.image = image
        self.declaration = declaration
    }

    /// Rings.
    public static func rings(_ name: String = "Ring", image: UIImage) -> AccessoryKind {
        AccessoryKind(name, image: image, .rings)
    }

    /// Heart-rate sensors.
    public static func heartRateSensors(
        _ name: String = "Heart-rate sensor", image: UIImage
    ) -> AccessoryKind { AccessoryKind(name, image: image, .heartRateSensors) }

    /// The descriptors for the system: one for each clue, because all conditions of one must hold.
    var descriptors: [ASDiscoveryDescriptor] {
        let services = declaration.services.map { service in
            let descriptor = ASDiscoveryDescriptor()
            descriptor.bluetoothServiceUUID = service.system
            return descriptor
        }
        let companies = declaration.companies.map { company in
            let descriptor = ASDiscoveryDescriptor()
            descriptor.bluetoothCompanyIdentifier = ASBluetoothCompanyIdentifier(company)
            return descriptor
        }
        return services + companies
    }
}

/// An event of an ``AccessorySetup``.
public enum AccessoryEvent: Hashable, Sendable {
    /// The user has chosen a device.
    case added(Accessory)
    /// The device was removed: by the app, or by the user in the settings. Its links end.
    case removed(Accessory)
    /// The name, or another property of a device, has changed.
    case changed(Accessory)
    /// Devices that the app knew before are now accessories.
    case migrated
    /// The picker is shown.
    case pickerShown
    /// The picker was dismissed.
    case pickerDismissed
    /// The system has ended the session.
    case invalidated
}

/// An error of the picker or of an accessory.
public struct AccessoryError: Error, Hashable, Sendable {
    /// The kinds of errors; a list that can grow.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The kind of error in a sentence.
        public let description: String

        private init(_ description: String) { self.description = description }

        /// The user has closed the picker, or the task was cancelled.
        public static let cancelled = Kind("The picker was closed without a choice.")
        /// The session is not active, or no longer.
        public static let notActive = Kind("The accessory session is not active.")
        /// A picker is already shown.
        public static let alreadyShown = Kind("A picker is shown already.")
        /// The system does not show a picker now: the app is in the background.
        public static let notAllowedNow = Kind("The system shows no picker now.")
        /// No device was found in time.
        public static let notFound = Kind("No device was found in time.")
        /// The user may not add accessories.
        public static let restricted = Kind("The user may not add accessories.")
        /// The request is not valid; it also fails if a transport was used before a migration.
        public static let invalid = Kind("The system does not accept the request.")
        /// The device could not be set up.
        public static let setupFailed = Kind("The device could not be set up.")
        /// Any other error of the system, with its text.
        public static let system = Kind("The system reported an error.")
    }

    /// The kind of error.
    public let kind: Kind
    /// The domain, the code and the text of the system's error.
    public let details: String?

    /// Creates an error.
    public init(_ kind: Kind, details: String? = nil) {
        self.kind = kind
        self.details = details
    }
}

extension AccessoryError: CustomStringConvertible {
    /// The kind of error in a sentence, and the system's text.
    public var description: String {
        let sentence = "\(kind)"
        guard let details else { return sentence }
        // The text may have the name of a device.
        let printable = details.unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control ? " " : Character(scalar)
        }
        return "\(sentence) (\(String(printable)))"
    }
}
#endif
