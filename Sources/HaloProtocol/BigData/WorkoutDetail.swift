/// What a ring recorded during one workout, and how it is cut.
///
///     → 43 sport start…        start is 4 bytes LE, just as WorkoutList has it
///     ← 44 status packages unknown seconds (length, tag)…
///     ← 44 status              taken to be so if the status is not 0
///     ← 45 …                   the samples: WorkoutSamples, one frame for each package
///
/// The answer has an id of its own. `seconds` lie between two samples; each has the fields that
/// the pairs name, 11 is the heart rate. An unknown workout has status 1.
public enum WorkoutDetail: BigDataRequestCommand, BigDataReplyCommand {
    public static var name: FieldName { "WorkoutDetail" }
    public static var title: FieldName { "recording of a workout" }
    public static var evidence: Evidence { .captured }
    public static var requestID: UInt8 { 0x43 }
    public static var replyID: UInt8 { 0x44 }
    public static var onlyReads: Bool { true }

    /// Asks for one workout.
    public struct Request: BigDataRequest {
        public typealias Owner = WorkoutDetail

        /// The sport, as the ring reported it.
        public var sport: Reported<Sport>
        /// The start, as the ring reported it.
        public var start: CivilDateTime

        /// Asks for the workout of a sport that began at a time.
        public init(sport: Reported<Sport>, start: CivilDateTime) {
            self.sport = sport
            self.start = start
        }

        /// Asks for a workout of a list; nothing if the list does not say when it began.
        public init?(_ workout: StoredWorkout) {
            guard let start = workout.start else { return nil }
            self.init(sport: workout.sport, start: start)
        }

        public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
            sport = try reader.reported("sport")
            start = try reader.civilDateTime("start")
        }

        public func encode(into writer: inout ByteWriter) {
            writer.reported("sport", sport)
            writer.civilDateTime("start", start)
        }
    }

    /// How the recording is cut.
    public struct Reply: BigDataReply {
        public typealias Owner = WorkoutDetail

        /// Whether the ring knows the workout.
        public var status: Reported<Status>
        /// How the recording is cut; nothing if the ring says no more than a status.
        public var layout: Layout?

        /// The layout of a recording.
        public init(_ layout: Layout) {
            status = Reported(.found)
            self.layout = layout
        }

        /// There is no such workout.
        public static let unknownWorkout = Reply(status: Reported(.unknownWorkout))

        init(status: Reported<Status>) {
            self.status = status
        }

        public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
            status = try reader.reported("status")
            layout = reader.remaining > 0 ? try Layout(from: &reader) : nil
        }

        public func encode(into writer: inout ByteWriter) {
            writer.reported("status", status)
            layout?.encode(into: &writer)
        }
    }

    /// Whether a ring knows the workout that it was asked for.
    public enum Status: UInt8, FieldCode {
        /// It does.
        case found = 0
        /// It does not.
        case unknownWorkout = 1

        public var label: FieldName {
            switch self {
            case .found: "found"
            case .unknownWorkout: "unknown workout"
            }
        }
    }

    /// How a recording is cut.
    public struct Layout: Hashable, Sendable {
        /// How many ``WorkoutSamples`` follow.
        public var packages: UInt8
        /// Not known; 0 in captures.
        public var unknown: UInt8
        /// How many seconds lie between two samples.
        public var secondsPerSample: UInt8
        /// What a sample consists of; at most 32,765 parts.
        public let fields: [Field]

        /// Heart rates in the given number of packages.
        public init(packages: UInt8, secondsPerSample: UInt8 = 1) {
            self.packages = packages
            unknown = 0
            self.secondsPerSample = secondsPerSample
            fields = [Field(length: 1, tag: Reported(.heartRate))]
        }

        init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
            packages = try reader.uint8("packages")
            unknown = try reader.uint8("unknown")
            secondsPerSample = try reader.uint8("secondsPerSample", .seconds)
            var fields: [Field] = []
            while reader.remaining > 0 {
                reader.enter("fields", fields.count)
                fields.append(try Field(from: &reader))
                reader.leave()
            }
            self.fields = fields
        }

        func encode(into writer: inout ByteWriter) {
            writer.uint8("packages", packages)
            writer.uint8("unknown", unknown)
            writer.uint8("secondsPerSample", secondsPerSample)
            for field in fields { field.encode(into: &writer) }
        }
    }

    /// One part of a sample.
    public struct Field: Hashable, Sendable {
        /// How many bytes it has.
        public var length: UInt8
        /// What it is.
        public var tag: Reported<Tag>

        init(length: UInt8, tag: Reported<Tag>) {
            self.length = length
            self.tag = tag
        }

        init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
            length = try reader.uint8("length", .bytes)
            tag = try reader.reported("tag")
        }

        func encode(into writer: inout ByteWriter) {
            writer.uint8("length", length)
            writer.reported("tag", tag)
        }
    }

    /// What a part of a sample is; 15 and 16 are said to exist, and nobody has described them.
    public enum Tag: UInt8, FieldCode {
        /// Beats per minute.
        case heartRate = 0x11

        public var label: FieldName {
            switch self {
            case .heartRate: "heart rate"
            }
        }
    }
}
