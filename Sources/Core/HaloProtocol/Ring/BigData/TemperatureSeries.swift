/// Skin temperatures, by the half hour.
///
///     → 25 selector    00 in captures, for today; other values are not known
///     ← 25 days…       each day 50 bytes: daysAgo, minutesPerSlot (30), then 48 × value
///
/// °C = (value + 200) / 10, the value unsigned; 0 is "not measured". The last day of a record may
/// have fewer values: an R10 that had measured none sent 00 1E alone; a day that ends between is
/// one source's reading of the vendor's app. One source captured several days as a frame each with
/// the same id; another source expects them in one frame.
public enum TemperatureSeries: BigDataRequestCommand, RecordDaysCommand {
    public static let facts = CommandFacts(
        0x25, "TemperatureSeries", "temperatures of a day", .captured, onlyReads: true)

    /// A request for temperatures.
    public struct Request: BigDataRequest {
        public typealias Owner = TemperatureSeries

        /// The selection of days; only 0 was seen.
        public var selector: UInt8

        /// The request for today, as apps send it.
        public static let today = Request(selector: 0)

        public init(selector: UInt8) {
            self.selector = selector
        }

        public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            selector = try io.uint8("selector", packet?.selector, .open)
        }
    }

    /// The temperatures of one day, by the half hour.
    public struct Day: RecordDay {
        public var daysAgo: UInt8
        /// The length of a slot; always 30 so far.
        public var minutesPerSlot: UInt8
        /// One value for each slot as it was sent, 0 if not measured: 48, or fewer on the last day
        /// of a record.
        public let values: [UInt8]

        package static let slotCount = 48
        private static let headLength = 2
        public static let length = headLength + slotCount
        public var sentLength: Int { Self.headLength + values.count }

        /// Creates a day of up to forty-eight values as they are sent: tenths of a degree above
        /// 20 °C.
        package init(
            daysAgo: UInt8, minutesPerSlot: UInt8 = 30, values: [UInt8]
        ) throws(ValueError) {
            try ValueError.check("values", values.count, in: 0...Self.slotCount)
            self.daysAgo = daysAgo
            self.minutesPerSlot = minutesPerSlot
            self.values = values
        }

        /// The slots of the day.
        public var slots: SlotsOfDay { SlotsOfDay(minutesPerSlot: minutesPerSlot) }

        /// Returns the temperature of a slot in °C, or `nil` if it was not measured.
        public func celsius(slot: Int) -> Double? {
            guard values.indices.contains(slot), values[slot] != 0 else { return nil }
            return SkinTemperature.celsius(values[slot])
        }

        /// The day with a value for each slot: those that were not sent are not measured.
        var whole: Day {
            let missing = [UInt8](repeating: 0, count: max(Self.slotCount - values.count, 0))
            return
                (try? Day(
                    daysAgo: daysAgo, minutesPerSlot: minutesPerSlot, values: values + missing))
                ?? self
        }

        private static func text(_ values: [UInt8]) -> String {
            var text = ""
            for value in values {
                text += value == 0 ? "– " : SkinTemperature.text(value) + " "
            }
            return text + "°C"
        }

        public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            daysAgo = try io.uint8("daysAgo", packet?.daysAgo, .open, .daysAgo)
            minutesPerSlot = try io.uint8("minutesPerSlot", packet?.minutesPerSlot, .open, .minutes)
            let count = packet?.values.count ?? min(io.remaining, Self.slotCount)
            guard count > 0 else {
                values = []
                return
            }
            values = try io.byteArray(
                "values", packet?.values, .samples(.skinTemperature), count: count)
            io.means { Self.text(values) }
        }
    }
}
