#if os(Linux)
/// `org.freedesktop.DBus.ObjectManager`: which objects there are.
package enum DBusObjectManager {
    /// The name of the interface.
    package static let interfaceName = "org.freedesktop.DBus.ObjectManager"

    /// Tells of all of them.
    package static let getManagedObjects = "GetManagedObjects"
    /// Says that there are more, or that one can do more.
    package static let interfacesAdded = "InterfacesAdded"
    /// Says that there are fewer, or that one can do less.
    package static let interfacesRemoved = "InterfacesRemoved"
}
#endif
