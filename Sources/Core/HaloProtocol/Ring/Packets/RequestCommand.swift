/// A command with requests, by default without known fields.
public protocol RequestCommand: Command {
    /// The packet that is sent to a ring.
    associatedtype Request: FramePacket = PlainRequest<Self>
}
