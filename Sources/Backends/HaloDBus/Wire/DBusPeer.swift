#if os(Linux)
/// `org.freedesktop.DBus.Peer`: answered by every connection, at any path.
package enum DBusPeer {
    package static let interfaceName = "org.freedesktop.DBus.Peer"

    package static let ping = "Ping"
    package static let getMachineID = "GetMachineId"
}
#endif
