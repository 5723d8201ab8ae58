/// The payload of a big-data frame of one record id, in one direction.
public protocol BigDataRecord: BytePacket {
    /// The command of the record.
    associatedtype Owner: BigDataCommand
    /// The record id in the frame's header.
    static var id: UInt8 { get }
}

extension BigDataRecord {
    /// The longest payload of a frame.
    @inlinable public static var maximumLength: Int { BigDataFrame.maximumPayloadLength }

    /// Decodes the record from a frame of its id.
    @inlinable
    public init(decoding frame: BigDataFrame) throws(PacketError) {
        var sink = IgnoringSink()
        try self.init(decoding: frame, sink: &sink)
    }

    /// Decodes the record from a frame of its id, and passes each field to a sink.
    ///
    /// Offsets are counted from the start of the payload.
    @inlinable
    public init<Sink: FieldSink>(
        decoding frame: BigDataFrame, sink: inout Sink
    ) throws(PacketError) {
        guard frame.id == Self.id else {
            try PacketError.throwWrongOpcode(Self.name, expected: Self.id, found: frame.id)
        }
        self = try frame.payload.withSpan { payload throws(PacketError) in
            try Self(decoding: payload, sink: &sink)
        }
    }

    /// The record in its frame, with length and CRC, ready to write.
    public var frame: BigDataFrame {
        BigDataFrame(id: Self.id, unchecked: bytes)
    }
}

/// A big-data command: a namespace for a request and the records that reply to it.
public protocol BigDataCommand {
    /// The record id of requests, the name and the evidence.
    static var facts: CommandFacts { get }
    /// The record id of replies; by default that of requests.
    static var replyID: UInt8 { get }
    /// What bytes without a description give away; by default as much as anything.
    static var secrecyOfBytes: FieldSecrecy { get }
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
    public static var secrecyOfBytes: FieldSecrecy { .unknown }
}

/// A big-data command with requests.
public protocol BigDataRequestCommand: BigDataCommand {
    /// The record that is sent to a ring.
    associatedtype Request: BigDataRequest
}

/// A big-data command with replies, or a record that a ring pushes.
public protocol BigDataReplyCommand: BigDataCommand {
    /// The record that a ring sends.
    associatedtype Reply: BigDataReply
}

/// A record that is sent to a ring.
public protocol BigDataRequest: BigDataRecord {
    /// `true` if the request does not change the ring, so that it may be sent again after a
    /// timeout.
    var onlyReads: Bool { get }
    /// Returns `true` if a record of the command can be the reply to exactly this request.
    func isAnswered(by frame: BigDataFrame) -> Bool
}

extension BigDataRequest {
    /// The name of the packet: `Command.Request`.
    public static var name: PacketName { PacketName(Owner.name, "Request") }
    /// The id of the command's requests.
    public static var id: UInt8 { Owner.requestID }

    /// The command's ``CommandFacts/onlyReads``.
    public var onlyReads: Bool { Owner.onlyReads }

    /// Returns `true`, as most commands have replies of one kind.
    public func isAnswered(by frame: BigDataFrame) -> Bool { true }
}

/// A record that a ring sends.
public protocol BigDataReply: BigDataRecord {
    /// Returns `true` if a frame of this id means "no data".
    static func isNoData(_ frame: BigDataFrame) -> Bool
}

extension BigDataReply {
    /// The name of the packet: `Command.Reply`.
    @inlinable public static var name: PacketName { PacketName(Owner.name, "Reply") }
    /// The id of the command's replies.
    @inlinable public static var id: UInt8 { Owner.replyID }

    /// Returns `true` for a single zero byte; types in which that is a status differ.
    public static func isNoData(_ frame: BigDataFrame) -> Bool { frame.isSingleZero }

    /// Decodes a frame as the reply to this command: a value, or "no data".
    ///
    /// A ring sends a payload of one zero byte if it has stored no data, and also if it does not
    /// know the record id. The two differ only where replies have another id than requests. This
    /// function returns ``Answer/noData`` for both.
    public static func answer(_ frame: BigDataFrame) throws(PacketError) -> Answer<Self> {
        if frame.id == id && isNoData(frame) || frame.isUnknown(Owner.self) { return .noData }
        return .value(try Self(decoding: frame))
    }
}

extension BigDataFrame {
    /// Returns `true` if the ring does not know a command whose replies have another id than its
    /// requests: such a ring replies with the id of the request.
    func isUnknown<Command: BigDataCommand>(_ command: Command.Type) -> Bool {
        id == Command.requestID && id != Command.replyID && isSingleZero
    }

    /// Returns `true` if the record has the id of a reply to a command.
    func answers<Command: BigDataCommand>(_ command: Command.Type) -> Bool {
        id == Command.replyID || isUnknown(command)
    }

    /// `true` if the payload is the single zero byte that means "no data" or "unknown id".
    public var isSingleZero: Bool { payload.count == 1 && payload[0] == 0 }
}

/// A ring's "no data" on the big-data channel.
///
///     ← id 00          no data under the id; or the ring does not know the id
///
/// The two cannot be distinguished. Where a single zero is a record as well (a list with a count of
/// zero), it decodes as that record, and ``BigDataReply/answer(_:)`` returns `noData` nevertheless.
public struct BigDataNoData: Hashable, Sendable {
    /// The record id of the request.
    public let id: UInt8

    public init(id: UInt8) {
        self.id = id
    }

    /// Creates the "no data" in a frame; `nil` for any other frame.
    public init?(_ frame: BigDataFrame) {
        guard frame.isSingleZero else { return nil }
        id = frame.id
    }

    /// The record in its frame.
    public var frame: BigDataFrame { BigDataFrame(id: id, unchecked: Payload().bytes) }

    /// The payload: a single zero.
    public struct Payload: BytePacket {
        public static var name: PacketName { PacketName("BigDataNoData") }

        public init() {}

        public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            try io.marker("nothing", 0, packet)
            io.means { "nothing stored, or an unknown record" }
        }
    }
}
