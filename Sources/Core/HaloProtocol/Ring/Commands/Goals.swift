/// The wearer's goals for a day.
///
///     → 21 01                          reads
///     → 21 02 steps… smallCalories… metres… sportMinutes… sleepMinutes…
///     ← 21 01 steps… smallCalories… metres… sportMinutes… sleepMinutes…
///     ← 21 02 …                        the reply to a write is not known: kept as it is
///
/// Steps, small calories and metres are 3 bytes LE each, the minutes 2 bytes LE each. R10 and R12
/// come with 5000 steps, 300 kcal and 3000 m.
public enum Goals: SettingCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x21, "Goals", "goals", .captured)
    }

    /// The goals of a day.
    public struct Setting: FrameFields {
        public var steps: UInt24
        /// The energy in small calories: thousandths of a kilocalorie.
        public var smallCalories: UInt24
        public var metres: UInt24
        /// The time in motion, 0 for no goal.
        public var sportMinutes: UInt16
        /// The time asleep, 0 for no goal.
        public var sleepMinutes: UInt16

        public init(
            steps: UInt24, smallCalories: UInt24, metres: UInt24, sportMinutes: UInt16 = 0,
            sleepMinutes: UInt16 = 0
        ) {
            self.steps = steps
            self.smallCalories = smallCalories
            self.metres = metres
            self.sportMinutes = sportMinutes
            self.sleepMinutes = sleepMinutes
        }

        /// The energy in kilocalories.
        public var kilocalories: Double { Double(smallCalories.value) / 1000 }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            steps = try io.uint24("steps", packet?.steps, .body(.goalSteps), .steps)
            smallCalories = try io.uint24(
                "smallCalories", packet?.smallCalories, .body(.goalCalories), .calories)
            metres = try io.uint24("metres", packet?.metres, .body(.goalMetres), .metres)
            sportMinutes = try io.uint16(
                "sportMinutes", packet?.sportMinutes, .body(.goalMinutes), .minutes)
            sleepMinutes = try io.uint16(
                "sleepMinutes", packet?.sleepMinutes, .body(.nightMinutes), .minutes)
        }
    }
}
