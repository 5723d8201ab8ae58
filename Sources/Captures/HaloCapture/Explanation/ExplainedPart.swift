/// A part of an explained capture.
package struct ExplainedPart: Hashable, Sendable {
    /// A packet, or what stands between packets.
    package enum Content: Hashable, Sendable {
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
    package let line: TimedLine
    /// The content.
    package let content: Content
}
