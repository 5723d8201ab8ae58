/// The days with stored data.
///
///     → 46                             further bytes are not known
///     ← 46 days…                       4 bytes BE: one bit for each day with data
///
/// Vendor notes only, no capture; the order of the bits is not described.
public enum DataAvailability: RequestCommand, SingleReplyCommand {
    public static let facts = CommandFacts(
        0x46, "DataAvailability", "days with data", onlyReads: true)

    /// The days that have data.
    public struct Reply: ReplyPacket {
        public typealias Owner = DataAvailability

        /// One bit for each day with data, in an order that is not known.
        public var days: UInt32
        /// The bytes after the fields; not described.
        @usableFromInline package var unclaimed = InlineBytes()

        public init(days: UInt32) {
            self.days = days
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            days = try io.uint32("days", packet?.days, .open, isBigEndian: true)
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }
}
