#if os(Linux)
/// `org.freedesktop.DBus.Properties`: reads and writes the properties of an object.
package enum DBusProperties {
    package static let interfaceName = "org.freedesktop.DBus.Properties"

    package static let get = "Get"
    package static let set = "Set"
    package static let getAll = "GetAll"
    /// Signal: properties have new values, or values that have to be read again.
    package static let propertiesChanged = "PropertiesChanged"
}
#endif
