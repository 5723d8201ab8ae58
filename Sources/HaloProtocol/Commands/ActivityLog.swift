/// A day of steps, calories and metres, a quarter of an hour at a time.
///
///     → 43 daysAgo 0F first last 01    0F: minutes of a slot; first and last slot: 00, 5F for all
///     ← 43 F0 count unit               header: records that follow, and what their energy counts
///     ← 43 date… slot index count energy… steps… metres…
///     ← 43 FF 00 unit                  nothing stored for that day
///
///     date: year, month, day in decimal digits; R03 and R09 leave the year 00 (one source)
///     slot: quarter of an hour since midnight; index: 0 … count − 1
///     energy, steps, metres: 2 bytes LE each
///     unit: 1 is 10 small calories; 0 is believed to be one (old firmware; never verified)
///
/// Only slots with activity are sent, and most rings sum them up by the hour. A header that
/// announces no record was never seen.
public enum ActivityLog: RequestCommand, ManyFrameCommand {
    @inlinable public static var opcode: UInt8 { 0x43 }
    @inlinable public static var name: FieldName { "ActivityLog" }
    @inlinable public static var title: FieldName { "activity log" }
    @inlinable public static var evidence: Evidence { .captured }
    @inlinable public static var onlyReads: Bool { true }

    /// The whole answer.
    public typealias Reply = ActivityLogReply
    /// What was counted in one slot.
    public typealias Record = ActivityLogPart.Record
    /// One frame of the answer.
    public typealias Part = ActivityLogPart
    /// Joins the frames.
    public typealias Assembly = ActivityLogAssembly

    /// How a day is cut.
    public static var slots: SlotsOfDay { SlotsOfDay(minutesPerSlot: minutesPerSlot) }

    static var minutesPerSlot: UInt8 { 0x0F }
    static var lastSlot: UInt8 { 0x5F }

    /// Asks for one day.
    public struct Request: RequestPacket {
        public typealias Owner = ActivityLog

        /// The wanted day; rings accept 0 to 29 days ago.
        public var day: DaysAgo
        /// How long a slot is; 15 in every capture.
        public let minutesPerSlot: UInt8
        /// The first wanted slot.
        public let firstSlot: UInt8
        /// The last wanted slot.
        public let lastSlot: UInt8
        /// 1 in every capture; its meaning is not known.
        public let option: UInt8
        /// What follows; zeros so far.
        public let unclaimed: InlineBytes

        /// Asks for a whole day.
        public init(day: DaysAgo) {
            self.init(day: day, uncheckedSlots: 0...ActivityLog.lastSlot)
        }

        /// Asks for a part of a day, in quarters of an hour from 0 to 95.
        public init(day: DaysAgo, slots: ClosedRange<UInt8>) throws(ValueError) {
            guard slots.upperBound <= ActivityLog.lastSlot else {
                throw ValueError(
                    "lastSlot", allowed: 0...Int64(ActivityLog.lastSlot),
                    found: Int64(slots.upperBound))
            }
            self.init(day: day, uncheckedSlots: slots)
        }

        init(day: DaysAgo, uncheckedSlots slots: ClosedRange<UInt8>) {
            self.day = day
            minutesPerSlot = ActivityLog.minutesPerSlot
            firstSlot = slots.lowerBound
            lastSlot = slots.upperBound
            option = 1
            unclaimed = InlineBytes()
        }

        @inlinable
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            day = try DaysAgo(from: &reader)
            minutesPerSlot = try reader.uint8("minutesPerSlot", .minutes)
            firstSlot = try reader.uint8("firstSlot")
            lastSlot = try reader.uint8("lastSlot")
            option = try reader.uint8("option")
            unclaimed = try reader.unclaimed()
        }

        public func encode(into writer: inout FrameWriter) {
            day.encode(into: &writer)
            writer.uint8("minutesPerSlot", minutesPerSlot)
            writer.uint8("firstSlot", firstSlot)
            writer.uint8("lastSlot", lastSlot)
            writer.uint8("option", option)
            writer.unclaimed(unclaimed)
        }
    }

    /// What a record's energy counts.
    public enum EnergyUnit: UInt8, FieldCode {
        /// Believed to be small calories: what old firmware is thought to send.
        case calories = 0
        /// Ten small calories, verified against day totals of R10 and R12.
        case tensOfCalories = 1

        public var label: FieldName {
            switch self {
            case .calories: "1 cal, not verified"
            case .tensOfCalories: "10 cal"
            }
        }

        /// How many small calories one of it is.
        public var calories: Int {
            switch self {
            case .calories: 1
            case .tensOfCalories: 10
            }
        }
    }
}
