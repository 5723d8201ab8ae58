/// A night or a nap, stage after stage.
///
///     daysAgo | length of what follows | start, 2 bytes LE | end, 2 bytes LE | (stage, minutes)…
///
/// Start and end are minutes of the day, on the ring's clock. A night is filed under the morning
/// on which it ends: if start is later than end, it belongs to the evening before. A stage of
/// more than 255 minutes is written as several. In every capture the stages add up to the time
/// between start and end.
public struct SleepPeriod: Hashable, Sendable {
    /// How many days before the ring's today it ended.
    public var daysAgo: UInt8
    /// When it began, on the ring's clock.
    public var start: MinuteOfDay
    /// When it ended, on the ring's clock.
    public var end: MinuteOfDay
    /// The stages in order, at most 125.
    public let stages: [Stage]
    /// A byte that is left of an odd length; never seen.
    let unclaimed: InlineBytes

    static let fixedLength = 4
    /// The most stages that one period can hold.
    public static let mostStages = (Int(UInt8.max) - fixedLength) / Stage.length

    /// A period by its stages.
    public init(
        daysAgo: UInt8, start: CivilTime, end: CivilTime, stages: [Stage]
    ) throws(ValueError) {
        try RecordLength.check(stages.count, "stages", most: Self.mostStages)
        self.daysAgo = daysAgo
        self.start = MinuteOfDay(start)
        self.end = MinuteOfDay(end)
        self.stages = stages
        unclaimed = InlineBytes()
    }

    /// How many bytes it has in its record.
    var length: Int { 2 + contentLength }

    private var contentLength: Int {
        Self.fixedLength + Stage.length * stages.count + unclaimed.count
    }

    init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
        daysAgo = try reader.uint8("daysAgo", .daysAgo)
        let length = try reader.extent("length", UInt8(Self.fixedLength)...255)
        start = try reader.minuteOfDay("start")
        end = try reader.minuteOfDay("end")
        let count = (Int(length) - Self.fixedLength) / Stage.length
        var stages: [Stage] = []
        stages.reserveCapacity(min(count, reader.remaining / Stage.length))
        for index in 0..<count {
            reader.enter("stages", index)
            stages.append(try Stage(from: &reader))
            reader.leave()
        }
        self.stages = stages
        let odd = Int(length) - Self.fixedLength - count * Stage.length
        unclaimed = try reader.inlineBytes("unclaimed", count: odd, role: .unclaimed)
    }

    func encode(into writer: inout ByteWriter) {
        writer.uint8("daysAgo", daysAgo)
        writer.extent("length", UInt8(truncatingIfNeeded: contentLength))
        writer.minuteOfDay("start", start)
        writer.minuteOfDay("end", end)
        for stage in stages { stage.encode(into: &writer) }
        writer.inlineBytes("unclaimed", unclaimed, count: unclaimed.count)
    }

    /// A stretch of one stage.
    public struct Stage: Hashable, Sendable {
        /// Which stage.
        public var stage: Reported<SleepStage>
        /// How long.
        public var minutes: UInt8

        static let length = 2

        /// A stretch of one stage.
        public init(_ stage: SleepStage, minutes: UInt8) {
            self.stage = Reported(stage)
            self.minutes = minutes
        }

        init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
            stage = try reader.reported("stage")
            minutes = try reader.uint8("minutes", .minutes)
        }

        func encode(into writer: inout ByteWriter) {
            writer.reported("stage", stage)
            writer.uint8("minutes", minutes)
        }
    }
}
