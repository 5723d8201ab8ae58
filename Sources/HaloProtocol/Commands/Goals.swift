/// What the wearer wants to reach in a day.
///
///     → 21 01                          reads
///     → 21 02 steps… calories… metres… minutes…
///     ← 21 01 steps… calories… metres… minutes…
///     ← 21 02 …                        what answers a write is not known: kept as it is
///
/// Steps, small calories and metres are 3 bytes LE each; minutes are 2 bytes LE for sport, then 2
/// for sleep. R10 and R12 come with 5000 steps, 300 kcal and 3000 m.
public enum Goals: SettingCommand {
    @inlinable public static var opcode: UInt8 { 0x21 }
    @inlinable public static var name: FieldName { "Goals" }
    @inlinable public static var title: FieldName { "goals" }
    @inlinable public static var evidence: Evidence { .captured }

    /// What answers a write is not known.
    public typealias Echo = NoFields

    /// The goals of a day.
    public struct Setting: FrameFields {
        /// How many steps.
        public var steps: UInt24
        /// How much energy, in thousandths of a kilocalorie.
        public var calories: UInt24
        /// How far.
        public var metres: UInt24
        /// How long to move, 0 for no goal.
        public var sportMinutes: UInt16
        /// How long to sleep, 0 for no goal.
        public var sleepMinutes: UInt16

        /// The goals of a day.
        public init(
            steps: UInt24, calories: UInt24, metres: UInt24, sportMinutes: UInt16 = 0,
            sleepMinutes: UInt16 = 0
        ) {
            self.steps = steps
            self.calories = calories
            self.metres = metres
            self.sportMinutes = sportMinutes
            self.sleepMinutes = sleepMinutes
        }

        /// How much energy, in the unit that food labels call calories.
        public var kilocalories: Double { Double(calories.value) / 1000 }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            steps = try reader.uint24("steps", .steps)
            calories = try reader.uint24("calories", .calories)
            metres = try reader.uint24("metres", .metres)
            sportMinutes = try reader.uint16("sportMinutes", .minutes)
            sleepMinutes = try reader.uint16("sleepMinutes", .minutes)
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.uint24("steps", steps)
            writer.uint24("calories", calories)
            writer.uint24("metres", metres)
            writer.uint16("sportMinutes", sportMinutes)
            writer.uint16("sleepMinutes", sleepMinutes)
        }
    }
}
