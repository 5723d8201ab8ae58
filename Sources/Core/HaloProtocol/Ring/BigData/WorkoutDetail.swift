/// The recording of one workout, and the layout of its samples.
///
///     → 43 sport start…        start: 4 bytes LE, as in WorkoutList
///     ← 44 status packageCount unknown secondsPerSample (length, tag)…
///     ← 44 status              assumed for a status other than 0
///     ← 45 …                   the samples: WorkoutSamples, one frame for each package
///
/// The reply has an id of its own. `secondsPerSample` is the interval between two samples. Each
/// pair is a field of a sample; tag 11 is the heart rate. An unknown workout has status 1.
public enum WorkoutDetail: BigDataRequestCommand {
    public static let facts = CommandFacts(
        0x43, "WorkoutDetail", "recording of a workout", .captured, onlyReads: true)
    public static var replyID: UInt8 { 0x44 }

    /// A request for one workout.
    public struct Request: BigDataRequest {
        public typealias Owner = WorkoutDetail

        /// The sport, as the ring reported it.
        public var sport: Reported<Sport>
        /// The start, as the ring reported it.
        public var start: CivilDateTime

        public init(sport: Reported<Sport>, start: CivilDateTime) {
            self.sport = sport
            self.start = start
        }

        /// Creates a request for a workout of a list; `nil` if the workout has no start.
        public init?(_ workout: StoredWorkout) {
            guard let start = workout.start else { return nil }
            self.init(sport: workout.sport, start: start)
        }

        public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            sport = try io.reported("sport", packet?.sport, .open)
            start = try io.civilDateTime("start", packet?.start)
        }
    }

    /// The layout of the recording.
    public struct Reply: BigDataReply {
        public typealias Owner = WorkoutDetail

        public var status: Reported<Status>
        /// The layout of the recording; `nil` after a status alone.
        public var layout: Layout?

        package init(_ layout: Layout) {
            status = Reported(.found)
            self.layout = layout
        }

        package static let unknownWorkout = Reply(status: Reported(.unknownWorkout))

        init(status: Reported<Status>) {
            self.status = status
        }

        public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            status = try io.reported("status", packet?.status, .open)
            layout =
                io.goesOn(packet.map { $0.layout != nil }) ? try Layout(&io, packet?.layout) : nil
        }
    }

    /// The status of the requested workout.
    public enum Status: UInt8, FieldCode {
        case found = 0
        case unknownWorkout = 1
    }

    /// The layout of a recording.
    public struct Layout: Hashable, Sendable {
        /// The number of ``WorkoutSamples`` that follow.
        public var packageCount: UInt8
        /// An undescribed byte; 0 in captures.
        package var unknown: UInt8
        public var secondsPerSample: UInt8
        /// The fields of a sample; at most 32,765.
        public let fields: [Field]

        /// Creates the layout of heart rates in the given number of packages.
        package init(packageCount: UInt8, secondsPerSample: UInt8 = 1) {
            self.packageCount = packageCount
            unknown = 0
            self.secondsPerSample = secondsPerSample
            fields = [Field(length: 1, tag: Reported(.heartRate))]
        }

        init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            packageCount = try io.uint8(
                "packageCount", packet?.packageCount, .layout(isDescribed: true))
            unknown = try io.uint8("unknown", packet?.unknown, .unknown)
            secondsPerSample = try io.uint8(
                "secondsPerSample", packet?.secondsPerSample, .layout(isDescribed: true), .seconds)
            fields = try io.elements("fields", packet?.fields)
        }
    }

    /// One field of a sample.
    public struct Field: Hashable, Sendable, ByteFields {
        public var length: UInt8
        public var tag: Reported<Tag>

        static var leastLength: Int { 2 }

        init(length: UInt8, tag: Reported<Tag>) {
            self.length = length
            self.tag = tag
        }

        init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            length = try io.uint8("length", packet?.length, .layout(isDescribed: true), .bytes)
            let isDescribed = Tag(rawValue: io.upcoming(packet?.tag.rawValue)) != nil
            tag = try io.reported("tag", packet?.tag, .layout(isDescribed: isDescribed))
        }
    }

    /// The meaning of a sample's field; tags 15 and 16 are said to exist, without a description.
    public enum Tag: UInt8, FieldCode {
        /// Beats per minute.
        case heartRate = 0x11
    }
}
