#if os(Linux)
package import HaloDBus

/// Where the daemon is found on a bus.
package enum BlueZDaemon {
    /// The name that it owns.
    package static let name = "org.bluez"
    /// The object that tells what objects there are.
    package static let manager = DBusObjectPath.root
    /// The object below which all the others are, and which has the daemon's own managers.
    package static let root = "/org/bluez"
}
#endif
