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
