/// A command whose reply is many frames.
public protocol ManyFrameCommand: Command {
    /// One frame of the reply.
    associatedtype Part: FramePacket
    /// The state that joins the frames to a reply.
    associatedtype Assembly: ReplyAssembly
}
