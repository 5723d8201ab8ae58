#if os(Linux)
/// Names of the standard errors, which the bus and the common libraries reply with.
package enum DBusErrorName {
    private static let prefix = "org.freedesktop.DBus.Error."
    package static let failed = prefix + "Failed"
    package static let unknownObject = prefix + "UnknownObject"
    package static let unknownInterface = prefix + "UnknownInterface"
    package static let unknownMethod = prefix + "UnknownMethod"
    package static let unknownProperty = prefix + "UnknownProperty"
    package static let propertyReadOnly = prefix + "PropertyReadOnly"
    package static let invalidArguments = prefix + "InvalidArgs"
    package static let invalidSignature = prefix + "InvalidSignature"
    /// The name to call has no owner, and no program can be started for it.
    package static let serviceUnknown = prefix + "ServiceUnknown"
    /// The name to look up has no owner.
    package static let nameHasNoOwner = prefix + "NameHasNoOwner"
    /// The callee disconnected, or dropped the call, without a reply.
    package static let noReply = prefix + "NoReply"
    package static let accessDenied = prefix + "AccessDenied"
    package static let notSupported = prefix + "NotSupported"
    package static let limitsExceeded = prefix + "LimitsExceeded"
    package static let matchRuleInvalid = prefix + "MatchRuleInvalid"
    package static let matchRuleNotFound = prefix + "MatchRuleNotFound"
    /// The prefix of all errors for a program that could not be started for a name.
    package static let spawnPrefix = prefix + "Spawn."
}
#endif
