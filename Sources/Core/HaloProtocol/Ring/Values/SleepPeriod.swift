/// The stages of a night or a nap.
///
///     daysAgo | length of the rest | start, 2 bytes LE | end, 2 bytes LE | (stage, minutes)…
///
/// Start and end are minutes of the day, on the ring's clock. A night is filed under the morning on
/// which it ends: if start is later than end, the start is on the evening before. A stage of more
/// than 255 minutes is written as several. In every capture the stages add up to the time between
/// start and end.
public struct SleepPeriod: Hashable, Sendable, ByteFields {
    /// The day on which the period ended, as a number of days before the ring's today.
    public var daysAgo: UInt8
    /// The start, on the ring's clock.
    public var start: MinuteOfDay
    /// The end, on the ring's clock.
    public var end: MinuteOfDay
    /// The stages in order, at most 125.
    public let stages: [Stage]
    /// The last byte of an odd length; never seen.
    let unclaimed: InlineBytes

    static let fixedLength = 4
    static var leastLength: Int { 2 + fixedLength }
    static let mostStages = (Int(UInt8.max) - fixedLength) / Stage.length

    public init(
        daysAgo: UInt8, start: CivilTime, end: CivilTime, stages: [Stage]
    ) throws(ValueError) {
        try ValueError.check("stages", stages.count, in: 0...Self.mostStages)
        self.daysAgo = daysAgo
        self.start = MinuteOfDay(start)
        self.end = MinuteOfDay(end)
        self.stages = stages
        unclaimed = InlineBytes()
    }

    var length: Int { 2 + contentLength }

    private var contentLength: Int {
        Self.fixedLength + Stage.length * stages.count + unclaimed.count
    }

    init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        daysAgo = try io.uint8("daysAgo", packet?.daysAgo, .open, .daysAgo)
        let length = try io.extent(
            "length", packet?.contentLength, UInt8(Self.fixedLength)...255)
        start = try io.minuteOfDay("start", packet?.start, .sleep(.start))
        end = try io.minuteOfDay("end", packet?.end, .sleep(.end))
        let count = (length - Self.fixedLength) / Stage.length
        stages = try io.elements("stages", packet?.stages, count: count)
        unclaimed = try io.inlineBytes(
            "unclaimed", packet?.unclaimed, count: length - Self.fixedLength - count * Stage.length,
            role: .unclaimed, secrecy: .unknown, unit: .none)
    }

    /// A part of the period with one stage.
    public struct Stage: Hashable, Sendable, ByteFields {
        public var stage: Reported<SleepStage>
        public var minutes: UInt8

        static let length = 2
        static var leastLength: Int { length }

        public init(_ stage: SleepStage, minutes: UInt8) {
            self.stage = Reported(stage)
            self.minutes = minutes
        }

        init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            stage = try io.reported("stage", packet?.stage, .sleep(.stage))
            minutes = try io.uint8("minutes", packet?.minutes, .sleep(.minutes), .minutes)
        }
    }

    private static let minutesPerDay = 1440

    /// `true` if the period began on the evening before the day under which it is filed.
    package var startsOnPreviousDay: Bool { start > end }

    /// The time between start and end in minutes, less than a day.
    public var minutes: Int {
        let difference = (Int(end.rawValue) - Int(start.rawValue)) % Self.minutesPerDay
        return difference < 0 ? difference + Self.minutesPerDay : difference
    }

    /// The sum of all stages in minutes.
    package var minutesOfStages: Int {
        stages.reduce(0) { $0 + Int($1.minutes) }
    }

    /// `true` if the stages add up to the time between start and end, as in every capture.
    package var isConsistent: Bool { minutesOfStages == minutes }

    /// Returns the sum of the minutes of one stage.
    public func minutes(of stage: SleepStage) -> Int {
        stages.reduce(0) { $1.stage == stage ? $0 + Int($1.minutes) : $0 }
    }

    /// Returns the day under which the period is filed; `today` is the current day of the ring's
    /// clock.
    private func date(today: CivilDate) -> CivilDate? { today.daysEarlier(daysAgo) }

    /// Returns the start on the ring's clock; `nil` if no day has that minute.
    public func startTime(today: CivilDate) -> CivilDateTime? {
        guard let time = start.time, let date = date(today: today)
        else { return nil }
        guard startsOnPreviousDay else { return CivilDateTime(date, time) }
        return date.daysEarlier(1).map { CivilDateTime($0, time) }
    }

    /// Returns the end on the ring's clock; `nil` if no day has that minute.
    public func endTime(today: CivilDate) -> CivilDateTime? {
        guard let time = end.time else { return nil }
        return date(today: today).map { CivilDateTime($0, time) }
    }
}
