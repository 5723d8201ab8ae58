/// The totals of one day, in the older way.
///
///     → 07 daysAgo                     0 is the ring's today
///     ← 07 00 day… steps… running… calories…
///     ← 07 01 day… metres… active… asleep…
///
///     day: daysAgo in decimal digits, or 80 where the entry has no valid day; then year, month,
///          day of the month in decimal digits, all zero when unset
///     steps, running steps, small calories, metres: 3 bytes BE each
///     active, asleep: minutes, 2 bytes BE each
///
/// Seen only on R02. With 80 comes an old date, and the other values may be left over too.
public enum DailyTotals: DayCommand, RequestCommand, ManyFrameCommand {
    @inlinable public static var opcode: UInt8 { 0x07 }
    @inlinable public static var name: FieldName { "DailyTotals" }
    @inlinable public static var title: FieldName { "totals of a day" }
    @inlinable public static var evidence: Evidence { .captured }
    @inlinable public static var onlyReads: Bool { true }

    /// Asks for one day.
    public typealias Request = DayRequest<DailyTotals>

    /// The day that a frame says; an entry without a valid day says none.
    public static func day(of frame: Frame) -> DaysAgo? {
        switch try? Part(decoding: frame) {
        case .movement(let day, _), .duration(let day, _):
            day.daysAgo.flatMap { UInt8(exactly: $0) }.map { DaysAgo($0) }
        case nil: nil
        }
    }

    /// One of the two frames of the answer.
    public enum Part: PartPacket {
        public typealias Owner = DailyTotals

        /// The first frame.
        case movement(Day, Movement)
        /// The second frame.
        case duration(Day, Duration)

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            let index = try reader.structure("index", 0...1)
            let day = try Day(from: &reader)
            self =
                index == 0
                ? .movement(day, try Movement(from: &reader))
                : .duration(day, try Duration(from: &reader))
        }

