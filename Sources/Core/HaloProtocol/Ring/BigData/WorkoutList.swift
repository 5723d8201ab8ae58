/// Workouts that a ring has stored.
///
///     → 41 after…              4 bytes LE: only workouts that began later than this; 0 for all
///     ← 42 count workouts…     the newest first; each as in StoredWorkout; 00 is "none"
///
/// The reply has an id of its own. `after` is compared with the start of workouts, which is not
/// always on the ring's clock: see ``StoredWorkout/start``.
public enum WorkoutList: BigDataRequestCommand {
    public static let facts = CommandFacts(
        0x41, "WorkoutList", "list of workouts", .captured, onlyReads: true)
    public static var replyID: UInt8 { 0x42 }

    /// A request for workouts.
    public struct Request: BigDataRequest {
        public typealias Owner = WorkoutList

        /// The start after which workouts are requested.
        public var after: CivilDateTime

        public static let all = Request(after: CivilDateTime(secondsSince1970: 0))

        public init(after: CivilDateTime) {
            self.after = after
        }

        public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            after = try io.civilDateTime("after", packet?.after)
        }
    }

    /// The reply with the stored workouts.
    public struct Reply: BigDataReply {
        public typealias Owner = WorkoutList

        /// The workouts, the newest first; at most 255.
        public let workouts: [StoredWorkout]

        package init(workouts: [StoredWorkout]) throws(ValueError) {
            try ValueError.check("workouts", workouts.count, in: 0...UInt8.max)
            self.workouts = workouts
        }

        public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            let count = try io.extent("count", packet?.workouts.count)
            workouts = try io.elements("workouts", packet?.workouts, count: count)
        }
    }
}
