/// A command whose reply or push is one frame.
public protocol SingleReplyCommand: Command {
    /// The packet that a ring sends.
    associatedtype Reply: FramePacket
}
