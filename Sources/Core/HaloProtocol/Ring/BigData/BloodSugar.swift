/// Blood sugar, by the hour. Vendor notes only; no ring has been seen to reply.
///
///     → 47 bytes…      not described: kept as they are
///     ← 47 days…       each day 49 bytes: daysAgo, then 24 × (minimum, maximum)
///
/// 0 is assumed to be "not measured"; the unit of the values is not known. The last day may end
/// after its first byte, as in ``BloodOxygen``.
public enum BloodSugar: BigDataRequestCommand, RecordDaysCommand {
    public static let facts = CommandFacts(0x47, "BloodSugar", "blood sugar", onlyReads: true)

    /// A request, whose bytes are not described.
    public struct Request: BigDataRequest {
        public typealias Owner = BloodSugar

        /// The whole payload, at most 65,535 bytes.
        public let payload: [UInt8]

        public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            payload = try io.unclaimed(packet?.payload, "payload")
        }
    }

    /// The values of one day, by the hour.
    public struct Day: RecordDay {
        public var daysAgo: UInt8
        /// The lowest and the highest value of each hour; the unit is not known.
        public var values: HourlyRanges
        /// `true` for a day that ended before its values.
        private let endsEarly: Bool

        public static var length: Int { 1 + HourlyRanges.length }
        public var sentLength: Int { endsEarly && values == .none ? 1 : Self.length }

        public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            daysAgo = try io.uint8("daysAgo", packet?.daysAgo, .open, .daysAgo)
            endsEarly = packet.map { $0.sentLength < Self.length } ?? (io.remaining == 0)
            values = endsEarly ? .none : try HourlyRanges(&io, packet?.values, .sugar)
        }
    }
}
