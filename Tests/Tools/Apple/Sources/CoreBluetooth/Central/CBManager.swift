public import Foundation

/// What the managers of both roles have in common: the state of Bluetooth.
///
/// A manager belongs to the phone that is current when it is created.
public class CBManager: NSObject {
    let system: PhoneSystem
    /// The number of this manager in its phone.
    let number: UInt64
    /// The queue of the delegate.
    let queue: DispatchQueue
    /// `true` once the app's process has ended: there are no more calls.
    let isTerminated = Guarded(false)
    private let reported = Guarded(CBManagerState.unknown)

    init(queue: DispatchQueue?) {
        let phone = Phone.inForce
        system = phone.system
        number = system.makeNumber()
        self.queue = queue ?? .main
        super.init()
        if system.has(.missingUsageDescription) {
            phone.raise(
                "This app has crashed because it attempted to access privacy-sensitive data without"
                    + " a usage description.  The app's Info.plist must contain an"
                    + " NSBluetoothAlwaysUsageDescription key")
        }
    }

    /// The state of Bluetooth, as the delegate was last told.
    public var state: CBManagerState { reported.value }

    /// The permission of the app.
    public class var authorization: CBManagerAuthorization { Phone.inForce.authorization }

    /// The permission of the app.
    public var authorization: CBManagerAuthorization { system.shared.value.authorization }

    /// Sets the state; returns the one before.
    func setState(_ state: CBManagerState) -> CBManagerState {
        reported.withLock { reported in
            defer { reported = state }
            return reported
        }
    }

    /// Returns `true` if commands are accepted, and logs a misuse otherwise.
    func acceptsCommands() -> Bool {
        guard !isTerminated.value else { return false }
        if state == .poweredOn { return true }
        let name = "<\(type(of: self)): \(address(of: self))>"
        system.log(
            "API MISUSE: \(name) can only accept this command while in the powered on state")
        return false
    }
}

@available(*, unavailable)
extension CBManager: Sendable {}

/// The address of an object, as logs show it.
func address(of object: AnyObject) -> String {
    "0x" + String(UInt(bitPattern: ObjectIdentifier(object).hashValue), radix: 16)
}

/// The other side of a connection.
public class CBPeer: NSObject, NSCopying {
    /// The identifier, which this phone made up.
    public let identifier: UUID

    init(_ identifier: UUID) { self.identifier = identifier }

    /// Returns this object.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

@available(*, unavailable)
extension CBPeer: Sendable {}
