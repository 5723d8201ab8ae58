#if os(Linux)
package enum BlueZErrorName {
    package static let prefix = "org.bluez.Error."
    package static let failed = prefix + "Failed"
    package static let inProgress = prefix + "InProgress"
    package static let notReady = prefix + "NotReady"
    /// Rfkill keeps the adapter off; never seen: 5.66 replies with ``failed`` then.
    package static let blocked = prefix + "Blocked"
    package static let notConnected = prefix + "NotConnected"
    package static let alreadyConnected = prefix + "AlreadyConnected"
    package static let alreadyExists = prefix + "AlreadyExists"
    package static let doesNotExist = prefix + "DoesNotExist"
    package static let notSupported = prefix + "NotSupported"
    package static let notPermitted = prefix + "NotPermitted"
    package static let notAuthorized = prefix + "NotAuthorized"
    package static let invalidArguments = prefix + "InvalidArguments"
    package static let invalidValueLength = prefix + "InvalidValueLength"
    package static let invalidOffset = prefix + "InvalidOffset"
    /// The advertisement is too long.
    package static let invalidLength = prefix + "InvalidLength"
    package static let authenticationFailed = prefix + "AuthenticationFailed"
    package static let authenticationCanceled = prefix + "AuthenticationCanceled"
    package static let authenticationRejected = prefix + "AuthenticationRejected"
    package static let authenticationTimeout = prefix + "AuthenticationTimeout"
    /// An agent's reply: the user refuses.
    package static let rejected = prefix + "Rejected"
    /// An agent's reply: the user has cancelled.
    package static let canceled = prefix + "Canceled"
}
#endif
