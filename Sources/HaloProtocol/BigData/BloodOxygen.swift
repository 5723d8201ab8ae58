/// Blood oxygen, an hour at a time.
///
///     → 2A FF          all days; apps also send 02 (its meaning is not known), old ones nothing
///     ← 2A days…       each day 49 bytes: daysAgo, then 24 × (least, most), the oldest day first
///
/// 0 is "not measured". In every capture least and most were equal.
public enum BloodOxygen: BigDataRequestCommand, BigDataReplyCommand {
    public static var name: FieldName { "BloodOxygen" }
    public static var title: FieldName { "blood oxygen" }
    public static var evidence: Evidence { .captured }
    public static var requestID: UInt8 { 0x2A }

    /// Asks for the stored days.
    public struct Request: BigDataRequest {
        public typealias Owner = BloodOxygen

        /// What to send; `[0xFF]` asks for all days.
        public var selector: InlineBytes

        /// Asks for all days.
        public static let allDays = Request(selector: [0xFF])

        /// A request with a selector of the caller's choice.
        public init(selector: InlineBytes) {
            self.selector = selector
        }

        public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
            selector = try reader.inlineBytes(
                "selector", count: min(reader.remaining, InlineBytes.capacity))
        }

        public func encode(into writer: inout ByteWriter) {
            writer.inlineBytes("selector", selector, count: selector.count)
        }
    }

    /// The stored days.
    public struct Reply: BigDataReply {
        public typealias Owner = BloodOxygen

        /// One day for each that has values, the oldest first.
        public var days: [Day]

        /// The given days.
        public init(days: [Day]) {
            self.days = days
        }

        public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
            days = []
            while reader.remaining > 0 {
                reader.enter("days", days.count)
                days.append(try Day(from: &reader))
                reader.leave()
            }
        }

        public func encode(into writer: inout ByteWriter) {
            for day in days { day.encode(into: &writer) }
        }
    }

    /// Twenty-four hours.
    public struct Day: Hashable, Sendable {
        /// How many days before the ring's today.
        public var daysAgo: UInt8
        /// One pair for each hour, least and most in turn: 48 bytes.
        let values: [UInt8]

        static let length = 48

        /// The lowest value of an hour in percent, 0 if none.
        public func least(hour: Int) -> UInt8 { value(at: 2 * hour) }
        /// The highest value of an hour in percent, 0 if none.
        public func most(hour: Int) -> UInt8 { value(at: 2 * hour + 1) }

        private func value(at index: Int) -> UInt8 {
            values.indices.contains(index) ? values[index] : 0
        }

        init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
            daysAgo = try reader.uint8("daysAgo", .daysAgo)
            values = try reader.byteArray("leastAndMost", count: Self.length, .percent)
        }

        func encode(into writer: inout ByteWriter) {
            writer.uint8("daysAgo", daysAgo)
            writer.byteArray("leastAndMost", values)
        }
    }
}
