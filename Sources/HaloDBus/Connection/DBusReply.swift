#if os(Linux)
/// What came back from a call.
public struct DBusReply: Sendable {
    /// The values.
    public let values: [DBusValue]
    /// Who answered, by the name that the bus gave.
    public let sender: String?
    /// The descriptors that came with them.
    public let descriptors: DBusDescriptors

    /// An answer.
    public init(
        _ values: [DBusValue] = [], sender: String? = nil,
        descriptors: DBusDescriptors = DBusDescriptors()
    ) {
        self.values = values
        self.sender = sender
        self.descriptors = descriptors
    }

    /// The first value, or an error that says that there is none.
    public func first() throws(DBusError) -> DBusValue {
        guard let value = values.first else {
            throw DBusError(.unexpectedAnswer, details: "an answer without a value")
        }
        return value
    }

    /// The first value as text, or an error that says that it is none.
    public func string() throws(DBusError) -> String {
        let value = try first()
        guard let text = value.string else {
            throw DBusError(.unexpectedAnswer, details: "\(value.type) where text is due")
        }
        return text
    }
}
#endif
