/// What the ring counted since its midnight.
///
///     → 48                             polled by the vendor's app once a minute
///     ← 48 steps… running… calories… metres… minutes…
///
///     steps, running steps, small calories, metres: 3 bytes BE each
///     minutes of activity: 2 bytes BE
public enum TodayTotals: RequestCommand, SingleReplyCommand {
    @inlinable public static var opcode: UInt8 { 0x48 }
    @inlinable public static var name: FieldName { "TodayTotals" }
    @inlinable public static var title: FieldName { "totals of today" }
    @inlinable public static var evidence: Evidence { .captured }
    @inlinable public static var onlyReads: Bool { true }

    /// Asks for the totals.
    public typealias Request = PlainRequest<TodayTotals>

    /// The totals.
    public struct Reply: ReplyPacket {
        public typealias Owner = TodayTotals

        /// All steps.
        public var steps: UInt24
        /// Those of them that were run; 0 in every capture.
        public var runningSteps: UInt24
        /// Small calories burnt by moving.
        public var calories: UInt24
        /// The way gone, in metres.
        public var metres: UInt24
        /// Minutes of activity.
        public var activeMinutes: UInt16

        /// Totals.
        @inlinable @inline(__always)
        public init(
            steps: UInt24, runningSteps: UInt24 = 0, calories: UInt24, metres: UInt24,
            activeMinutes: UInt16
        ) {
            self.steps = steps
            self.runningSteps = runningSteps
            self.calories = calories
            self.metres = metres
            self.activeMinutes = activeMinutes
        }

        /// The calories in the unit of food labels.
        @inlinable public var kilocalories: Double { Double(calories.value) / 1000 }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            steps = try reader.uint24BigEndian("steps", .steps)
            runningSteps = try reader.uint24BigEndian("runningSteps", .steps)
            calories = try reader.uint24BigEndian("calories", .calories)
            metres = try reader.uint24BigEndian("metres", .metres)
            activeMinutes = try reader.uint16BigEndian("activeMinutes", .minutes)
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.uint24BigEndian("steps", steps)
            writer.uint24BigEndian("runningSteps", runningSteps)
            writer.uint24BigEndian("calories", calories)
            writer.uint24BigEndian("metres", metres)
            writer.uint16BigEndian("activeMinutes", activeMinutes)
        }
    }
}
