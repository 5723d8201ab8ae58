/// Starts, pauses, resumes and ends a workout; the ring reports with ``WorkoutProgress``.
///
///     → 77 action sport                1 start, 2 pause, 3 resume, 4 end, 6 request the start
///     ← 77 01 00 start…                reply to a start; the first report may precede it
///     ← 77 06 00 start…                reply to a request of the start (vendor notes only)
///     ← 77 00                          reply to pause and end; for resume by assumption
///
///     start: 4 bytes LE, seconds since 1970; on R10 eight hours behind the ring's clock
///
/// Workouts of 20 seconds are not stored, those of a minute are.
public enum WorkoutControl: RequestCommand, SingleReplyCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x77, "WorkoutControl", "workout control", .captured)
    }

    /// A request to control a workout.
    public struct Request: RequestPacket {
        public typealias Owner = WorkoutControl

        public var action: Action
        /// The sport; the vendor's app repeats it in every request.
        public var sport: Sport
        @usableFromInline package var unclaimed = InlineBytes()

        @inlinable @inline(__always)
        public init(_ action: Action, _ sport: Sport) {
            self.action = action
            self.sport = sport
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            action = try io.code("action", packet?.action, .open)
            sport = try io.code("sport", packet?.sport, .open)
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }

        public var onlyReads: Bool { action == .requestStart }

        /// Accepts a start in reply to a start; else "done" or the number of the action.
        public func isAnswered(by frame: Frame) -> Bool {
            guard let reply = try? Reply(decoding: frame) else { return true }
            if reply.answered == action.rawValue { return true }
            return !Reply.hasStart(action.rawValue) && reply.answered == Reply.done.answered
        }
    }

    /// The reply to a request.
    public struct Reply: ReplyPacket {
        public typealias Owner = WorkoutControl

        /// The request's action as the ring repeats it; 0 in a reply without a start.
        @usableFromInline package let answered: UInt8
        /// An undescribed byte; 0 in every capture.
        @usableFromInline package var status: UInt8
        /// The start of the workout, which is the key of its stored record; `nil` without a start.
        ///
        /// On an R10 the start is eight hours behind the ring's clock. Requests for the record need
        /// exactly this value.
        public let start: CivilDateTime?
        @usableFromInline package var unclaimed = InlineBytes()

        @usableFromInline
        init(answered: UInt8, start: CivilDateTime?) {
            self.answered = answered
            self.start = start
            status = 0
        }

        /// The reply to pause, resume and end.
        package static let done = Reply(answered: 0, start: nil)

        /// Returns the reply to a start.
        package static func started(at start: CivilDateTime) -> Reply {
            Reply(answered: Action.start.rawValue, start: start)
        }

        /// Returns the reply to a request of the start (vendor notes only).
        package static func running(since start: CivilDateTime) -> Reply {
            Reply(answered: Action.requestStart.rawValue, start: start)
        }

        @usableFromInline
        static func text(_ answered: UInt8) -> String {
            if answered == 0 { return "pause, resume or end" }
            return Reported<Action>(rawValue: answered).description
        }

        @usableFromInline
        static func hasStart(_ answered: UInt8) -> Bool {
            answered == Action.start.rawValue || answered == Action.requestStart.rawValue
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            let answered = try io.structure("answered", packet?.answered)
            io.means { Self.text(answered) }
            self.answered = answered
            status = try io.uint8("status", packet?.status, .open)
            start = Self.hasStart(answered) ? try io.civilDateTime("start", packet?.start) : nil
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }

    /// An action on a workout.
    public enum Action: UInt8, FieldCode {
        case start = 1
        /// Interrupts the workout: the elapsed seconds stop, the reports continue.
        case pause = 2
        case resume = 3
        case end = 4
        /// Requests the start (vendor notes only).
        case requestStart = 6

        public static let labels = FieldLabels<Action>([.requestStart: "request the start"])
    }
}
