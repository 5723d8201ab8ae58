/// A command with requests.
public protocol RequestCommand: Command {
    /// The packet that is sent to a ring.
    associatedtype Request: FramePacket
}
