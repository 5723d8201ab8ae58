public import Foundation

/// A change that a session reports.
public final class ASAccessoryEvent: NSObject, Sendable {
    /// The kind of the change.
    public let eventType: ASAccessoryEventType
    /// The accessory that has changed, for kinds that concern one.
    public let accessory: ASAccessory?
    /// The error, for kinds that report a failure.
    public let error: (any Error)?

    init(_ type: ASAccessoryEventType, _ accessory: ASAccessory? = nil, error: ASError? = nil) {
        eventType = type
        self.accessory = accessory
        self.error = error
    }

    /// The kind of the change, the name of the accessory and the error.
    public override var description: String {
        let name = accessory.map { " \($0.displayName)" } ?? ""
        let reason = error.map { " \($0)" } ?? ""
        return "ASAccessoryEvent(\(eventType)\(name)\(reason))"
    }
}

/// The kind of a change that a session reports.
public enum ASAccessoryEventType: Int, Sendable {
    /// A kind that has no other number.
    case unknown = 0
    /// The session is ready: it has its accessories, and can show a picker.
    case activated = 10
    /// The session has ended.
    case invalidated = 11
    /// The accessories of migration items have become accessories of the app.
    case migrationComplete = 20
    /// The app has one more accessory.
    case accessoryAdded = 30
    /// The app has lost an accessory.
    case accessoryRemoved = 31
    /// The name, the state or the descriptor of an accessory has changed.
    case accessoryChanged = 32
    /// The picker has found an accessory that the app is to filter.
    case accessoryDiscovered = 33
    /// The picker is on the screen.
    case pickerDidPresent = 40
    /// The picker has left the screen.
    case pickerDidDismiss = 50
    /// The picker sets up the bridging to classic Bluetooth.
    case pickerSetupBridging = 60
    /// The set-up in the picker has failed.
    case pickerSetupFailed = 70
    /// The picker pairs with the accessory.
    case pickerSetupPairing = 80
    /// The picker asks for a name of the accessory.
    case pickerSetupRename = 90
}
