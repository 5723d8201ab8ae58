#if os(Linux)
/// Names of the standard errors, which the bus and the common libraries reply with.
package enum DBusErrorName {
    private static let prefix = "org.freedesktop.DBus.Error."
    /// A generic error; the text says more.
    package static let failed = prefix + "Failed"
    /// The object does not exist.
    package static let unknownObject = prefix + "UnknownObject"
    /// The object does not have the interface.
    package static let unknownInterface = prefix + "UnknownInterface"
    /// The object does not have the method.
    package static let unknownMethod = prefix + "UnknownMethod"
    /// The interface does not have the property.
    package static let unknownProperty = prefix + "UnknownProperty"
    /// The property cannot be written.
    package static let propertyReadOnly = prefix + "PropertyReadOnly"
    /// The arguments do not fit the method.
    package static let invalidArguments = prefix + "InvalidArgs"
    /// The value has another type than the property.
    package static let invalidSignature = prefix + "InvalidSignature"
    /// The name to call has no owner, and no program can be started for it.
    package static let serviceUnknown = prefix + "ServiceUnknown"
    /// The name to look up has no owner.
    package static let nameHasNoOwner = prefix + "NameHasNoOwner"
    /// The callee disconnected, or dropped the call, without a reply.
    package static let noReply = prefix + "NoReply"
    /// A policy forbids the call.
    package static let accessDenied = prefix + "AccessDenied"
    /// The operation is not supported.
    package static let notSupported = prefix + "NotSupported"
    /// A limit of the bus or of the callee is reached.
    package static let limitsExceeded = prefix + "LimitsExceeded"
    /// The text of a match rule is invalid.
    package static let matchRuleInvalid = prefix + "MatchRuleInvalid"
    /// The match rule to remove was never added.
    package static let matchRuleNotFound = prefix + "MatchRuleNotFound"
    /// The prefix of all errors for a program that could not be started for a name.
    package static let spawnPrefix = prefix + "Spawn."
}
#endif
