/// The switches of the phone's notifications that the ring shows.
///
///     → 61 00
///     ← 61 switches switches           FF FF from an R12: all; the bits are not described
///
/// ``SetNotificationSwitches`` writes them.
public enum NotificationSwitches: RequestCommand, SingleReplyCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(
            0x61, "NotificationSwitches", "notification switches", .captured, onlyReads: true)
    }

    /// The switches.
    public struct Reply: ReplyPacket {
        public typealias Owner = NotificationSwitches

        /// The first eight switches.
        public var first: UInt8
        /// The other eight switches.
        public var second: UInt8
        @usableFromInline package var unclaimed = InlineBytes()

        public init(_ first: UInt8, _ second: UInt8) {
            self.first = first
            self.second = second
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            first = try io.uint8("first", packet?.first, .open)
            second = try io.uint8("second", packet?.second, .open)
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }
}
