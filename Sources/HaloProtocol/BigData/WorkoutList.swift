/// Workouts that a ring has stored.
///
///     → 41 after…              4 bytes LE: only workouts that began later than this; 0 for all
///     ← 42 count workouts…     the newest first; each as in StoredWorkout; 00 is "none"
///
/// The answer has an id of its own. `after` is compared with the start of workouts, which is not
/// always on the ring's clock: see ``StoredWorkout/start``.
public enum WorkoutList: BigDataRequestCommand, BigDataReplyCommand {
    public static var name: FieldName { "WorkoutList" }
    public static var title: FieldName { "list of workouts" }
    public static var evidence: Evidence { .captured }
    public static var requestID: UInt8 { 0x41 }
    public static var replyID: UInt8 { 0x42 }
    public static var onlyReads: Bool { true }

    /// Asks for workouts.
    public struct Request: BigDataRequest {
        public typealias Owner = WorkoutList

        /// Only workouts that began later come.
        public var after: CivilDateTime

        /// Asks for all workouts.
        public static let all = Request(after: CivilDateTime(secondsSince1970: 0))

        /// Asks for workouts that began later than another one.
        public init(after: CivilDateTime) {
            self.after = after
        }

        public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
            after = try reader.civilDateTime("after")
        }

        public func encode(into writer: inout ByteWriter) {
            writer.civilDateTime("after", after)
        }
    }

    /// The workouts.
    public struct Reply: BigDataReply {
        public typealias Owner = WorkoutList

        /// The workouts, the newest first; at most 255.
        public let workouts: [StoredWorkout]

        /// The given workouts.
        public init(workouts: [StoredWorkout]) throws(ValueError) {
            try RecordLength.check(workouts.count, "workouts", most: Int(UInt8.max))
            self.workouts = workouts
        }

        public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
            let count = try reader.extent("count")
            var workouts: [StoredWorkout] = []
            for index in 0..<Int(count) {
                reader.enter("workouts", index)
                workouts.append(try StoredWorkout(from: &reader))
                reader.leave()
            }
            self.workouts = workouts
        }

        public func encode(into writer: inout ByteWriter) {
            writer.extent("count", UInt8(truncatingIfNeeded: workouts.count))
            for workout in workouts { workout.encode(into: &writer) }
        }
    }
}
