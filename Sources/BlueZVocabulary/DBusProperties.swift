#if os(Linux)
/// `org.freedesktop.DBus.Properties`: what objects are like.
package enum DBusProperties {
    /// The name of the interface.
    package static let interfaceName = "org.freedesktop.DBus.Properties"

    /// Reads one property.
    package static let get = "Get"
    /// Writes one.
    package static let set = "Set"
    /// Reads all of an interface.
    package static let getAll = "GetAll"
    /// Says that some are others now.
    package static let propertiesChanged = "PropertiesChanged"
}
#endif
