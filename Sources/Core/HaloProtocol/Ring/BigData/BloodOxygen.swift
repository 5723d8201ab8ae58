/// Blood oxygen, by the hour.
///
///     → 2A FF          all days
///     → 2A 02          some apps; its meaning is not known
///     → 2A             older apps
///     ← 2A days…       each day 49 bytes: daysAgo, then 24 × (minimum, maximum), oldest first
///
/// 0 is "not measured". Minimum and maximum were equal in every capture. A day without values may
/// be left out; that the last one may end after its first byte is assumed, because a day of
/// ``TemperatureSeries`` does.
public enum BloodOxygen: BigDataRequestCommand, RecordDaysCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x2A, "BloodOxygen", "blood oxygen", .captured, onlyReads: true)
    }

    /// A request for the stored days.
    public struct Request: BigDataRequest {
        public typealias Owner = BloodOxygen

        /// The selection of days; `nil` for the request of older apps.
        public var selector: UInt8?

        public static let allDays = Request(selector: 0xFF)
        /// The request of older apps for all days, without a selector.
        public static let empty = Request(selector: nil)

        public init(selector: UInt8?) {
            self.selector = selector
        }

        public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            guard io.goesOn(packet.map { $0.selector != nil }) else {
                selector = nil
                return
            }
            let byte = try io.uint8("selector", packet?.selector, .open)
            io.means { byte == 0xFF ? "all" : "\(byte)" }
            selector = byte
        }
    }

    /// The values of one day, by the hour.
    public struct Day: RecordDay {
        public var daysAgo: UInt8
        public var percent: HourlyRanges
        /// `true` for a day that ended before its values. It is here because the ranges and a flag
        /// together would be copied through memory.
        @usableFromInline let endsEarly: Bool

        @inlinable public static var length: Int { 1 + HourlyRanges.length }
        @inlinable public var sentLength: Int { endsEarly && percent == .none ? 1 : Self.length }

        /// Creates a day from the lowest and the highest value of each of twenty-four hours, in
        /// percent.
        public init(
            daysAgo: UInt8, percent: [(minimum: UInt8, maximum: UInt8)]
        ) throws(ValueError) {
            self.percent = try HourlyRanges(percent)
            self.daysAgo = daysAgo
            endsEarly = false
        }

        /// Returns the lowest value of an hour in percent, 0 if none.
        public func minimum(hour: Int) -> UInt8 { percent.minimum(hour: hour) }
        /// Returns the highest value of an hour in percent, 0 if none.
        public func maximum(hour: Int) -> UInt8 { percent.maximum(hour: hour) }

        @inlinable
        public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            daysAgo = try io.uint8("daysAgo", packet?.daysAgo, .open, .daysAgo)
            endsEarly = packet.map { $0.sentLength < Self.length } ?? (io.remaining == 0)
            percent =
                endsEarly ? .none : try HourlyRanges(&io, packet?.percent, .oxygen, .percent)
        }
    }
}
