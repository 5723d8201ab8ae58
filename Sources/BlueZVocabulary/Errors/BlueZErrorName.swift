#if os(Linux)
/// The names of the errors that the daemon replies with.
package enum BlueZErrorName {
    /// The prefix of all error names.
    package static let prefix = "org.bluez.Error."
    /// A generic error: the text says more (``BlueZErrorText``).
    package static let failed = prefix + "Failed"
    /// An operation of the same kind is under way.
    package static let inProgress = prefix + "InProgress"
    /// The adapter is off.
    package static let notReady = prefix + "NotReady"
    /// Rfkill keeps the adapter off; never seen: 5.66 replies with ``failed`` then.
    package static let blocked = prefix + "Blocked"
    /// There is no link.
    package static let notConnected = prefix + "NotConnected"
    /// There is a link already.
    package static let alreadyConnected = prefix + "AlreadyConnected"
    /// The object or registration exists already.
    package static let alreadyExists = prefix + "AlreadyExists"
    /// The object or registration does not exist.
    package static let doesNotExist = prefix + "DoesNotExist"
    /// The adapter, or the attribute, does not support the operation.
    package static let notSupported = prefix + "NotSupported"
    /// The attribute does not permit the operation.
    package static let notPermitted = prefix + "NotPermitted"
    /// The device demands an authorised link.
    package static let notAuthorized = prefix + "NotAuthorized"
    /// The arguments make no sense.
    package static let invalidArguments = prefix + "InvalidArguments"
    /// The attribute does not accept a value of this length.
    package static let invalidValueLength = prefix + "InvalidValueLength"
    /// The offset lies behind the end of the value.
    package static let invalidOffset = prefix + "InvalidOffset"
    /// The advertisement is too long.
    package static let invalidLength = prefix + "InvalidLength"
    /// Pairing failed.
    package static let authenticationFailed = prefix + "AuthenticationFailed"
    /// Pairing was cancelled.
    package static let authenticationCanceled = prefix + "AuthenticationCanceled"
    /// The device refused to pair.
    package static let authenticationRejected = prefix + "AuthenticationRejected"
    /// Pairing timed out.
    package static let authenticationTimeout = prefix + "AuthenticationTimeout"
    /// An agent's reply: the user refuses.
    package static let rejected = prefix + "Rejected"
    /// An agent's reply: the user has cancelled.
    package static let canceled = prefix + "Canceled"
}

