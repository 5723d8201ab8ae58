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
    /// Whether every request of it leaves the ring as it is, so that it may be sent again.
    ///
    /// Of a command that reads and writes, ``RequestPacket/onlyReads`` says it of each request.
    static var onlyReads: Bool { get }
}

extension Command {
    /// What is not known to be harmless is not sent twice.
    @inlinable public static var onlyReads: Bool { false }
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
