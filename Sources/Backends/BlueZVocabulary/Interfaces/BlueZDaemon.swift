#if os(Linux)
package import HaloDBus

/// The daemon's name and its two fixed objects.
package enum BlueZDaemon {
    package static let name = "org.bluez"
    package static let manager = DBusObjectPath.root
    /// The path above all other objects; it has `AgentManager1`.
    package static let root = DBusObjectPath(unchecked: "/org/bluez")
}
#endif
