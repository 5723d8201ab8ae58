#if os(Linux)
/// The names of the errors that the daemon replies with.
package enum BlueZErrorName {
    package static let prefix = "org.bluez.Error."
    /// A generic error: the text says more.
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
#endif
