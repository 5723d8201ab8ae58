/// Joins the frames of one reply.
///
/// An error keeps the frames received so far: the missing frames can follow.
public protocol ReplyAssembly: Sendable {
    /// One frame of the reply.
    associatedtype Part: PartPacket
    /// The whole reply.
    associatedtype Reply: ManyFrameReply

    /// Creates an assembly without frames.
    init()

    /// Receives one frame; returns the reply when it was the last frame needed, else `nil`.
    mutating func receive(_ part: Part) throws(PacketError) -> Answer<Reply>?

    /// The incomplete reply, or `nil` if the frames so far make none.
    var partial: Reply? { get }

    /// `true` if frames of two replies to the same request may be joined.
    ///
    /// If `false`, received frames are dropped when the request is sent again, so that no reply is
    /// a mixture of two.
    static var joinsAnswers: Bool { get }

    /// Prepares for a repeated request.
    ///
    /// Later frames may belong to another reply, whose first frame may be lost.
    mutating func beginAgain()
}

extension ReplyAssembly {
    /// Receives one frame, which may be a refusal; returns the reply when it was the last frame
    /// needed, else `nil`.
    @inlinable @inline(__always)
    public mutating func receive(_ frame: Frame) throws(PacketError) -> Answer<Reply>? {
        if frame.refusedOpcode == Part.opcode { return .refused }
        return try receive(try Part(decoding: frame))
    }

    /// Returns `true` if a frame of the command is the first one of a reply.
    static func begins(_ frame: Frame) -> Bool {
        (try? Part(decoding: frame))?.isFirst ?? false
    }

    /// `nil`: an incomplete reply has no value.
    public var partial: Reply? { nil }

    /// `true`: most assemblies detect a difference between two replies.
    public static var joinsAnswers: Bool { true }

    /// Drops all frames if those of two replies may not be joined.
    public mutating func beginAgain() {
        if !Self.joinsAnswers { self = Self() }
    }
}
