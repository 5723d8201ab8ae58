#if os(Linux)
/// What is asked of an object on the bus.
public struct DBusCall: Hashable, Sendable {
    /// Whose object it is.
    public var destination: String
    /// The object.
    public var path: DBusObjectPath
    /// The interface that the method belongs to.
    public var interface: String
    /// The method.
    public var member: String
    /// The values that it takes.
    public var arguments: [DBusValue]
    /// Flags of the message.
    public var flags: DBusMessage.Flags

    /// A call.
    public init(
        _ member: String, of interface: String, at path: DBusObjectPath, on destination: String,
        _ arguments: [DBusValue] = [], flags: DBusMessage.Flags = []
    ) {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
        self.flags = flags
    }
}
#endif
