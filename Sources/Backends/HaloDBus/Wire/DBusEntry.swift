#if os(Linux)
package struct DBusEntry: Hashable, Sendable {
    package let key: DBusValue
    package let value: DBusValue

    package init(_ key: DBusValue, _ value: DBusValue) {
        self.key = key
        self.value = value
    }
}
#endif
