#if os(Linux)
/// A call, or a write of a property, that waits for a handler's reply.
package struct DBusObjectRequest: Sendable {
    /// The operation of a request: a method call or a property write.
    package enum Subject: Hashable, Sendable {
        /// A call; the results have to be of these types.
        case method([DBusType])
        /// A write of a property.
        case property(String, DBusValue)
    }

    /// The number of the request on its connection.
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
