#if os(Linux)
package struct DBusSignal: Sendable {
    package let path: DBusObjectPath
    package let interface: String
    package let member: String
    /// The unique name of the sender.
    package let sender: String?
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
