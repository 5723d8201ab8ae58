#if canImport(AccessorySetupKit) && (os(iOS) || os(Linux)) && !targetEnvironment(macCatalyst)
internal import AccessorySetupKit
internal import Foundation
internal import HaloProtocol
internal import HaloTransport
public import UIKit

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
#endif
