/// How many bytes the ring puts into one notification; pushed just before the reply to ``SetTime``.
///
///     ← 2F bytes                       F4 (244) on Realtek chips, F1 (241) on an R02
public enum PacketSizePush: SingleReplyCommand {
    @inlinable public static var opcode: UInt8 { 0x2F }
    @inlinable public static var name: FieldName { "PacketSizePush" }
    @inlinable public static var title: FieldName { "packet size" }
    @inlinable public static var evidence: Evidence { .captured }

    /// The size of a notification.
    public struct Reply: ReplyPacket {
        public typealias Owner = PacketSizePush

        /// How many bytes a notification carries at most.
        public var byteCount: UInt8
        /// What follows; zeros so far.
        public let unclaimed: InlineBytes

        /// A size.
        @inlinable @inline(__always)
        public init(byteCount: UInt8) {
            self.byteCount = byteCount
            unclaimed = InlineBytes()
        }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            byteCount = try reader.uint8("byteCount", .bytes)
            unclaimed = try reader.unclaimed()
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.uint8("byteCount", byteCount)
            writer.unclaimed(unclaimed)
        }
    }
}
