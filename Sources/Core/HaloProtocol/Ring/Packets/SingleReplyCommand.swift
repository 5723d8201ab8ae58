/// A command whose reply or push is one frame, by default without known fields.
public protocol SingleReplyCommand: Command {
    /// The packet that a ring sends.
    associatedtype Reply: FramePacket = PlainReply<Self>
}
