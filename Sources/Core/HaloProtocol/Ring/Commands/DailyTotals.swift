/// The totals of one day: an older command.
///
///     → 07 daysAgo                     0 is the ring's today
///     ← 07 00 day… steps… runningSteps… smallCalories…
///     ← 07 01 day… metres… activeMinutes… sleepMinutes…
///
///     day: daysAgo in decimal digits, or 80 for an entry without a valid day; then year, month,
///          day of the month in decimal digits, all zero when unset
///     steps, runningSteps, smallCalories, metres: 3 bytes BE each
///     activeMinutes, sleepMinutes: 2 bytes BE each
///
/// Seen only on R02. With 80 the date is an old one, and the other values may be old as well.
public enum DailyTotals: DayCommand, ManyFrameCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x07, "DailyTotals", "totals of a day", .captured, onlyReads: true)
    }

    /// Returns the day of a frame, or `nil` for an entry without a valid day.
    public static func day(of frame: Frame) -> DaysAgo? {
        switch try? Part(decoding: frame) {
        case .movement(let day, _), .duration(let day, _):
            day.daysAgo.flatMap { UInt8(exactly: $0) }.map { DaysAgo($0) }
        case nil: nil
        }
    }

    /// One of the two frames of the reply.
    public enum Part: PartPacket {
        public typealias Owner = DailyTotals

        /// The first frame, with steps and energy.
        case movement(Day, Movement)
        /// The second frame, with distance and times.
        case duration(Day, Duration)

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            let index = try io.structure(
                "index", packet.map { $0.movement == nil ? 1 : 0 }, in: 0...1)
            let day = try Day(&io, packet?.day)
            self =
                index == 0
                ? .movement(day, try Movement(&io, packet?.movement))
                : .duration(day, try Duration(&io, packet?.duration))
        }

        @usableFromInline var day: Day {
            switch self {
            case .movement(let day, _), .duration(let day, _): day
            }
        }

        @usableFromInline var movement: Movement? {
            if case .movement(_, let movement) = self { movement } else { nil }
        }

        @usableFromInline var duration: Duration? {
            if case .duration(_, let duration) = self { duration } else { nil }
        }

        public var isFirst: Bool { movement != nil }
    }

    /// The day, which both frames repeat.
    public struct Day: Hashable, Sendable {
        /// Offset and date, in one word: as two fields, decoding takes 15 % longer.
        @usableFromInline var bytes: FourBytes

        /// The number of days before the ring's today, in decimal digits as sent.
        @inlinable package var offset: UInt8 {
            get { bytes[0] }
            set { bytes[0] = newValue }
        }
        /// The date, as it was sent.
        @inlinable public var date: DecimalDate {
            get { DecimalDate(year: bytes[1], month: bytes[2], day: bytes[3]) }
            set { bytes = FourBytes(offset, newValue.year, newValue.month, newValue.day) }
        }

        /// The offset of an entry without a valid day.
        @usableFromInline package static let noOffset: UInt8 = 0x80

        /// The day of an entry without a valid day.
        public static let unknown = Day(noOffset, .unset)

        /// Creates a day by its date; `daysAgo` is at most 79, since 80 means "no valid day".
        public init(daysAgo: UInt8, date: DecimalDate) throws(ValueError) {
            try ValueError.check("daysAgo", daysAgo, in: 0...79)
            self.init(BinaryCodedDecimal.byte(Int(daysAgo)), date)
        }

        @inlinable @inline(__always)
        init(_ offset: UInt8, _ date: DecimalDate) {
            bytes = FourBytes(offset, date.year, date.month, date.day)
        }

        /// The number of days before the ring's today, or `nil` without a valid day.
        public var daysAgo: Int? {
            offset == Self.noOffset ? nil : BinaryCodedDecimal.number(offset)
        }

        @inlinable @inline(__always)
        init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            let offset = try io.uint8("offset", packet?.offset, .open)
            io.means {
                offset == Self.noOffset ? "no valid day" : Self.text(offset)
            }
            self.init(offset, try io.decimalDate("date", packet?.date))
        }

        @usableFromInline static func text(_ offset: UInt8) -> String {
            BinaryCodedDecimal.number(offset).map { "\($0) days ago" }
                ?? "\(HexText.byte(offset)), no decimal number"
        }
    }

    /// The counts of the first frame.
    public struct Movement: Hashable, Sendable {
        /// The number of steps, including those that were run.
        public var steps: UInt24
        public var runningSteps: UInt24
        public var smallCalories: UInt24

        public init(steps: UInt24, runningSteps: UInt24 = 0, smallCalories: UInt24) {
            self.steps = steps
            self.runningSteps = runningSteps
            self.smallCalories = smallCalories
        }

        @inlinable @inline(__always)
        init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            steps = try io.uint24("steps", packet?.steps, .total(.steps), .steps, isBigEndian: true)
            runningSteps = try io.uint24(
                "runningSteps", packet?.runningSteps, .total(.steps), .steps, isBigEndian: true)
            smallCalories = try io.uint24(
                "smallCalories", packet?.smallCalories, .total(.calories), .calories,
                isBigEndian: true)
        }
    }

    /// The counts of the second frame.
    @frozen
    public struct Duration: Hashable, Sendable {
        public var metres: UInt24
        public var activeMinutes: UInt16
        /// The time asleep, in minutes; 0 in every capture.
        public var sleepMinutes: UInt16
        @usableFromInline package var unclaimed = InlineBytes()

        public init(metres: UInt24, activeMinutes: UInt16, sleepMinutes: UInt16) {
            self.metres = metres
            self.activeMinutes = activeMinutes
            self.sleepMinutes = sleepMinutes
        }

        @inlinable @inline(__always)
        init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            metres = try io.uint24(
                "metres", packet?.metres, .total(.metres), .metres, isBigEndian: true)
            activeMinutes = try io.uint16(
                "activeMinutes", packet?.activeMinutes, .total(.minutes), .minutes,
                isBigEndian: true)
            sleepMinutes = try io.uint16(
                "sleepMinutes", packet?.sleepMinutes, .body(.nightMinutes), .minutes,
                isBigEndian: true)
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }

    /// The totals of one day.
    public struct Reply: ManyFrameReply {
        public var day: Day
        public var movement: Movement
        public var duration: Duration

        public init(day: Day, movement: Movement, duration: Duration) {
            self.day = day
            self.movement = movement
            self.duration = duration
        }

        /// The energy in kilocalories.
        public var kilocalories: Double { Double(movement.smallCalories.value) / 1000 }

        /// The two frames that a ring sends.
        public var frames: [Frame] {
            [Part.movement(day, movement).frame, Part.duration(day, duration).frame]
        }

        /// The text that fixtures and captures show.
        public var description: String {
            "DailyTotals.Reply(daysAgo: \(day.daysAgo.map { "\($0)" } ?? "none"), "
                + "date: \(day.date), steps: \(movement.steps), "
                + "runningSteps: \(movement.runningSteps), "
                + "smallCalories: \(movement.smallCalories), "
                + "metres: \(duration.metres), activeMinutes: \(duration.activeMinutes), "
                + "sleepMinutes: \(duration.sleepMinutes))"
        }
    }

    /// Joins the two frames.
    ///
    /// A first frame replaces an earlier one, so that values of two replies never mix. A second
    /// frame alone is an error, and so is a second frame of another day.
    public struct Assembly: ReplyAssembly {
        private var first: (day: Day, movement: Movement)?
        private var isComplete = false

        public init() {}

        /// `false`: the totals grow during the day, and frames of two replies look alike.
        public static var joinsAnswers: Bool { false }

        /// Receives one frame; returns the totals with the second, else `nil`.
        public mutating func receive(_ part: Part) throws(PacketError) -> Answer<Reply>? {
            switch part {
            case .movement(let day, let movement):
                first = (day, movement)
                isComplete = false
                return nil
            case .duration(let day, let duration):
                guard let first else {
                    throw PacketError(
                        .missing, packet: Part.name, field: "index", at: 1, expected: 0...0)
                }
                guard first.day == day else { throw Self.contradiction(first.day, day) }
                if isComplete { return nil }
                isComplete = true
                return .value(Reply(day: day, movement: first.movement, duration: duration))
            }
        }

        private static func contradiction(_ first: Day, _ second: Day) -> PacketError {
            if first.offset != second.offset {
                return PacketError(
                    .contradiction, packet: Part.name, field: "offset", at: 2,
                    expected: Int64(first.offset)...Int64(first.offset),
                    found: Int64(second.offset))
            }
            return PacketError(.contradiction, packet: Part.name, field: "date", at: 3)
        }
    }
}

#if !hasFeature(Embedded)
extension DailyTotals.Day: CustomReflectable {
    /// The fields by their names, as an app sees them.
    public var customMirror: Mirror {
        Mirror(self, children: ["offset": offset, "date": date], displayStyle: .struct)
    }
}
#endif
