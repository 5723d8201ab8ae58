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
}

extension BigDataCommand {
    /// The answer carries the id of the request.
    public static var replyID: UInt8 { requestID }
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

/// What a big-data frame carries under one record id, in one direction.
public protocol BigDataRecord: BytePacket {
    /// The command it belongs to.
    associatedtype Owner: BigDataCommand
    /// The record id in the frame's header.
    static var id: UInt8 { get }
}

/// A record that is sent to a ring.
public protocol BigDataRequest: BigDataRecord {}

extension BigDataRequest {
    /// `Command.Request`.
    public static var name: PacketName { PacketName(Owner.name, "Request") }
    /// The id of the command's requests.
    public static var id: UInt8 { Owner.requestID }
}

/// A record that a ring sends.
public protocol BigDataReply: BigDataRecord {
    /// Whether a frame of this id says that nothing is stored.
    static func isNoData(_ frame: BigDataFrame) -> Bool
}

extension BigDataReply {
    /// `Command.Reply`.
    public static var name: PacketName { PacketName(Owner.name, "Reply") }
    /// The id of the command's answers.
    public static var id: UInt8 { Owner.replyID }

    /// A single zero byte; acknowledgements, where it is a status, say otherwise.
    public static func isNoData(_ frame: BigDataFrame) -> Bool { frame.isNothing }

    /// Reads a frame as the answer to this command: a value, or "nothing stored".
    ///
    /// A payload of one zero byte is both what a ring says when it has nothing, and what it says
    /// to a record id that it does not know: the two cannot be told apart.
    public static func answer(_ frame: BigDataFrame) throws(PacketError) -> Answer<Self> {
        if frame.id == id && isNoData(frame) { return .noData }
        return .value(try Self(decoding: frame))
    }
}

extension BigDataFrame {
    /// Whether the payload is the single zero byte that says "nothing", or "unknown id".
    public var isNothing: Bool { payload.count == 1 && payload[0] == 0 }
}

extension BigDataRecord {
    /// Takes the record from a frame of its id.
    public init(decoding frame: BigDataFrame) throws(PacketError) {
        var sink = IgnoringSink()
        try self.init(decoding: frame, sink: &sink)
    }

    /// Takes the record from a frame of its id, watched by a sink; offsets count in the payload.
    public init<Sink: FieldSink>(
        decoding frame: BigDataFrame, sink: inout Sink
    ) throws(PacketError) {
        guard frame.id == Self.id else {
            try PacketError.throwWrongOpcode(Self.name, expected: Self.id, found: frame.id)
        }
        let payload = ContiguousArray(frame.payload)
        try self.init(decoding: payload.span, sink: &sink)
    }

    /// The record in its frame, with length and CRC, ready to write.
    public var frame: BigDataFrame {
        BigDataFrame(id: Self.id, unchecked: bytes)
    }
}
