#if os(Linux)
/// `org.freedesktop.DBus.Introspectable`: describes an object as XML.
package enum DBusIntrospectable {
    package static let interfaceName = "org.freedesktop.DBus.Introspectable"

    package static let introspect = "Introspect"
}
#endif
