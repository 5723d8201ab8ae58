/// A workout that a ring has stored.
///
///     length of all this | sport | fields…
///     each field: length of all this | tag | value, LE
///
/// Two sets of fields were seen: 48 bytes in all (running: with distance, speed, steps) and 27
/// bytes (sport 2: start, duration, calories, heart rates). Fields keep their order, their length
/// and tags that nobody has described; the same tag twice is kept twice, and the first counts.
public struct StoredWorkout: Hashable, Sendable {
    /// Which sport.
    public var sport: Reported<Sport>
    /// The fields in order; all of it has at most 255 bytes.
    public let fields: [Field]

    static let headLength: UInt8 = 2

    /// A workout of the given fields.
    public init(sport: Sport, fields: [Field]) throws(ValueError) {
        let length = Self.length(fields)
        guard length <= Int(UInt8.max) else {
            throw ValueError(
                "length", allowed: Int64(Self.headLength)...Int64(UInt8.max),
                found: Int64(length))
        }
        self.sport = Reported(sport)
        self.fields = fields
    }

    private static func length(_ fields: [Field]) -> Int {
        fields.reduce(Int(headLength)) { $0 + $1.length }
    }

    init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
        let start = reader.offset
        let length = try reader.extent("length", Self.headLength...255)
        let end = start + Int(length)
        sport = try reader.reported("sport")
        var fields: [Field] = []
        while reader.offset < end {
            reader.enter("fields", fields.count)
            fields.append(try Field(from: &reader, end: end))
            reader.leave()
        }
        self.fields = fields
    }

    func encode(into writer: inout ByteWriter) {
        writer.extent("length", UInt8(truncatingIfNeeded: Self.length(fields)))
        writer.reported("sport", sport)
        for field in fields { field.encode(into: &writer) }
    }

    /// One value with its tag.
    public struct Field: Hashable, Sendable {
        /// What the value says.
        public var tag: Reported<WorkoutTag>
        /// The value, the lowest byte first; at most 253 bytes.
        public let value: [UInt8]

        /// A number under a tag, in as many bytes as rings use.
        public init(_ tag: WorkoutTag, _ number: UInt32) throws(ValueError) {
            let most = UInt32.max >> UInt32(truncatingIfNeeded: 32 - 8 * tag.length)
            guard number <= most else {
                throw ValueError(tag.label, allowed: 0...Int64(most), found: Int64(number))
            }
            self.tag = Reported(tag)
            value = (0..<tag.length).map {
                UInt8(truncatingIfNeeded: number >> UInt32(truncatingIfNeeded: 8 * $0))
            }
        }

        /// The value as a number; nothing if it has none or more than four bytes.
        public var number: UInt32? {
            guard 1...4 ~= value.count else { return nil }
            return value.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }

        /// How many bytes length, tag and value have.
        var length: Int { Int(StoredWorkout.headLength) + value.count }

        private var text: String {
            guard let number else { return HexText.bytes(value, separator: " ") }
            if tag == .start { return CivilDateTime(secondsSince1970: number).description }
            return (tag.known?.unit ?? .none).text(number)
        }

        init<Sink: FieldSink>(
            from reader: inout ByteReader<Sink>, end: Int
        ) throws(PacketError) {
            let most = UInt8(clamping: end - reader.offset)
            guard most >= StoredWorkout.headLength else {
                throw .truncated(
                    "length", at: reader.offset, needs: Int(StoredWorkout.headLength),
                    remaining: Int(most))
            }
            let length = try reader.extent("length", StoredWorkout.headLength...most)
            tag = try reader.reported("tag")
            value = try reader.byteArray(
                "value", count: Int(length) - Int(StoredWorkout.headLength))
            reader.means { text }
        }

        func encode(into writer: inout ByteWriter) {
            writer.extent("length", UInt8(truncatingIfNeeded: length))
            writer.reported("tag", tag)
            writer.byteArray("value", value)
        }
    }
}

extension StoredWorkout {
    /// The number under a tag; nothing where the workout has none.
    public func number(_ tag: WorkoutTag) -> UInt32? {
        fields.first { $0.tag == tag }?.number
    }

    /// When it began: the key by which ``WorkoutDetail`` asks for it.
    ///
    /// On an R10 it lay eight hours behind the ring's clock, as if that showed the time of UTC+8;
    /// on other models it was not compared.
    public var start: CivilDateTime? {
        number(.start).map { CivilDateTime(secondsSince1970: $0) }
    }

    /// How long it took.
    public var seconds: UInt32? { number(.duration) }
    /// How far it went.
    public var metres: UInt32? { number(.distance) }
    /// The energy in kilocalories, which food labels call calories.
    public var kilocalories: Double? { number(.calories).map { Double($0) / 1000 } }
    /// Steps.
    public var steps: UInt32? { number(.steps) }
    /// The average heart rate; 0 where the ring had none.
    public var averageBeatsPerMinute: UInt32? { number(.averageHeartRate) }
    /// The lowest heart rate; 0 where the ring had none.
    public var lowestBeatsPerMinute: UInt32? { number(.lowestHeartRate) }
    /// The highest heart rate; 0 where the ring had none.
    public var highestBeatsPerMinute: UInt32? { number(.highestHeartRate) }
}
