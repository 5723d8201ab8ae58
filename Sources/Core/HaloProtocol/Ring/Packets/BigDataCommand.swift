/// A big-data command: a namespace for a request and the records that reply to it.
public protocol BigDataCommand {
    /// The record that a ring sends: a reply, or a push.
    associatedtype Reply: BigDataReply
    /// The record id of requests, the name and the evidence.
    static var facts: CommandFacts { get }
    /// The record id of replies; by default that of requests.
    static var replyID: UInt8 { get }
}

extension BigDataCommand {
    /// The name of the type, as programs write it.
    @inlinable public static var name: FieldName { facts.name }
    /// `true` if no request changes the ring.
    @inlinable public static var onlyReads: Bool { facts.onlyReads }
    /// The record id of requests.
    @inlinable public static var requestID: UInt8 { facts.code }
    /// The record id of replies, which is that of requests.
    @inlinable public static var replyID: UInt8 { facts.code }
}
