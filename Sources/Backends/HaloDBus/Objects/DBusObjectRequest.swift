#if os(Linux)
/// A call, or a write of a property, that waits for a handler's reply.
package struct DBusObjectRequest: Sendable {
    package enum Subject: Hashable, Sendable {
        /// A call; the results have to be of these types.
        case method([DBusType])
        case property(String, DBusValue)
    }

    var id: UInt64 = 0
    var subject = Subject.method([])
    let path: DBusObjectPath
    var interface: String
    let member: String
    let arguments: [DBusValue]
    let sender: String?
    let serial: UInt32
    let wantsReply: Bool
}
#endif
