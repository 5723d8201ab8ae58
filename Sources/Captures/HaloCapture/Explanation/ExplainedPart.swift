package struct ExplainedPart: Hashable, Sendable {
    /// A packet, or what stands between packets.
    package enum Content: Hashable, Sendable {
        case packet(ExplainedPacket)
        /// A piece of a frame that continues in another packet.
        case piece(CapturePacket)
        /// An event of a connection, which has a name if the capture names its connections.
        case event(CaptureEvent, link: CaptureName?)
        case comment(CaptureText)
    }

    /// The line, or the last of the lines that it was made of.
    package let line: TimedLine
    package let content: Content
}
