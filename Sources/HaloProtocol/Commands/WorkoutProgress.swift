/// What a ring reports of a workout, once a second.
///
///     ← 78 sport state seconds… bpm steps… metres… calories…
///
///     state: 1 running, 2 paused, 3 ended or not worn (vendor notes only)
///     seconds: 2 bytes BE; steps, metres, small calories: 3 bytes BE each
///
/// Captured on R10 only, and with zeros for steps, metres and calories: their order is from
/// vendor notes and one project, another project disagrees. Every tenth second is reported twice.
public enum WorkoutProgress: SingleReplyCommand {
    @inlinable public static var opcode: UInt8 { 0x78 }
    @inlinable public static var name: FieldName { "WorkoutProgress" }
    @inlinable public static var title: FieldName { "workout progress" }
    @inlinable public static var evidence: Evidence { .captured }

    /// A report.
    public struct Reply: ReplyPacket {
        public typealias Owner = WorkoutProgress

        /// The sport.
        public var sport: Reported<Sport>
        /// Whether the workout runs.
        public var state: Reported<State>
        /// Seconds since the start, without pauses.
        public var elapsedSeconds: UInt16
        /// Heart beats in a minute, 0 in the first seconds; see ``heartRate``.
        public var beatsPerMinute: UInt8
        /// Steps since the start.
        public var steps: UInt24
        /// Metres since the start.
        public var metres: UInt24
        /// Small calories since the start.
        public var calories: UInt24

        /// A report.
        @inlinable @inline(__always)
        public init(
            _ sport: Sport, _ state: State, elapsedSeconds: UInt16, beatsPerMinute: UInt8,
            steps: UInt24 = 0, metres: UInt24 = 0, calories: UInt24 = 0
        ) {
            self.sport = Reported(sport)
            self.state = Reported(state)
            self.elapsedSeconds = elapsedSeconds
            self.beatsPerMinute = beatsPerMinute
            self.steps = steps
            self.metres = metres
            self.calories = calories
        }

        /// Heart beats in a minute, once there are any.
        @inlinable public var heartRate: UInt8? { beatsPerMinute == 0 ? nil : beatsPerMinute }

        /// The calories in the unit of food labels.
        @inlinable public var kilocalories: Double { Double(calories.value) / 1000 }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            sport = try reader.reported("sport")
            state = try reader.reported("state")
            elapsedSeconds = try reader.uint16BigEndian("elapsedSeconds", .seconds)
            beatsPerMinute = try reader.uint8("beatsPerMinute", .beatsPerMinute)
            steps = try reader.uint24BigEndian("steps", .steps)
            metres = try reader.uint24BigEndian("metres", .metres)
            calories = try reader.uint24BigEndian("calories", .calories)
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.reported("sport", sport)
            writer.reported("state", state)
            writer.uint16BigEndian("elapsedSeconds", elapsedSeconds)
            writer.uint8("beatsPerMinute", beatsPerMinute)
            writer.uint24BigEndian("steps", steps)
            writer.uint24BigEndian("metres", metres)
            writer.uint24BigEndian("calories", calories)
        }
    }

    /// Whether a workout runs.
    public enum State: UInt8, FieldCode {
        /// It runs.
        case running = 1
        /// It is interrupted.
        case paused = 2
        /// It has ended, or the ring is not worn (vendor notes only).
        case ended = 3

        public var label: FieldName {
            switch self {
            case .running: "running"
            case .paused: "paused"
            case .ended: "ended, or not worn"
            }
        }
    }
}
