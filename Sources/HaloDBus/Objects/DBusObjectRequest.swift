#if os(Linux)
/// What is asked of an exported object, and for whom the answer is.
struct DBusObjectRequest: Sendable {
    enum Subject: Hashable, Sendable {
        /// A method is called; the answer has to be of these types.
        case method([DBusType])
        /// A property is to be written.
        case property(String, DBusValue)
    }

    /// Numbers the requests of a connection.
    let id: UInt64
    let subject: Subject
    let path: DBusObjectPath
    let interface: String
    let member: String
    let arguments: [DBusValue]
    let sender: String?
    let serial: UInt32
    let wantsReply: Bool
    let descriptors: DBusDescriptors
}
#endif
