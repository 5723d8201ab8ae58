#if os(Linux)
/// What the daemon says with its errors. Those marked so were never seen and are as its source
/// has them; the others are as 5.66 said them.
package enum BlueZErrorText {
    /// The adapter is off: ``BlueZErrorName/notReady``.
    package static let notReady = "Resource Not Ready"
    /// Nobody looks for devices: ``BlueZErrorName/failed``.
    package static let noDiscovery = "No discovery started"
    /// A second search, or a second attempt to connect to what is out of reach.
    package static let alreadyInProgress = "Operation already in progress"
    /// A subscription is there already, or a write of the same characteristic is under way:
    /// ``BlueZErrorName/inProgress``.
    package static let inProgress = "In Progress"
    /// ``BlueZErrorName/invalidArguments``.
    package static let invalidArguments = "Invalid arguments in method call"
    /// ``BlueZErrorName/doesNotExist``.
    package static let doesNotExist = "Does Not Exist"
    /// ``BlueZErrorName/alreadyExists``.
    package static let alreadyExists = "Already Exists"
    /// The device cannot be reached, or the link broke while it was made.
    package static let abortedByLocal = "le-connection-abort-by-local"
    /// The attempt was ended by somebody's `Disconnect`; the daemon says so of LE, too.
    package static let connectionCancelled = "br-connection-canceled"
    /// The device has forgotten the bond, from 5.83 on, of LE, too; never seen.
    package static let bondIsForgotten = "br-connection-key-missing"
    /// The same, as the source has it for LE; never seen.
    package static let bondIsForgottenLE = "le-connection-key-missing"
    /// The adapter is off, and somebody connects: ``BlueZErrorName/failed``.
    package static let inputOutput = "Input/output error"
    /// The adapter is off, and is to be visible to others for a while: ``BlueZErrorName/failed``;
    /// never seen.
    package static let notPowered = "Not Powered"
    /// There is no link: ``BlueZErrorName/failed``, not ``BlueZErrorName/notConnected``.
    package static let notConnected = "Not connected"
    /// ATT 02: ``BlueZErrorName/notPermitted``.
    package static let readNotPermitted = "Read not permitted"
    /// ATT 03: ``BlueZErrorName/notPermitted``.
    package static let writeNotPermitted = "Write not permitted"
    /// ATT 05, 0C and 0F: ``BlueZErrorName/notPermitted``; never seen.
    package static let notPaired = "Not paired"
    /// ATT 06, and what the characteristic's properties do not allow.
    package static let notSupported = "Operation is not supported"
    /// ATT 07: ``BlueZErrorName/invalidArguments``.
    package static let invalidOffset = "Invalid offset"
    /// ATT 08: ``BlueZErrorName/notAuthorized``.
    package static let notAuthorized = "Operation Not Authorized"
    /// ATT 0D: ``BlueZErrorName/invalidArguments``.
    package static let invalidLength = "Invalid Length"
    /// A command is longer than a packet: ``BlueZErrorName/failed``.
    package static let cannotWrite = "Failed to initiate write"
    /// Nobody has subscribed: ``BlueZErrorName/failed``.
    package static let noNotifySession = "No notify session started"
    /// Somebody has the socket to read: ``BlueZErrorName/notPermitted``.
    package static let notifyAcquired = "Notify acquired"
    /// Somebody has the socket to write: ``BlueZErrorName/notPermitted``.
    package static let writeAcquired = "Write acquired"
    /// ``BlueZErrorName/authenticationFailed``.
    package static let authenticationFailed = "Authentication Failed"
    /// ``BlueZErrorName/authenticationCanceled``; never seen.
    package static let authenticationCancelled = "Authentication Canceled"
    /// What goes before the code of any other ATT error: `0x80`, `0xfe`.
    package static let attPrefix = "Operation failed with ATT error: 0x"
    /// An adapter that the kernel keeps off (rfkill) is to be on: ``BlueZErrorName/failed``, and
    /// nothing else is said.
    package static let notSwitchedOn = "Failed"

    /// Any other ATT error.
    package static func att(_ code: UInt8) -> String {
        attPrefix + (code < 0x10 ? "0" : "") + String(code, radix: 16)
    }
}
#endif
