#if os(Linux)
/// `org.freedesktop.DBus.ObjectManager`: lists the objects below a path.
package enum DBusObjectManager {
    package static let interfaceName = "org.freedesktop.DBus.ObjectManager"

    package static let getManagedObjects = "GetManagedObjects"
    /// Signal: an object has appeared, or has more interfaces.
    package static let interfacesAdded = "InterfacesAdded"
    /// Signal: an object was removed, or has fewer interfaces.
    package static let interfacesRemoved = "InterfacesRemoved"
}
#endif
