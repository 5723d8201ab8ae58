/// A workout that a ring has stored.
///
///     total length | sport | fields…
///     each field: total length | tag | value, LE
///
/// Two sets of fields were seen: 48 bytes in all (running: with distance, speed, steps) and 27
/// bytes (sport 2: start, duration, calories, heart rates). Fields keep their order, their length
/// and undescribed tags. A repeated tag is kept; the properties below read the first one.
public struct StoredWorkout: Hashable, Sendable, ByteFields {
    public var sport: Reported<Sport>
    /// The fields in order; the whole workout has at most 255 bytes.
    public let fields: [Field]

    static let headLength: UInt8 = 2
    static var leastLength: Int { Int(headLength) }

    package init(sport: Sport, fields: [Field]) throws(ValueError) {
        let length = Self.length(fields)
        try ValueError.check("length", length, in: Int64(Self.headLength)...Int64(UInt8.max))
        self.sport = Reported(sport)
        self.fields = fields
    }

    private static func length(_ fields: [Field]) -> Int {
        fields.reduce(Int(headLength)) { $0 + $1.length }
    }

    init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        let start = io.offset
        let length = try io.extent(
            "length", packet.map { Self.length($0.fields) }, Self.headLength...255)
        let end = start + length
        sport = try io.reported("sport", packet?.sport, .open)
        var fields: [Field] = []
        while io.offset < end {
            io.enter("fields", fields.count)
            fields.append(try Field(&io, packet?.fields[fields.count], end: end))
            io.leave()
        }
        self.fields = fields
    }

    /// A value with its tag.
    public struct Field: Hashable, Sendable {
        public var tag: Reported<WorkoutTag>
        /// The value, little endian; at most 253 bytes.
        public let value: [UInt8]

        /// Creates a field from a number, in as many bytes as rings use for the tag.
        package init(_ tag: WorkoutTag, _ number: UInt32) throws(ValueError) {
            let most = UInt32.max >> UInt32(truncatingIfNeeded: 32 - 8 * tag.length)
            try ValueError.check(tag.facts.name, number, in: 0...Int64(most))
            self.tag = Reported(tag)
            value = (0..<tag.length).map {
                UInt8(truncatingIfNeeded: number >> UInt32(truncatingIfNeeded: 8 * $0))
            }
        }

        /// The value as a number; `nil` without bytes or for more than four bytes.
        public var number: UInt32? {
            guard 1...4 ~= value.count else { return nil }
            return value.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }

        /// The length of the field in bytes: length, tag and value.
        var length: Int { Int(StoredWorkout.headLength) + value.count }

        private var text: String {
            guard let number else { return HexText.bytes(value, separator: " ") }
            if tag == .start { return CivilDateTime(secondsSince1970: number).description }
            return (tag.known?.facts.unit ?? .none).text(number)
        }

        init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?, end: Int) throws(PacketError)
        {
            let most = UInt8(clamping: end - io.offset)
            guard most >= StoredWorkout.headLength else {
                try PacketError.throwTruncated(
                    "length", at: io.offset, needs: Int(StoredWorkout.headLength),
                    remaining: Int(most))
            }
            let length = try io.extent("length", packet?.length, StoredWorkout.headLength...most)
            tag = try io.reported("tag", packet?.tag, .open)
            value = try io.byteArray(
                "value", packet?.value, tag.known?.facts.secrecy ?? .measured,
                count: length - Int(StoredWorkout.headLength))
            io.means { text }
        }
    }

    /// Returns the number under a tag, or `nil` if the workout has none.
    public func number(_ tag: WorkoutTag) -> UInt32? {
        fields.first { $0.tag == tag }?.number
    }

    /// The start: the key of the workout in a ``WorkoutDetail`` request.
    ///
    /// On an R10 it is eight hours behind the ring's clock, as if that showed the time of UTC+8;
    /// other models were not compared.
    public var start: CivilDateTime? {
        number(.start).map { CivilDateTime(secondsSince1970: $0) }
    }

    /// The duration, or `nil` if the workout has none.
    public var durationSeconds: UInt32? { number(.duration) }
    /// The distance, or `nil` if the workout has none.
    public var metres: UInt32? { number(.distance) }
    /// The energy in kilocalories, or `nil` if the workout has none.
    public var kilocalories: Double? { number(.smallCalories).map { Double($0) / 1000 } }
    /// The number of steps, or `nil` if the workout has none.
    public var steps: UInt32? { number(.steps) }
    /// The average heart rate; 0 if the ring had none.
    public var averageBeatsPerMinute: UInt32? { number(.averageHeartRate) }
    /// The lowest heart rate; 0 if the ring had none.
    public var lowestBeatsPerMinute: UInt32? { number(.lowestHeartRate) }
    /// The highest heart rate; 0 if the ring had none.
    public var highestBeatsPerMinute: UInt32? { number(.highestHeartRate) }
}
