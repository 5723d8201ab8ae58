/// Which of the phone's notifications the ring asks for.
///
///     → 61 00
///     ← 61 switches switches           FF FF from an R12: all; which bit is which is not described
///
/// ``SetNotificationSwitches`` writes them.
public enum NotificationSwitches: RequestCommand, SingleReplyCommand {
    @inlinable public static var opcode: UInt8 { 0x61 }
    @inlinable public static var name: FieldName { "NotificationSwitches" }
    @inlinable public static var title: FieldName { "notification switches" }
    @inlinable public static var evidence: Evidence { .captured }
    @inlinable public static var onlyReads: Bool { true }

    /// Asks for the switches.
    public typealias Request = PlainRequest<NotificationSwitches>

    /// The switches.
    public struct Reply: ReplyPacket {
        public typealias Owner = NotificationSwitches

        /// Eight switches.
        public var first: UInt8
        /// Eight more.
        public var second: UInt8
        /// What follows; zeros so far.
        public let unclaimed: InlineBytes

        /// Sixteen switches.
        @inlinable @inline(__always)
        public init(_ first: UInt8, _ second: UInt8) {
            self.first = first
            self.second = second
            unclaimed = InlineBytes()
        }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            first = try reader.uint8("first")
            second = try reader.uint8("second")
            unclaimed = try reader.unclaimed()
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.uint8("first", first)
            writer.uint8("second", second)
            writer.unclaimed(unclaimed)
        }
    }
}
