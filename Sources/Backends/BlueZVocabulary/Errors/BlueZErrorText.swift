#if os(Linux)
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
    /// `StartNotify` while the link ends after `Disconnect`: ``BlueZErrorName/notConnected``; seen,
    /// but not in which call.
    package static let disconnecting = "Not Connected"
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
#endif
