/// The totals since the ring's midnight.
///
///     → 48                             polled by the vendor's app once a minute
///     ← 48 steps… runningSteps… smallCalories… metres… activeMinutes…
///
///     steps, runningSteps, smallCalories, metres: 3 bytes BE each
///     activeMinutes: 2 bytes BE
public enum TodayTotals: RequestCommand, SingleReplyCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x48, "TodayTotals", "totals of today", .captured, onlyReads: true)
    }

    /// The totals.
    public struct Reply: ReplyPacket {
        public typealias Owner = TodayTotals

        /// The number of steps, including those that were run.
        public var steps: UInt24
        /// The number of steps that were run; 0 in every capture.
        public var runningSteps: UInt24
        /// The energy of moving, in small calories.
        public var smallCalories: UInt24
        public var metres: UInt24
        public var activeMinutes: UInt16

        package init(
            steps: UInt24, runningSteps: UInt24 = 0, smallCalories: UInt24, metres: UInt24,
            activeMinutes: UInt16
        ) {
            self.steps = steps
            self.runningSteps = runningSteps
            self.smallCalories = smallCalories
            self.metres = metres
            self.activeMinutes = activeMinutes
        }

        /// The energy in kilocalories.
        @inlinable public var kilocalories: Double { Double(smallCalories.value) / 1000 }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            steps = try io.uint24("steps", packet?.steps, .total(.steps), .steps, isBigEndian: true)
            runningSteps = try io.uint24(
                "runningSteps", packet?.runningSteps, .total(.steps), .steps, isBigEndian: true)
            smallCalories = try io.uint24(
                "smallCalories", packet?.smallCalories, .total(.calories), .calories,
                isBigEndian: true)
            metres = try io.uint24(
                "metres", packet?.metres, .total(.metres), .metres, isBigEndian: true)
            activeMinutes = try io.uint16(
                "activeMinutes", packet?.activeMinutes, .total(.minutes), .minutes,
                isBigEndian: true)
        }
    }
}
