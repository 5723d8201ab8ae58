#if os(Linux)
package import HaloDBus

extension DBusType {
    /// Values by name, `a{sv}`: properties, and what can be said with a call.
    package static var options: DBusType { .dictionary(key: .string, value: .variant) }
}
#endif