        public func encode(into writer: inout FrameWriter) {
            switch self {
            case .movement(let day, let movement):
                writer.structure("index", 0)
                day.encode(into: &writer)
                movement.encode(into: &writer)
            case .duration(let day, let duration):
                writer.structure("index", 1)
                day.encode(into: &writer)
                duration.encode(into: &writer)
            }
        }
    }

    /// The day that both frames say.
    public struct Day: Hashable, Sendable {
        @usableFromInline var bytes: FourBytes

        /// How many days ago, in decimal digits, as it was sent.
        @inlinable public var offset: UInt8 {
            get { bytes[0] }
            set { bytes[0] = newValue }
        }
        /// The date, as it was sent.
        @inlinable public var date: DecimalDate {
            get { DecimalDate(year: bytes[1], month: bytes[2], day: bytes[3]) }
            set { bytes = FourBytes(offset, newValue.year, newValue.month, newValue.day) }
        }

        /// What stands in the offset's place when the entry has no valid day.
        public static let noOffset: UInt8 = 0x80

        /// What an entry without a valid day says.
        public static let unknown = Day(noOffset, .unset)

        /// A day by its date; `daysAgo` is at most 79, since 80 says that there is none.
        public init(daysAgo: UInt8, date: DecimalDate) throws(ValueError) {
            guard daysAgo < 80 else {
                throw ValueError("daysAgo", allowed: 0...79, found: Int64(daysAgo))
            }
            self.init(BinaryCodedDecimal.byte(Int(daysAgo)), date)
        }

        @inlinable @inline(__always)
        init(_ offset: UInt8, _ date: DecimalDate) {
            bytes = FourBytes(offset, date.year, date.month, date.day)
        }

        /// How many days before the ring's today; nothing if the entry has no valid day.
        public var daysAgo: Int? {
            offset == Self.noOffset ? nil : BinaryCodedDecimal.number(offset)
        }

        @inlinable @inline(__always)
        init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            let offset = try reader.uint8("offset")
            reader.means {
                offset == Self.noOffset ? "no valid day" : Self.text(offset)
            }
            self.init(offset, try reader.decimalDate("date"))
        }

        @usableFromInline static func text(_ offset: UInt8) -> String {
            BinaryCodedDecimal.number(offset).map { "\($0) days ago" }
                ?? "\(HexText.byte(offset)), no decimal number"
        }

        func encode(into writer: inout FrameWriter) {
            writer.uint8("offset", offset)
            writer.decimalDate("date", date)
        }
    }

    /// What the first frame counts.
    public struct Movement: Hashable, Sendable {
        /// All steps.
        public var steps: UInt24
        /// Those of them that were run.
        public var runningSteps: UInt24
        /// Small calories.
        public var calories: UInt24

        /// Steps and calories.
        public init(steps: UInt24, runningSteps: UInt24 = 0, calories: UInt24) {
            self.steps = steps
            self.runningSteps = runningSteps
            self.calories = calories
        }

        @inlinable @inline(__always)
        init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            steps = try reader.uint24BigEndian("steps", .steps)
            runningSteps = try reader.uint24BigEndian("runningSteps", .steps)
            calories = try reader.uint24BigEndian("calories", .calories)
        }

        func encode(into writer: inout FrameWriter) {
            writer.uint24BigEndian("steps", steps)
            writer.uint24BigEndian("runningSteps", runningSteps)
            writer.uint24BigEndian("calories", calories)
        }
    }

    /// What the second frame counts.
    public struct Duration: Hashable, Sendable {
        /// The way gone, in metres.
        public var metres: UInt24
        /// Minutes of activity.
        public var activeMinutes: UInt16
        /// Minutes asleep; 0 in every capture.
        public var sleepMinutes: UInt16
        /// What follows; zeros so far.
        public let unclaimed: InlineBytes

        /// A way and two times.
        public init(metres: UInt24, activeMinutes: UInt16, sleepMinutes: UInt16) {
            self.metres = metres
            self.activeMinutes = activeMinutes
            self.sleepMinutes = sleepMinutes
            unclaimed = InlineBytes()
        }

        @inlinable @inline(__always)
        init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            metres = try reader.uint24BigEndian("metres", .metres)
            activeMinutes = try reader.uint16BigEndian("activeMinutes", .minutes)
            sleepMinutes = try reader.uint16BigEndian("sleepMinutes", .minutes)
            unclaimed = try reader.unclaimed()
        }

        func encode(into writer: inout FrameWriter) {
            writer.uint24BigEndian("metres", metres)
            writer.uint16BigEndian("activeMinutes", activeMinutes)
            writer.uint16BigEndian("sleepMinutes", sleepMinutes)
            writer.unclaimed(unclaimed)
        }
    }

    /// The totals of one day.
    public struct Reply: ManyFrameReply {
        /// The day.
        public var day: Day
        /// Steps and calories.
        public var movement: Movement
        /// Metres and minutes.
        public var duration: Duration

        /// The totals of a day.
        public init(day: Day, movement: Movement, duration: Duration) {
            self.day = day
            self.movement = movement
            self.duration = duration
        }

        /// The calories in the unit of food labels.
        public var kilocalories: Double { Double(movement.calories.value) / 1000 }

        /// The two frames that a ring sends.
        public var frames: [Frame] {
            [Part.movement(day, movement).frame, Part.duration(day, duration).frame]
        }

        /// The totals as captures write them.
        public var description: String {
            "DailyTotals.Reply(daysAgo: \(day.daysAgo.map { "\($0)" } ?? "none"), "
                + "date: \(day.date), steps: \(movement.steps), "
                + "runningSteps: \(movement.runningSteps), calories: \(movement.calories), "
                + "metres: \(duration.metres), activeMinutes: \(duration.activeMinutes), "
                + "sleepMinutes: \(duration.sleepMinutes))"
        }
    }

    /// Joins the two frames.
    ///
    /// The first one starts anew, so that values of two answers never mix; the second one alone
    /// is an error, and so is one that says another day.
    public struct Assembly: ReplyAssembly {
        private var first: (day: Day, movement: Movement)?
        private var isComplete = false

        /// Starts with nothing received.
        public init() {}

        /// They may not: the day goes on, and nothing tells the halves of two answers apart.
        public static var joinsAnswers: Bool { false }

        /// Whether it is the first of the two.
        public static func begins(_ frame: Frame) -> Bool {
            switch try? Part(decoding: frame) {
            case .movement: true
            case .duration, nil: false
            }
        }

        /// Takes one frame in; answers when it was the second.
        public mutating func receive(_ frame: Frame) throws(PacketError) -> Answer<Reply>? {
            if frame.refusedOpcode == DailyTotals.opcode { return .refused }
            switch try Part(decoding: frame) {
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
