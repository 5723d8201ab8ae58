#if os(Linux)
/// A decoded header, without the serial number, the flags and the length of the body.
struct DBusHeader: Sendable {
    let kind: DBusMessage.Kind
    let destination: String?
    let sender: String?
    let descriptorCount: UInt32
    let types: [DBusType]
}
#endif
