/// The progress of a workout, which a ring pushes once a second.
///
///     ← 78 sport state elapsedSeconds… beatsPerMinute steps… metres… smallCalories…
///
///     state: 1 running, 2 paused, 3 ended or not worn (vendor notes only)
///     elapsedSeconds: 2 bytes BE; steps, metres, smallCalories: 3 bytes BE each
///
/// Captured on R10 only, and with zeros for steps, metres and calories: their order is from
/// vendor notes and one project, another project disagrees. Every tenth second is reported twice.
public enum WorkoutProgress: SingleReplyCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x78, "WorkoutProgress", "workout progress", .captured)
    }

    /// A report.
    public struct Reply: ReplyPacket {
        public typealias Owner = WorkoutProgress

        public var sport: Reported<Sport>
        public var state: Reported<State>
        /// The time since the start in seconds, without pauses.
        public var elapsedSeconds: UInt16
        /// The heart rate; 0 in the first seconds.
        public var beatsPerMinute: UInt8
        public var steps: UInt24
        public var metres: UInt24
        public var smallCalories: UInt24

        package init(
            _ sport: Sport, _ state: State, elapsedSeconds: UInt16, beatsPerMinute: UInt8,
            steps: UInt24, metres: UInt24, smallCalories: UInt24
        ) {
            self.sport = Reported(sport)
            self.state = Reported(state)
            self.elapsedSeconds = elapsedSeconds
            self.beatsPerMinute = beatsPerMinute
            self.steps = steps
            self.metres = metres
            self.smallCalories = smallCalories
        }

        /// The energy in kilocalories.
        @inlinable public var kilocalories: Double { Double(smallCalories.value) / 1000 }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            sport = try io.reported("sport", packet?.sport, .open)
            state = try io.reported("state", packet?.state, .open)
            elapsedSeconds = try io.uint16(
                "elapsedSeconds", packet?.elapsedSeconds, .open, .seconds, isBigEndian: true)
            beatsPerMinute = try io.uint8(
                "beatsPerMinute", packet?.beatsPerMinute, .body(.pulse), .beatsPerMinute)
            steps = try io.uint24("steps", packet?.steps, .total(.steps), .steps, isBigEndian: true)
            metres = try io.uint24(
                "metres", packet?.metres, .total(.metres), .metres, isBigEndian: true)
            smallCalories = try io.uint24(
                "smallCalories", packet?.smallCalories, .total(.calories), .calories,
                isBigEndian: true)
        }
    }

    /// The state of a workout.
    public enum State: UInt8, FieldCode {
        case running = 1
        case paused = 2
        /// The workout has ended, or the ring is not worn (vendor notes only).
        case ended = 3

        public static let labels = FieldLabels<State>([.ended: "ended, or not worn"])
    }
}
