#if os(Linux)
/// Consecutive values of one property whose type is `ay`: the content of several
/// `PropertiesChanged` signals that differ in nothing else.
package struct DBusPropertyValues: Sendable {
    let source: DBusPropertySource
    package internal(set) var values: [[UInt8]]

    package init(
        _ values: [[UInt8]], of name: String, _ interface: String, at path: DBusObjectPath,
        sender: String? = nil
    ) {
        self.init(
            source: DBusPropertySource(path, interface, name, sender: sender), values: values)
    }

    init(source: DBusPropertySource, values: [[UInt8]]) {
        self.source = source
        self.values = values
    }

    package var path: DBusObjectPath { source.path }
    package var interface: String { source.interface }
    package var name: String { source.name }
    package var sender: String? { source.sender }

    package var signals: [DBusSignal] { values.map { source.signal(changing: $0) } }
}
#endif
