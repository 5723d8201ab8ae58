/// Blood oxygen, an hour at a time.
///
///     → 2A FF          all days
///     → 2A 02          some apps; what it selects is not known
///     → 2A             older apps
///     ← 2A days…       each day 49 bytes: daysAgo, then 24 × (least, most), the oldest day first
///
/// 0 is "not measured". In every capture least and most were equal. A day without values may be
/// left out.
public enum BloodOxygen:
    BigDataRequestCommand, BigDataReplyCommand, RecordDaysCommand
{
    @inlinable public static var name: FieldName { "BloodOxygen" }
    public static var title: FieldName { "blood oxygen" }
    public static var evidence: Evidence { .captured }
    @inlinable public static var requestID: UInt8 { 0x2A }
    public static var onlyReads: Bool { true }

    /// Asks for the stored days.
    public struct Request: BigDataRequest {
        public typealias Owner = BloodOxygen

        /// Which days; older apps say nothing.
        public var selector: UInt8?

        /// Asks for all days.
        public static let allDays = Request(selector: 0xFF)
        /// Some apps ask so; what it selects is not known.
        public static let selector02 = Request(selector: 0x02)
        /// Older apps ask so, for all days.
        public static let empty = Request(selector: nil)

        /// A request with a selector of the caller's choice.
        public init(selector: UInt8?) {
            self.selector = selector
        }

        public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
            guard reader.remaining > 0 else {
                selector = nil
                return
            }
            let byte = try reader.uint8("selector")
            reader.means { byte == 0xFF ? "all" : "\(byte)" }
            selector = byte
        }

        public func encode(into writer: inout ByteWriter) {
            if let selector { writer.uint8("selector", selector) }
        }
    }

    /// The stored days.
    public typealias Reply = RecordDays<BloodOxygen>

    /// Twenty-four hours.
    public struct Day: RecordDay {
        /// How many days before the ring's today.
        public var daysAgo: UInt8
        /// The lowest and the highest value of each hour, in percent.
        public var percent: HourlyRanges

        @inlinable public static var length: Int { 1 + HourlyRanges.length }

        /// A day of values in percent.
        public init(daysAgo: UInt8, percent: HourlyRanges) {
            self.daysAgo = daysAgo
            self.percent = percent
        }

        /// A day of the lowest and the highest value of each of twenty-four hours, in percent.
        public init(
            daysAgo: UInt8, percent: [(least: UInt8, most: UInt8)]
        ) throws(ValueError) {
            self.init(daysAgo: daysAgo, percent: try HourlyRanges(percent))
        }

        /// The lowest value of an hour in percent, 0 if none.
        public func least(hour: Int) -> UInt8 { percent.least(hour: hour) }
        /// The highest value of an hour in percent, 0 if none.
        public func most(hour: Int) -> UInt8 { percent.most(hour: hour) }

        @inlinable
        public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
            daysAgo = try reader.uint8("daysAgo", .daysAgo)
            percent = try HourlyRanges(from: &reader, .percent)
        }

        public func encode(into writer: inout ByteWriter) {
            writer.uint8("daysAgo", daysAgo)
            percent.encode(into: &writer)
        }
    }
}
