/// Blood sugar, an hour at a time. Vendor notes only; no ring has been seen to answer.
///
///     → 47 bytes…      not described: kept as they are
///     ← 47 days…       each day 49 bytes: daysAgo, then 24 × (least, most), as in BloodOxygen
///
/// 0 is taken to be "not measured"; the unit of the values is not known.
public enum BloodSugar:
    BigDataRequestCommand, BigDataReplyCommand, RecordDaysCommand
{
    public static var name: FieldName { "BloodSugar" }
    public static var title: FieldName { "blood sugar" }
    public static var evidence: Evidence { .vendor }
    public static var requestID: UInt8 { 0x47 }
    public static var onlyReads: Bool { true }

    /// What is sent; its bytes are not described.
    public typealias Request = RawRecordRequest<BloodSugar>

    /// The stored days.
    public typealias Reply = RecordDays<BloodSugar>

    /// Twenty-four hours.
    public struct Day: RecordDay {
        /// How many days before the ring's today.
        public var daysAgo: UInt8
        /// The lowest and the highest value of each hour, in a unit that is not known.
        public var values: HourlyRanges

        public static var length: Int { 1 + HourlyRanges.length }

        /// A day of values.
        public init(daysAgo: UInt8, values: HourlyRanges) {
            self.daysAgo = daysAgo
            self.values = values
        }

        public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
            daysAgo = try reader.uint8("daysAgo", .daysAgo)
            values = try HourlyRanges(from: &reader, .none)
        }

        public func encode(into writer: inout ByteWriter) {
            writer.uint8("daysAgo", daysAgo)
            values.encode(into: &writer)
        }
    }
}