/// The texts of the daemon's errors.
///
/// Those marked "never seen" are quoted from its source; the others were seen from 5.66.
package enum BlueZErrorText {
    /// The adapter is off: ``BlueZErrorName/notReady``.
    package static let notReady = "Resource Not Ready"
    /// `StopDiscovery` without a discovery: ``BlueZErrorName/failed``.
    package static let noDiscovery = "No discovery started"
    /// A second discovery of one client, or a second `Connect` to a device out of reach.
    package static let alreadyInProgress = "Operation already in progress"
    /// A second subscription, or a second write of one characteristic:
    /// ``BlueZErrorName/inProgress``.
    package static let inProgress = "In Progress"
    /// The text of ``BlueZErrorName/invalidArguments``.
    package static let invalidArguments = "Invalid arguments in method call"
    /// The text of ``BlueZErrorName/doesNotExist``.
    package static let doesNotExist = "Does Not Exist"
    /// The text of ``BlueZErrorName/alreadyExists``.
    package static let alreadyExists = "Already Exists"
    /// The device is out of reach, or the link was lost while it was set up.
    package static let abortedByLocal = "le-connection-abort-by-local"
    /// The text of ``abortedByLocal`` in older daemons (bleak#239); never seen.
    package static let softwareAbort = "Software caused connection abort"
    /// `Disconnect` ended the attempt to connect; the text has "br" for LE, too.
    package static let connectionCancelled = "br-connection-canceled"
    /// The device has lost the bond, from 5.83 on; the text is the same for LE; never seen.
    package static let keyMissing = "br-connection-key-missing"
    /// The device has lost the bond: the source's text for LE; never seen.
    package static let keyMissingLE = "le-connection-key-missing"
    /// `Connect` while the adapter is off: ``BlueZErrorName/failed``.
    package static let inputOutput = "Input/output error"
    /// Discoverability with a timeout is set while the adapter is off: ``BlueZErrorName/failed``;
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
    /// ATT 06, and an operation that the characteristic's properties do not allow.
    package static let notSupported = "Operation is not supported"
    /// ATT 07: ``BlueZErrorName/invalidArguments``.
    package static let invalidOffset = "Invalid offset"
    /// ATT 08: ``BlueZErrorName/notAuthorized``.
    package static let notAuthorized = "Operation Not Authorized"
    /// ATT 0D: ``BlueZErrorName/invalidArguments``.
    package static let invalidLength = "Invalid Length"
    /// A write without response is longer than a packet: ``BlueZErrorName/failed``.
    package static let cannotWrite = "Failed to initiate write"
    /// `StopNotify` without a subscription: ``BlueZErrorName/failed``.
    package static let noNotifySession = "No notify session started"
    /// A client holds the notification socket: ``BlueZErrorName/notPermitted``.
    package static let notifyAcquired = "Notify acquired"
    /// A client holds the write socket: ``BlueZErrorName/notPermitted``.
    package static let writeAcquired = "Write acquired"
    /// The text of ``BlueZErrorName/authenticationFailed``.
    package static let authenticationFailed = "Authentication Failed"
    /// The text of ``BlueZErrorName/authenticationCanceled``; never seen.
    package static let authenticationCancelled = "Authentication Canceled"
    /// The prefix of every other ATT error; its code follows: `0x80`, `0xfe`.
    package static let attPrefix = "Operation failed with ATT error: 0x"
    /// The adapter is to be switched on while rfkill keeps it off: ``BlueZErrorName/failed``, with
    /// only this word.
    package static let blockedByRfkill = "Failed"

    /// Returns the text of an ATT error that has none of its own.
    package static func att(_ code: UInt8) -> String {
        attPrefix + (code < 0x10 ? "0" : "") + String(code, radix: 16)
    }
}

/// The daemon's texts when it refuses to register an application or an advertisement, as seen from
/// 5.66.
package enum RegistrationText {
    /// The program's object manager lists no objects.
    package static let noObject = "No object received"
    /// There is no service, or a characteristic or descriptor lacks a property.
    package static let noService = "No valid service object found"
    /// A service lacks a property, has an invalid UUID, or is one that the daemon provides.
    package static let noEntry = "Failed to create entry in database"
    /// Another program has registered the profile; never seen.
    package static let taken = "UUID already registered"
    /// The controller has no room for another advertisement.
    package static let tooMany = "Maximum advertisements reached"
    /// The registration was withdrawn before it was complete; never seen.
    package static let incomplete = "Failed to complete registration"
    /// A property of the advertisement is invalid, or one of its structures too long.
    package static let unreadable = "Failed to parse advertisement."
    /// The kernel refuses: the advertisement is too long, or the controller is off.
    package static let notRegistered = "Failed to register advertisement"
}

/// The daemon's reasons for the end of a link, from 5.83 on: quoted from its source, never seen.
package enum BlueZReason {
    private static let prefix = "org.bluez.Reason."
    /// The daemon knows no reason.
    package static let unknown = prefix + "Unknown"
    /// The device was silent for the supervision timeout.
    package static let timeout = prefix + "Timeout"
    /// This computer ended the link.
    package static let local = prefix + "Local"
    /// The device ended the link.
    package static let remote = prefix + "Remote"
    /// The keys did not match.
    package static let authentication = prefix + "Authentication"
    /// This computer is suspended.
    package static let suspend = prefix + "Suspend"

    /// Returns the text that the daemon sends with a reason.
    package static func text(of reason: String) -> String {
        switch reason {
        case timeout: "Connection timeout"
        case local: "Connection terminated by local host"
        case remote: "Connection terminated by remote user"
        case authentication: "Connection terminated due to authentication failure"
        case suspend: "Connection terminated by local host for suspend"
        default: "Unspecified"
        }
    }
}
#endif
