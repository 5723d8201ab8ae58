#if os(Linux)
/// Something that has happened, as an object on the bus said.
public struct DBusSignal: Sendable {
    /// The object.
    public let path: DBusObjectPath
    /// The interface that the signal belongs to.
    public let interface: String
    /// The signal's name.
    public let member: String
    /// Who said it, by the name that the bus gave.
    public let sender: String?
    /// The values that it has.
    public let values: [DBusValue]
    /// The descriptors that came with it.
    public var descriptors: DBusDescriptors { held ?? DBusDescriptors() }

    /// Nothing if none came: most signals have none.
    let held: DBusDescriptors?

    /// A signal.
    public init(
        _ member: String, of interface: String, at path: DBusObjectPath,
        _ values: [DBusValue] = [], sender: String? = nil, descriptors: DBusDescriptors? = nil
    ) {
        self.path = path
        self.interface = interface
        self.member = member
        self.sender = sender
        self.values = values
        held = descriptors
    }
}
#endif
