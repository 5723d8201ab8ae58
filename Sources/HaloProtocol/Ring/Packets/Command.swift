/// The opcode or record id of a command, its name, and the evidence for its layout.
@frozen
public struct CommandFacts: Sendable {
    /// The opcode of a ``Command``; the record id of the requests of a ``BigDataCommand``.
    public let code: UInt8
    /// The name of the type, as programs write it.
    public let name: FieldName
    /// The name in words: `battery level`.
    public let title: FieldName
    /// The evidence for the layout.
    public let evidence: Evidence
    /// `true` if no request changes the ring, so that each may be sent again.
    ///
    /// If a command reads and writes, ``RequestPacket/onlyReads`` differs between its requests.
    public let onlyReads: Bool
    /// The danger of the command in words: `erases everything that the ring has stored`; `nil` for
    /// a command without danger.
    public let danger: FieldName?

    /// Creates the facts of a command; by default the evidence is notes on the vendor's app.
    @inlinable @inline(__always)
    public init(
        _ code: UInt8, _ name: FieldName, _ title: FieldName, _ evidence: Evidence = .vendor,
        onlyReads: Bool = false, danger: FieldName? = nil
    ) {
        self.code = code
        self.name = name
        self.title = title
        self.evidence = evidence
        self.onlyReads = onlyReads
        self.danger = danger
    }
}

/// A command of the UART channel: a namespace for the packets of one opcode.
public protocol Command {
    /// The opcode, the name and the evidence.
    static var facts: CommandFacts { get }
}

extension Command {
    /// The first byte of the command's frames.
    @inlinable @inline(__always)
    public static var opcode: UInt8 { facts.code }
    /// The name of the type, as programs write it.
    @inlinable @inline(__always)
    public static var name: FieldName { facts.name }
    /// `true` if no request changes the ring.
    @inlinable public static var onlyReads: Bool { facts.onlyReads }
}

/// A command with requests.
public protocol RequestCommand: Command {
    /// The packet that is sent to a ring.
    associatedtype Request: FramePacket
}

/// A command whose reply or push is one frame.
public protocol SingleReplyCommand: Command {
    /// The packet that a ring sends.
    associatedtype Reply: FramePacket
}

/// A command whose reply is many frames.
public protocol ManyFrameCommand: Command {
    /// One frame of the reply.
    associatedtype Part: FramePacket
    /// The state that joins the frames to a reply.
    associatedtype Assembly: ReplyAssembly
}

/// A command without a reply: the request ends once it is sent.
public protocol UnansweredCommand: RequestCommand {}

/// A command whose request is one of a few actions.
public protocol ActionCommand: Command {
    /// The actions of the command, one byte each.
    associatedtype Action: FieldCode
}

/// A request of one byte: an action.
public struct ActionRequest<Owner: ActionCommand>: RequestPacket {
    public var action: Owner.Action
    /// The bytes after the action; apps differ.
    public let unclaimed: InlineBytes

    @inlinable @inline(__always)
    public init(_ action: Owner.Action) {
        self.action = action
        unclaimed = InlineBytes()
    }

    @inlinable @inline(__always)
    public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        action = try io.code("action", packet?.action, .open)
        unclaimed = try io.unclaimed(packet?.unclaimed)
    }
}

/// A request without known fields: only an opcode, or bytes of an unknown layout.
public struct PlainRequest<Owner: Command>: RequestPacket {
    /// The bytes after the opcode, at most fourteen, without trailing zeros.
    public let unclaimed: InlineBytes

    /// Creates a request without bytes after its opcode.
    @inlinable @inline(__always)
    public init() {
        unclaimed = InlineBytes()
    }

    /// Creates a request of up to fourteen bytes; zeros follow.
    public init(_ bytes: InlineBytes) throws(ValueError) {
        unclaimed = try bytes.checkedPayload()
    }

    @inlinable @inline(__always)
    public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        unclaimed = try io.unclaimed(packet?.unclaimed)
    }
}

/// A reply without known fields: an acknowledgement, or bytes of an unknown layout.
///
///     ← op …
public struct PlainReply<Owner: Command>: ReplyPacket {
    /// The bytes after the opcode, at most fourteen, without trailing zeros.
    public let unclaimed: InlineBytes

    /// Creates a reply without bytes after its opcode.
    @inlinable @inline(__always)
    public init() {
        unclaimed = InlineBytes()
    }

    /// Creates a reply of up to fourteen bytes; zeros follow.
    public init(_ bytes: InlineBytes) throws(ValueError) {
        unclaimed = try bytes.checkedPayload()
    }

    @inlinable @inline(__always)
    public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        unclaimed = try io.unclaimed(packet?.unclaimed)
    }
}

extension InlineBytes {
    /// Returns the bytes without trailing zeros; throws if a frame has no room for them.
    func checkedPayload() throws(ValueError) -> InlineBytes {
        try ValueError.check("unclaimed", count, in: 0...Int64(Frame.payloadLength))
        return trimmingZeros
    }
}

/// A ring's refusal of a command on the UART channel.
///
///     ← op|80 EE 00 …    the command op is unsupported or refused; no other code was ever seen
///
/// A few real opcodes have bit 7 set as well (raw sensors are A1, memory reads C0): a frame is a
/// refusal only if byte 1 is EE and all later bytes are zero.
public struct Refusal: Hashable, Sendable {
    /// The refused opcode, without bit 7.
    public let opcode: UInt8

    /// The byte after the opcode.
    @usableFromInline static var code: UInt8 { 0xEE }
    /// The bit that is added to the opcode.
    @usableFromInline static var bit: UInt8 { 0x80 }

    /// Creates the refusal of a command; bit 7 of the opcode is dropped.
    @inlinable
    public init(of opcode: UInt8) {
        self.opcode = opcode & ~Self.bit
    }

    /// Creates the refusal in a frame; `nil` for any other frame.
    @inlinable @inline(__always)
    public init?(_ frame: Frame) {
        guard let opcode = frame.refusedOpcode else { return nil }
        self.init(of: opcode)
    }

    /// The refusal as a frame.
    public var frame: Frame {
        var writer = FrameWriter(opcode: opcode | Self.bit)
        writer.put(UInt64(Self.code), width: 1)
        return writer.frame
    }
}

extension Frame {
    /// The opcode that this frame refuses, or `nil` if the frame is no refusal.
    @inlinable @inline(__always)
    public var refusedOpcode: UInt8? {
        let refusal = UInt64(Refusal.code) &<< 8 | UInt64(Refusal.bit)
        let isRefusal =
            low & ~UInt64(~Refusal.bit) == refusal && high & 0x00FF_FFFF_FFFF_FFFF == 0
        return isRefusal ? opcode & ~Refusal.bit : nil
    }
}
