/// Starts, pauses, resumes and ends a workout; the ring reports with ``WorkoutProgress``.
///
///     → 77 action sport                1 start, 2 pause, 3 resume, 4 end, 6 ask for the start
///     ← 77 01 00 start…                answers a start; the first report may come before it
///     ← 77 06 00 start…                answers the question for the start (vendor notes only)
///     ← 77 00                          answers pause and end; for resume it is taken to be so
///
///     start: 4 bytes LE, seconds since 1970; on R10 eight hours behind the ring's clock
///
/// Workouts of 20 seconds are not stored, those of a minute are.
public enum WorkoutControl: RequestCommand, SingleReplyCommand {
    @inlinable public static var opcode: UInt8 { 0x77 }
    @inlinable public static var name: FieldName { "WorkoutControl" }
    @inlinable public static var title: FieldName { "workout control" }
    @inlinable public static var evidence: Evidence { .captured }

    /// Controls a workout.
    public struct Request: RequestPacket {
        public typealias Owner = WorkoutControl

        /// What to do.
        public var action: Action
        /// The sport; the vendor's app repeats it in every request.
        public var sport: Sport
        /// What follows; zeros so far.
        public let unclaimed: InlineBytes

        /// Controls a workout.
        @inlinable @inline(__always)
        public init(_ action: Action, _ sport: Sport) {
            self.action = action
            self.sport = sport
            unclaimed = InlineBytes()
        }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            action = try reader.code("action")
            sport = try reader.code("sport")
            unclaimed = try reader.unclaimed()
        }

        /// Whether it asks for the start.
        public var onlyReads: Bool { action == .askStart }

        /// A start is answered by a start; pause, resume and end by "done", or by their own number.
        public func isAnswered(by frame: Frame) -> Bool {
            guard let reply = try? Reply(decoding: frame) else { return true }
            if reply.answered == action.rawValue { return true }
            return !Reply.hasStart(action.rawValue) && reply.answered == Reply.done.answered
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.code("action", action)
            writer.code("sport", sport)
            writer.unclaimed(unclaimed)
        }
    }

    /// What the ring says to it.
    public struct Reply: ReplyPacket {
        public typealias Owner = WorkoutControl

        /// Which action is answered, as it was sent; 0 for those without a start.
        public let answered: UInt8
        /// 0 in every capture.
        public var status: UInt8
        /// When the workout started: the key under which its record is stored.
        ///
        /// It is not what the ring's clock showed: R10 is eight hours behind itself here. Records
        /// are asked for with just this value.
        public let start: CivilDateTime?
        /// What follows; zeros so far.
        public let unclaimed: InlineBytes

        @usableFromInline
        init(answered: UInt8, start: CivilDateTime?) {
            self.answered = answered
            self.start = start
            status = 0
            unclaimed = InlineBytes()
        }

        /// The answer to pause, resume and end.
        public static let done = Reply(answered: 0, start: nil)

        /// The answer to a start.
        public static func started(at start: CivilDateTime) -> Reply {
            Reply(answered: Action.start.rawValue, start: start)
        }

        /// The answer to the question when the workout started (vendor notes only).
        public static func running(since start: CivilDateTime) -> Reply {
            Reply(answered: Action.askStart.rawValue, start: start)
        }

        @usableFromInline
        static func text(_ answered: UInt8) -> String {
            if answered == 0 { return "pause, resume or end" }
            return Reported<Action>(rawValue: answered).description
        }

        @usableFromInline
        static func hasStart(_ answered: UInt8) -> Bool {
            answered == Action.start.rawValue || answered == Action.askStart.rawValue
        }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            let answered = try reader.structure("answered")
            reader.means { Self.text(answered) }
            self.answered = answered
            status = try reader.uint8("status")
            start = Self.hasStart(answered) ? try reader.civilDateTime("start") : nil
            unclaimed = try reader.unclaimed()
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.structure("answered", answered)
            writer.uint8("status", status)
            if let start { writer.civilDateTime("start", start) }
            writer.unclaimed(unclaimed)
        }
    }

    /// What to do with a workout.
    public enum Action: UInt8, FieldCode {
        /// Starts it.
        case start = 1
        /// Interrupts it: the seconds stand still, the reports go on.
        case pause = 2
        /// Goes on.
        case resume = 3
        /// Ends it.
        case end = 4
        /// Asks when it started (vendor notes only).
        case askStart = 6

        public var label: FieldName {
            switch self {
            case .start: "start"
            case .pause: "pause"
            case .resume: "resume"
            case .end: "end"
            case .askStart: "ask for the start"
            }
        }
    }
}
