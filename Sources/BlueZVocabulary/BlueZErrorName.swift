#if os(Linux)
/// The names of the errors that the daemon answers with.
package enum BlueZErrorName {
    /// How all of them begin.
    package static let prefix = "org.bluez.Error."
    /// Something went wrong; the text says what.
    package static let failed = prefix + "Failed"
    /// Something of the kind is under way already.
    package static let inProgress = prefix + "InProgress"
    /// The adapter is off.
    package static let notReady = prefix + "NotReady"
    /// A switch of the computer keeps the adapter off; never seen: 5.66 says ``failed`` then.
    package static let blocked = prefix + "Blocked"
    /// There is no link.
    package static let notConnected = prefix + "NotConnected"
    /// There is a link already.
    package static let alreadyConnected = prefix + "AlreadyConnected"
    /// It is there already.
    package static let alreadyExists = prefix + "AlreadyExists"
    /// It is not there.
    package static let doesNotExist = prefix + "DoesNotExist"
    /// It cannot be done here.
    package static let notSupported = prefix + "NotSupported"
    /// It may not be done.
    package static let notPermitted = prefix + "NotPermitted"
    /// The device wants an authorised link.
    package static let notAuthorized = prefix + "NotAuthorized"
    /// What was given makes no sense.
    package static let invalidArguments = prefix + "InvalidArguments"
    /// A value has an impossible length.
    package static let invalidValueLength = prefix + "InvalidValueLength"
    /// A value has no such place.
    package static let invalidOffset = prefix + "InvalidOffset"
    /// What is to be advertised is too long.
    package static let invalidLength = prefix + "InvalidLength"
    /// A subscription of a kind that there is not.
    package static let improperlyConfigured = prefix + "ImproperlyConfigured"
    /// Pairing came to nothing.
    package static let authenticationFailed = prefix + "AuthenticationFailed"
    /// Pairing was cancelled.
    package static let authenticationCanceled = prefix + "AuthenticationCanceled"
    /// Pairing was refused.
    package static let authenticationRejected = prefix + "AuthenticationRejected"
    /// Pairing took too long.
    package static let authenticationTimeout = prefix + "AuthenticationTimeout"
    /// The device could not be reached in order to pair.
    package static let connectionAttemptFailed = prefix + "ConnectionAttemptFailed"
    /// An agent says no.
    package static let rejected = prefix + "Rejected"
    /// An agent stops.
    package static let canceled = prefix + "Canceled"
}
#endif
