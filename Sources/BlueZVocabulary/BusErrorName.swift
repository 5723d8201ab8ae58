#if os(Linux)
/// The names of the errors that the bus, or a library, answers with.
package enum BusErrorName {
    private static let prefix = "org.freedesktop.DBus.Error."
    /// There is no such object.
    package static let unknownObject = prefix + "UnknownObject"
    /// The object has no such interface.
    package static let unknownInterface = prefix + "UnknownInterface"
    /// The object has no such method.
    package static let unknownMethod = prefix + "UnknownMethod"
    /// Nobody has that name.
    package static let serviceUnknown = prefix + "ServiceUnknown"
    /// Nobody has that name.
    package static let nameHasNoOwner = prefix + "NameHasNoOwner"
    /// Whoever was asked has gone.
    package static let noReply = prefix + "NoReply"
    /// It may not be asked for.
    package static let accessDenied = prefix + "AccessDenied"
    /// It took too long.
    package static let timeout = prefix + "Timeout"
    /// It took too long.
    package static let timedOut = prefix + "TimedOut"
}
#endif
