#if os(Linux)
package struct DBusReply: Sendable {
    package let values: [DBusValue]
    /// The unique name of the callee.
    package let sender: String?
    package let descriptors: DBusDescriptors

    package init(
        _ values: [DBusValue] = [], sender: String? = nil,
        descriptors: DBusDescriptors = DBusDescriptors()
    ) {
        self.values = values
        self.sender = sender
        self.descriptors = descriptors
    }

    /// Returns the first result; throws ``DBusError/Kind/unexpectedReply`` if there is none.
    package func first() throws(DBusError) -> DBusValue {
        guard let value = values.first else {
            throw DBusError(.unexpectedReply, details: "a reply without a value")
        }
        return value
    }
}

extension Result {
    package var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
#endif
