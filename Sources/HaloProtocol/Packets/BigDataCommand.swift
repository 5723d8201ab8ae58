/// A big-data command: a namespace for a request and the records that answer it.
public protocol BigDataCommand {
    /// The name of the type, as programs write it.
    static var name: FieldName { get }
    /// What it is, in words.
    static var title: FieldName { get }
    /// How well its layout is known.
    static var evidence: Evidence { get }
    /// The record id that a request carries.
    static var requestID: UInt8 { get }
    /// The record id of the answer: nearly always the same.
    static var replyID: UInt8 { get }
    /// Whether every request of it leaves the ring as it is, so that it may be sent again.
    static var onlyReads: Bool { get }
}

extension BigDataCommand {
    /// The answer carries the id of the request.
    @inlinable public static var replyID: UInt8 { requestID }

    /// What is not known to be harmless is not sent twice.
    public static var onlyReads: Bool { false }
}

/// A big-data command that is sent to a ring.
public protocol BigDataRequestCommand: BigDataCommand {
    /// What is sent.
    associatedtype Request: BigDataRequest
}

/// A big-data command that a ring answers, or a record that it sends by itself.
public protocol BigDataReplyCommand: BigDataCommand {
    /// What the ring says.
    associatedtype Reply: BigDataReply
}
