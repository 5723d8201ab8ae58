#if os(Linux)
/// Consecutive values of one property whose type is `ay`: the content of several
/// `PropertiesChanged` signals that differ in nothing else.
package struct DBusPropertyValues: Sendable {
    package let source: DBusPropertySource
    package internal(set) var values: [[UInt8]]

    package var signals: [DBusSignal] { values.map { source.signal(changing: $0) } }
}
#endif
