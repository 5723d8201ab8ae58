/// How well a fact about a ring is known.
public enum Evidence: Hashable, Sendable {
    /// Seen in traffic of real rings, with a right checksum.
    case captured
    /// Two or more independent implementations agree; no capture is at hand.
    case severalSources
    /// Known from notes on the vendor's app only.
    case vendor
    /// One source, unverified.
    case oneSource
}

/// A command of the UART channel: a namespace for what travels under one opcode.
public protocol Command {
    /// The first byte of its frames.
    static var opcode: UInt8 { get }
    /// The name of the type, as programs write it.
    static var name: FieldName { get }
    /// What it is, in words.
    static var title: FieldName { get }
    /// How well its layout is known.
    static var evidence: Evidence { get }
}

/// A command that is sent to a ring.
public protocol RequestCommand: Command {
    /// What is sent.
    associatedtype Request: FramePacket
}

/// A command whose answer, or whose push, is one frame.
public protocol SingleReplyCommand: Command {
    /// What the ring says.
    associatedtype Reply: FramePacket
}

/// A command whose answer is many frames.
public protocol ManyFrameCommand: Command {
    /// One frame of the answer.
    associatedtype Part: FramePacket
    /// What joins the frames to an answer.
    associatedtype Assembly: ReplyAssembly
}

/// Joins the frames of one answer.
///
/// A fault is thrown and leaves what was received so far in place: the missing frames can follow.
public protocol ReplyAssembly: Sendable {
    /// The whole answer.
    associatedtype Reply: ManyFrameReply

    /// Starts with nothing received.
    init()

    /// Takes one frame in; answers when it was the last that was needed.
    mutating func receive(_ frame: Frame) throws(PacketError) -> Answer<Reply>?
}

/// An answer that is many frames on the wire. Its description is how captures write it.
public protocol ManyFrameReply: Hashable, Sendable, CustomStringConvertible {
    /// The frames that a ring sends for it.
    var frames: [Frame] { get }
}

/// A packet that is sent to a ring.
public protocol RequestPacket: FramePacket {
    /// The command it belongs to.
    associatedtype Owner: Command
}

extension RequestPacket {
    /// `Command.Request`.
    @inlinable public static var name: PacketName { PacketName(Owner.name, "Request") }
    /// The command's opcode.
    @inlinable @inline(__always)
    public static var opcode: UInt8 { Owner.opcode }
}

/// A packet that is a ring's whole answer, or that it sends unasked.
public protocol ReplyPacket: FramePacket {
    /// The command it belongs to.
    associatedtype Owner: Command
    /// Whether a frame of this command says that nothing is stored.
    static func isNoData(_ frame: Frame) -> Bool
}

extension ReplyPacket {
    /// `Command.Reply`.
    @inlinable public static var name: PacketName { PacketName(Owner.name, "Reply") }

    /// The command's opcode.
    @inlinable @inline(__always)
    public static var opcode: UInt8 { Owner.opcode }

    /// Most commands have no such answer.
    @inlinable @inline(__always)
    public static func isNoData(_ frame: Frame) -> Bool { false }

    /// Reads a frame as the answer to this command: a value, a refusal, or "no data".
    ///
    /// A frame of a command whose opcode has bit 7 set can be another command's refusal: then it
    /// is not an answer to this one.
    @inlinable @inline(__always)
    public static func answer(_ frame: Frame) throws(PacketError) -> Answer<Self> {
        if frame.opcode == opcode, opcode & Refusal.bit == 0 || frame.refusedOpcode == nil {
            if isNoData(frame) { return .noData }
            return .value(try Self(decoding: frame))
        }
        if frame.refusedOpcode == opcode { return .refused }
        let found = frame.opcode == opcode ? opcode & ~Refusal.bit : frame.opcode
        try PacketError.throwWrongOpcode(name, expected: opcode, found: found)
    }
}

/// A packet that is one frame of a ring's answer.
public protocol PartPacket: FramePacket {
    /// The command it belongs to.
    associatedtype Owner: Command
}

extension PartPacket {
    /// `Command.Part`.
    @inlinable public static var name: PacketName { PacketName(Owner.name, "Part") }
    /// The command's opcode.
    @inlinable @inline(__always)
    public static var opcode: UInt8 { Owner.opcode }
}
