/// Which days the ring has data of.
///
///     → 46                             what follows is not known
///     ← 46 days…                       4 bytes BE: one bit for each day with data
///
/// Vendor notes only: no capture, and nobody says which bit is which day.
public enum DataAvailability: RequestCommand, SingleReplyCommand {
    @inlinable public static var opcode: UInt8 { 0x46 }
    @inlinable public static var name: FieldName { "DataAvailability" }
    @inlinable public static var title: FieldName { "days with data" }
    @inlinable public static var evidence: Evidence { .vendor }
    @inlinable public static var onlyReads: Bool { true }

    /// Asks which days have data.
    public typealias Request = PlainRequest<DataAvailability>

    /// The days that have data.
    public struct Reply: ReplyPacket {
        public typealias Owner = DataAvailability

        /// One bit for each day with data, in an order that is not known.
        public var days: UInt32
        /// What follows; not known.
        public let unclaimed: InlineBytes

        /// A set of days, by their bits.
        @inlinable @inline(__always)
        public init(days: UInt32) {
            self.days = days
            unclaimed = InlineBytes()
        }

        /// On how many days there is data, whichever they are.
        @inlinable public var count: Int { days.nonzeroBitCount }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            days = try reader.uint32BigEndian("days")
            unclaimed = try reader.unclaimed()
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.uint32BigEndian("days", days)
            writer.unclaimed(unclaimed)
        }
    }
}
