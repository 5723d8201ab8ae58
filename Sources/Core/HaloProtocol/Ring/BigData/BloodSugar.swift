/// Blood sugar, by the hour. Vendor notes only; no ring has been seen to reply.
///
///     → 47 bytes…      not described: kept as they are
///     ← 47 days…       each day 49 bytes: daysAgo, then 24 × (minimum, maximum)
///
/// 0 is assumed to be "not measured"; the unit of the values is not known.
public enum BloodSugar:
    BigDataRequestCommand, BigDataReplyCommand, RecordDaysCommand
{
    public static var facts: CommandFacts {
        CommandFacts(0x47, "BloodSugar", "blood sugar", onlyReads: true)
    }

    /// The undescribed bytes of a request.
    public typealias Request = RawRecordRequest<BloodSugar>

    /// The stored days.
    public typealias Reply = RecordDays<BloodSugar>

    /// The values of one day, by the hour.
    public struct Day: RecordDay {
        /// The number of days before the ring's today.
        public var daysAgo: UInt8
        /// The lowest and the highest value of each hour; the unit is not known.
        public var values: HourlyRanges

        public static var length: Int { 1 + HourlyRanges.length }

        public init(daysAgo: UInt8, values: HourlyRanges) {
            self.daysAgo = daysAgo
            self.values = values
        }

        public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            daysAgo = try io.uint8("daysAgo", packet?.daysAgo, .open, .daysAgo)
            values = try HourlyRanges(&io, packet?.values, .sugar)
        }
    }
}
