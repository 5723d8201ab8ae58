/// A day of heart rates.
///
///     → 15 time…                       4 bytes LE: any second of the day on the ring's clock
///     ← 15 00 count minutes            count was always 24, minutes always 5
///     ← 15 01 time… 9 samples          the request's time again
///     ← 15 n  13 samples               n = 2 … 23
///     ← 15 FF                          nothing stored for that day
///
/// A sample is beats per minute, 0 where there is none. The 24 frames hold 295 samples, the day
/// has 288. An empty day can come as frames of zeros, too. Of today only the past counts: old R02
/// firmware is said to leave stale values behind now. Three full days of storage were seen.
public enum HeartRateLog: SlotLogCommand, RequestCommand, ManyFrameCommand {
    @inlinable public static var opcode: UInt8 { 0x15 }
    @inlinable public static var name: FieldName { "HeartRateLog" }
    @inlinable public static var title: FieldName { "heart-rate log" }
    @inlinable public static var evidence: Evidence { .captured }
    @inlinable public static var unit: FieldUnit { .beatsPerMinute }
    @inlinable public static var onlyReads: Bool { true }

    /// The whole answer.
    public typealias Reply = SlotLog<HeartRateLog>
    /// One frame of the answer.
    public typealias Part = SlotLogPart<HeartRateLog>
    /// Joins the frames.
    public typealias Assembly = SlotLogAssembly<HeartRateLog>

    /// Asks for one day.
    public struct Request: RequestPacket {
        public typealias Owner = HeartRateLog

        /// Any moment of the day, on the ring's clock; apps send midnight, or now less some days.
        public var time: CivilDateTime
        /// What follows; zeros so far.
        public let unclaimed: InlineBytes

        /// Asks for a day by its midnight.
        public init(day: CivilDate) {
            self.init(time: CivilDateTime(day))
        }

        /// Asks for the day that a moment lies in.
        public init(time: CivilDateTime) {
            self.time = time
            unclaimed = InlineBytes()
        }

        @inlinable
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            time = try reader.civilDateTime("time")
            unclaimed = try reader.unclaimed()
        }

        /// Whether a frame repeats this time, or none.
        public func isAnswered(by frame: Frame) -> Bool {
            guard let found = HeartRateLog.day(of: frame) else { return true }
            return found.time == time
        }

        public func encode(into writer: inout FrameWriter) {
            writer.civilDateTime("time", time)
            writer.unclaimed(unclaimed)
        }
    }

    /// The request's time, repeated by the ring.
    public struct Day: SlotLogDay {
        @inlinable public static var samplesBeside: Int { 9 }

        /// The moment that was asked for.
        public var time: CivilDateTime

        /// The day that a moment lies in.
        @inlinable @inline(__always)
        public init(time: CivilDateTime) {
            self.time = time
        }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            time = try reader.civilDateTime("time")
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.civilDateTime("time", time)
        }

        /// The moment that was asked for.
        public var description: String { time.description }
    }
}
