#if os(Linux)
/// `org.freedesktop.DBus.Peer`: answered by every connection, at any path.
package enum DBusPeer {
    package static let interfaceName = "org.freedesktop.DBus.Peer"

    /// Does nothing but reply.
    package static let ping = "Ping"
    /// Returns the identifier of the computer.
    package static let getMachineID = "GetMachineId"
}
#endif
