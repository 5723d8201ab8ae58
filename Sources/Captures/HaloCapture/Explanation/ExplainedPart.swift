/// A part of an explained capture.
public struct ExplainedPart: Hashable, Sendable {
    /// A packet, or what stands between packets.
    public enum Content: Hashable, Sendable {
        /// A whole packet.
        case packet(ExplainedPacket)
        /// A piece of a frame that continues in another packet.
        case piece(CapturePacket)
        /// An event of a connection, which has a name if the capture names its connections.
        case event(CaptureEvent, link: CaptureName?)
        /// A comment.
        case comment(CaptureText)
    }

    /// The line, or the last of the lines that it was made of.
    public let line: TimedLine
    /// The content.
    public let content: Content
}
