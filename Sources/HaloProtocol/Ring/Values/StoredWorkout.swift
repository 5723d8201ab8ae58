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

    public init(sport: Sport, fields: [Field]) throws(ValueError) {
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
        /// The meaning of the value.
        public var tag: Reported<WorkoutTag>
        /// The value, little endian; at most 253 bytes.
        public let value: [UInt8]

        /// Creates a field from a number, in as many bytes as rings use for the tag.
        public init(_ tag: WorkoutTag, _ number: UInt32) throws(ValueError) {
            let most = UInt32.max >> UInt32(truncatingIfNeeded: 32 - 8 * tag.length)
            try ValueError.check(tag.name, number, in: 0...Int64(most))
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
            return (tag.known?.unit ?? .none).text(number)
        }

        init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?, end: Int) throws(PacketError)
        {
            let most = UInt8(clamping: end - io.offset)
            guard most >= StoredWorkout.headLength else {
                throw .truncated(
                    "length", at: io.offset, needs: Int(StoredWorkout.headLength),
                    remaining: Int(most))
            }
            let length = try io.extent("length", packet?.length, StoredWorkout.headLength...most)
            tag = try io.reported("tag", packet?.tag, .open)
            value = try io.byteArray(
                "value", packet?.value, tag.known?.secrecy ?? .measured,
                count: length - Int(StoredWorkout.headLength))
            io.means { text }
        }
    }
}

extension StoredWorkout {
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

/// The meaning of a field of a stored workout.
public enum WorkoutTag: UInt8, FieldCode {
    /// The start: 4 bytes.
    case start = 1
    /// The duration in seconds: 2 bytes.
    case duration = 2
    /// The distance in metres: 2 bytes.
    case distance = 3
    /// Energy in small calories: 4 bytes.
    case smallCalories = 4
    /// Average speed in a unit that is not known: 2 bytes.
    case averageSpeed = 5
    /// Highest speed in a unit that is not known: 2 bytes.
    case highestSpeed = 6
    /// Average heart rate: 1 byte.
    case averageHeartRate = 7
    /// Lowest heart rate: 1 byte.
    case lowestHeartRate = 8
    /// Highest heart rate: 1 byte.
    case highestHeartRate = 9
    /// Elevation; never seen.
    case elevation = 10
    /// Way up; never seen.
    case uphill = 11
    /// Way down; never seen.
    case downhill = 12
    /// Rate of steps in a unit that is not known: 1 byte.
    case stepRate = 13
    /// A count, perhaps of jumps; never seen.
    case count = 14
    /// Steps: 4 bytes.
    case steps = 0x13

    public static let labels = FieldLabels<WorkoutTag>()

    /// The name of the value in errors.
    fileprivate var name: FieldName {
        switch self {
        case .start: "start"
        case .duration: "duration"
        case .distance: "distance"
        case .smallCalories: "small calories"
        case .averageSpeed: "average speed"
        case .highestSpeed: "highest speed"
        case .averageHeartRate: "average heart rate"
        case .lowestHeartRate: "lowest heart rate"
        case .highestHeartRate: "highest heart rate"
        case .elevation: "elevation"
        case .uphill: "uphill"
        case .downhill: "downhill"
        case .stepRate: "step rate"
        case .count: "count"
        case .steps: "steps"
        }
    }

    /// The length of the value in bytes in captures; 4 without a capture.
    public var length: Int {
        switch self {
        case .averageHeartRate, .lowestHeartRate, .highestHeartRate, .stepRate: 1
        case .duration, .distance, .averageSpeed, .highestSpeed: 2
        case .start, .smallCalories, .steps, .elevation, .uphill, .downhill, .count: 4
        }
    }

    /// What the value gives away.
    var secrecy: FieldSecrecy {
        switch self {
        case .start: .seconds
        case .duration: .open
        case .distance: .total(.metres)
        case .smallCalories: .total(.calories)
        case .steps: .total(.steps)
        case .averageSpeed, .highestSpeed: .body(.speed)
        case .averageHeartRate: .pulseOfWorkout(.average)
        case .lowestHeartRate: .pulseOfWorkout(.lowest)
        case .highestHeartRate: .pulseOfWorkout(.highest)
        case .stepRate: .body(.stepRate)
        case .elevation, .uphill, .downhill, .count: .measured
        }
    }

    /// The unit of the value, where it is known.
    var unit: FieldUnit {
        switch self {
        case .duration: .seconds
        case .distance: .metres
        case .smallCalories: .calories
        case .averageHeartRate, .lowestHeartRate, .highestHeartRate: .beatsPerMinute
        case .steps: .steps
        default: .none
        }
    }
}
