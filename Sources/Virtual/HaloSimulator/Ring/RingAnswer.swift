internal import HaloProtocol

/// The packets sent for one request.
enum RingAnswer: Sendable {
    /// Frames of the first service, in order.
    case frames([Frame])
    /// Records of the second service, in order.
    case records([BigDataFrame])
    /// No packet.
    case silence

    static func reply(_ reply: some FramePacket) -> RingAnswer { .frames([reply.frame]) }

    static func reply(_ reply: some ManyFrameReply) -> RingAnswer { .frames(reply.frames) }

    static func record(_ record: some BigDataReply) -> RingAnswer { .records([record.frame]) }
}
