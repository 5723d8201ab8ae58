#if canImport(AccessorySetupKit) && (os(iOS) || os(Linux)) && !targetEnvironment(macCatalyst)
internal import AccessorySetupKit
internal import Foundation
internal import HaloProtocol
public import HaloTransport
internal import UIKit

/// A device that the user has chosen for the app.
public struct Accessory: Hashable, Sendable, Identifiable {
    /// The identity, to connect to it.
    public let identity: PeripheralIdentity
    /// The name that the user sees and may have changed.
    public let name: String
    /// `true` if the app may connect to it; `false` if the user has not finished the setup.
    public let isAuthorized: Bool

    /// The identity, one for each accessory.
    public var id: PeripheralIdentity { identity }

    /// Converts an accessory of the system; `nil` for one without Bluetooth.
    init?(_ accessory: ASAccessory) {
        guard let identifier = accessory.bluetoothIdentifier else { return nil }
        identity = PeripheralIdentity(identifier)
        name = accessory.displayName
        isAuthorized = accessory.state == .authorized
    }
}
#endif
