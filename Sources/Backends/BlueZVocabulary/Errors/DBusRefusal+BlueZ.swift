#if os(Linux)
package import HaloDBus

/// The daemon's error replies with their texts.
///
/// Those marked "never seen" are quoted from its source; the others were seen from 5.66.
extension DBusRefusal {
    package static let notReady = DBusRefusal(BlueZErrorName.notReady, "Resource Not Ready")
    package static let noDiscovery = failure("No discovery started")
    /// A second discovery of one client.
    package static let searchInProgress = DBusRefusal(
        BlueZErrorName.inProgress, "Operation already in progress")
    /// A second `Connect` to a device out of reach.
    package static let connectInProgress = failure("Operation already in progress")
    /// A second subscription, or a second write of one characteristic.
    package static let inProgress = DBusRefusal(BlueZErrorName.inProgress, "In Progress")
    package static let invalid = DBusRefusal(
        BlueZErrorName.invalidArguments, "Invalid arguments in method call")
    package static let doesNotExist = DBusRefusal(BlueZErrorName.doesNotExist, "Does Not Exist")
    package static let alreadyExists = DBusRefusal(BlueZErrorName.alreadyExists, "Already Exists")
    /// The device is out of reach, or the link was lost while it was set up.
    package static let abortedByLocal = failure("le-connection-abort-by-local")
    /// ``abortedByLocal`` of older daemons (bleak#239); never seen.
    package static let softwareAbort = failure("Software caused connection abort")
    /// `Disconnect` ended the attempt to connect; the text has "br" for LE, too.
    package static let connectionCancelled = failure("br-connection-canceled")
    /// The device has lost the bond, from 5.83 on; the text is the same for LE; never seen.
    package static let keyMissing = failure("br-connection-key-missing")
    /// The device has lost the bond: the source's text for LE; never seen.
    package static let keyMissingLE = failure("le-connection-key-missing")
    /// `Connect` while the adapter is off.
    package static let inputOutput = failure("Input/output error")
    /// Discoverability with a timeout is set while the adapter is off; never seen.
    package static let notPowered = failure("Not Powered")
    /// There is no link; the name is not ``BlueZErrorName/notConnected``.
    package static let notConnected = failure("Not connected")
    /// `StartNotify` while the link ends after `Disconnect`; seen, but not in which call.
    package static let disconnecting = DBusRefusal(BlueZErrorName.notConnected, "Not Connected")
    /// ATT 02.
    package static let readNotPermitted = DBusRefusal(
        BlueZErrorName.notPermitted, "Read not permitted")
    /// ATT 03.
    package static let writeNotPermitted = DBusRefusal(
        BlueZErrorName.notPermitted, "Write not permitted")
    /// ATT 05, 0C and 0F; never seen.
    package static let notPaired = DBusRefusal(BlueZErrorName.notPermitted, "Not paired")
    /// ATT 06, and an operation that the characteristic's properties do not allow.
    package static let notSupported = DBusRefusal(
        BlueZErrorName.notSupported, "Operation is not supported")
    /// ATT 07.
    package static let invalidOffset = DBusRefusal(
        BlueZErrorName.invalidArguments, "Invalid offset")
    /// ATT 08.
    package static let notAuthorized = DBusRefusal(
        BlueZErrorName.notAuthorized, "Operation Not Authorized")
    /// ATT 0D.
    package static let invalidLength = DBusRefusal(
        BlueZErrorName.invalidArguments, "Invalid Length")
    /// A write without response is longer than a packet.
    package static let cannotWrite = failure("Failed to initiate write")
    /// `StopNotify` without a subscription.
    package static let noNotifySession = failure("No notify session started")
    /// A client holds the notification socket.
    package static let notifyAcquired = DBusRefusal(BlueZErrorName.notPermitted, "Notify acquired")
    /// A client holds the write socket.
    package static let writeAcquired = DBusRefusal(BlueZErrorName.notPermitted, "Write acquired")
    package static let authenticationFailed = DBusRefusal(
        BlueZErrorName.authenticationFailed, "Authentication Failed")
    /// Never seen.
    package static let authenticationCancelled = DBusRefusal(
        BlueZErrorName.authenticationCanceled, "Authentication Canceled")
    /// The adapter is to be switched on while rfkill keeps it off: the text has only this word.
    package static let notSwitchedOn = failure("Failed")

    /// A registered application: the program's object manager lists no objects.
    package static let noObject = failure("No object received")
    /// There is no service, or a characteristic or descriptor lacks a property.
    package static let noService = failure("No valid service object found")
    /// A service lacks a property, has an invalid UUID, or is one that the daemon provides.
    package static let noEntry = failure("Failed to create entry in database")
    /// The controller has no room for another advertisement.
    package static let tooManyAdvertisements = DBusRefusal(
        BlueZErrorName.notPermitted, "Maximum advertisements reached")
    /// The registration was withdrawn before it was complete; never seen.
    package static let incomplete = failure("Failed to complete registration")
    /// A property of the advertisement is invalid, or one of its structures too long.
    package static let unreadable = failure("Failed to parse advertisement.")
    /// The kernel refuses: the advertisement is too long for a controller without extended
    /// advertising, or the controller is off.
    package static let notTaken = failure("Failed to register advertisement")

    /// The prefix of the text of every other ATT error; its code follows: `0x80`, `0xfe`.
    package static let attPrefix = "Operation failed with ATT error: 0x"

    /// Returns the reply for an ATT error that has none of its own.
    package static func att(_ code: UInt8) -> DBusRefusal {
        let digits = (code < 0x10 ? "0" : "") + String(code, radix: 16)
        return failure(attPrefix + digits)
    }

    private static func failure(_ text: String) -> DBusRefusal {
        DBusRefusal(BlueZErrorName.failed, text)
    }
}
#endif
