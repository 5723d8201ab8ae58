/// The size of the ring's notifications; pushed just before the reply to ``SetTime``.
///
///     ← 2F byteCount                   F4 (244) on Realtek chips, F1 (241) on an R02
public enum PacketSizePush: SingleReplyCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x2F, "PacketSizePush", "packet size", .captured)
    }

    /// The size of a notification.
    public struct Reply: ReplyPacket {
        public typealias Owner = PacketSizePush

        /// The maximum length of a notification in bytes.
        public var byteCount: UInt8
        @usableFromInline package var unclaimed = InlineBytes()

        public init(byteCount: UInt8) {
            self.byteCount = byteCount
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            byteCount = try io.uint8("byteCount", packet?.byteCount, .open, .bytes)
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }
}
