#if os(Linux)
package enum DBusAuthenticationError: String, Error, CustomStringConvertible {
    case rejected = "the bus does not let this user in"
    /// The other side breaks the protocol.
    case unexpected = "the bus does not speak D-Bus while it authenticates"
    /// The other side exceeds the length of a line, or the number of lines.
    case lineTooLong = "the bus sends too much while it authenticates"

    package var description: String { rawValue }
}
#endif
