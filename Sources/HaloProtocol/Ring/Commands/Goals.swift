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

    /// The reply to a write, whose layout is not known.
    public typealias Echo = NoFields

    /// The goals of a day.
    public struct Setting: FrameFields {
        /// The number of steps.
        public var steps: UInt24
        /// The energy in small calories: thousandths of a kilocalorie.
        public var smallCalories: UInt24
        /// The distance.
        public var metres: UInt24
        /// The time in motion, 0 for no goal.
        public var sportMinutes: UInt16
        /// The time asleep, 0 for no goal.
        public var sleepMinutes: UInt16

        /// Creates the goals of a day.
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
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            steps = try reader.uint24("steps", .steps)
            smallCalories = try reader.uint24("smallCalories", .calories)
            metres = try reader.uint24("metres", .metres)
            sportMinutes = try reader.uint16("sportMinutes", .minutes)
            sleepMinutes = try reader.uint16("sleepMinutes", .minutes)
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.uint24("steps", steps)
            writer.uint24("smallCalories", smallCalories)
            writer.uint24("metres", metres)
            writer.uint16("sportMinutes", sportMinutes)
            writer.uint16("sleepMinutes", sleepMinutes)
        }
    }
}
