#if os(Linux)
/// One entry of a dictionary.
package struct DBusEntry: Hashable, Sendable {
    /// The key.
    package let key: DBusValue
    /// The value.
    package let value: DBusValue

    /// Creates an entry.
    package init(_ key: DBusValue, _ value: DBusValue) {
        self.key = key
        self.value = value
    }
}
#endif
