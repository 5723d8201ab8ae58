#if os(Linux)
/// A property's new bytes, cut out of a message that was recognised by its template.
struct DBusPropertyUpdate {
    let source: DBusPropertySource
    let slot: Int
    let value: [UInt8]
    /// The length of the message in bytes.
    let length: Int
}
#endif
