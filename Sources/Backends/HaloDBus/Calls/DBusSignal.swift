#if os(Linux)
/// A signal of an object.
package struct DBusSignal: Sendable {
    /// The path of the object that emits the signal.
    package let path: DBusObjectPath
    package let interface: String
    /// The name of the signal.
    package let member: String
    /// The unique name of the sender.
    package let sender: String?
    /// The arguments.
    package let values: [DBusValue]

    package init(
        _ member: String, of interface: String, at path: DBusObjectPath,
        _ values: [DBusValue] = [], sender: String? = nil
    ) {
        self.path = path
        self.interface = interface
        self.member = member
        self.sender = sender
        self.values = values
    }
}
#endif
