/// The heart rates of a day.
///
///     → 15 time…                       4 bytes LE: any second of the day on the ring's clock
///     ← 15 00 partCount minutesPerSample    always 24 and 5
///     ← 15 01 time… 9 samples          the request's time again
///     ← 15 n  13 samples               n = 2 … 23
///     ← 15 FF                          no data for that day
///
/// A sample is beats per minute, 0 without a measurement. The 24 frames hold 295 samples, the day
/// has 288. A day without samples can come as frames of zeros, too. Only samples before the current
/// time are valid: old R02 firmware is said to leave stale values after it. Rings were seen to
/// store three full days.
public enum HeartRateLog: SlotLogCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x15, "HeartRateLog", "heart-rate log", .captured, onlyReads: true)
    }
    @inlinable public static var unit: FieldUnit { .beatsPerMinute }
    @inlinable public static var quantity: BodyQuantity { .pulse }

    /// A request for one day.
    @frozen
    public struct Request: RequestPacket {
        public typealias Owner = HeartRateLog

        /// Any moment of the day, on the ring's clock; apps send midnight, or the current time of
        /// day.
        public var time: CivilDateTime
        @usableFromInline package var unclaimed = InlineBytes()

        /// Creates a request for a day, with its midnight as time.
        public init(day: CivilDate) {
            self.init(time: CivilDateTime(day))
        }

        public init(time: CivilDateTime) {
            self.time = time
        }

        @inlinable
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            time = try io.civilDateTime("time", packet?.time)
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }

        /// Accepts frames that repeat this time, and those without a time.
        public func isAnswered(by frame: Frame) -> Bool {
            HeartRateLog.day(of: frame)?.time ?? time == time
        }
    }

    /// The request's time, repeated by the ring.
    public struct Day: SlotLogDay {
        @inlinable public static var samplesBeside: Int { 9 }

        public var time: CivilDateTime

        @inlinable @inline(__always)
        public init(time: CivilDateTime) {
            self.time = time
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            time = try io.civilDateTime("time", packet?.time)
        }

        /// The moment of the request.
        public var description: String { time.description }
    }
}
