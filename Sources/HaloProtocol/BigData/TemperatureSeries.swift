/// Temperatures of the skin, half an hour at a time.
///
///     → 25 selector    00 in captures, and then only today came; what else it may be is not known
///     ← 25 days…       each day 50 bytes: daysAgo, minutes per slot (30), then 48 × value
///
/// °C = (value + 200) / 10, the value unsigned; 0 is "not measured". Several days come in a frame
/// each with the same id, as one source has captured them, or in one frame, as another expects.
public enum TemperatureSeries:
    BigDataRequestCommand, BigDataReplyCommand, RecordDaysCommand
{
    public static var name: FieldName { "TemperatureSeries" }
    public static var title: FieldName { "temperatures of a day" }
    public static var evidence: Evidence { .captured }
    public static var requestID: UInt8 { 0x25 }
    public static var onlyReads: Bool { true }

    /// Asks for temperatures.
    public struct Request: BigDataRequest {
        public typealias Owner = TemperatureSeries

        /// Which days; only 0 was ever seen.
        public var selector: UInt8

        /// Asks for today, as apps do.
        public static let today = Request(selector: 0)

        /// A request with a selector of the caller's choice.
        public init(selector: UInt8) {
            self.selector = selector
        }

        public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
            selector = try reader.uint8("selector")
        }

        public func encode(into writer: inout ByteWriter) {
            writer.uint8("selector", selector)
        }
    }

    /// One day or several; others may follow in frames of their own.
    public typealias Reply = RecordDays<TemperatureSeries>

    /// Forty-eight slots.
    public struct Day: RecordDay {
        /// How many days before the ring's today.
        public var daysAgo: UInt8
        /// How long a slot is; always 30 so far.
        public var minutesPerSlot: UInt8
        /// One value for each slot as it was sent, 0 where there is none.
        public let values: [UInt8]

        /// How many slots there are.
        public static let slotCount = 48
        public static let length = 2 + slotCount

        /// A day of forty-eight values as they are sent: tenths of a degree above 20 °C.
        public init(
            daysAgo: UInt8, minutesPerSlot: UInt8 = 30, values: [UInt8]
        ) throws(ValueError) {
            guard values.count == Self.slotCount else {
                throw ValueError(
                    "values", allowed: Int64(Self.slotCount)...Int64(Self.slotCount),
                    found: Int64(values.count))
            }
            self.daysAgo = daysAgo
            self.minutesPerSlot = minutesPerSlot
            self.values = values
        }

        /// When the slots begin.
        public var slots: SlotsOfDay { SlotsOfDay(minutesPerSlot: minutesPerSlot) }

        /// The temperature of a slot in °C; nothing where it was not measured.
        public func celsius(slot: Int) -> Double? {
            guard values.indices.contains(slot), values[slot] != 0 else { return nil }
            return SkinTemperature.celsius(values[slot])
        }

        private static func text(_ values: [UInt8]) -> String {
            var text = ""
            for value in values {
                text += value == 0 ? "– " : SkinTemperature.text(value) + " "
            }
            return text + "°C"
        }

        public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
            daysAgo = try reader.uint8("daysAgo", .daysAgo)
            minutesPerSlot = try reader.uint8("minutesPerSlot", .minutes)
            values = try reader.byteArray("values", count: Self.slotCount)
            reader.means { Self.text(values) }
        }

        public func encode(into writer: inout ByteWriter) {
            writer.uint8("daysAgo", daysAgo)
            writer.uint8("minutesPerSlot", minutesPerSlot)
            writer.byteArray("values", values)
        }
    }
}
