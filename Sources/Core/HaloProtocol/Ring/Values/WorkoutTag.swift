/// The meaning of a field of a stored workout.
public enum WorkoutTag: UInt8, FieldCode {
    case start = 1
    case duration = 2
    case distance = 3
    case smallCalories = 4
    /// Average speed in a unit that is not known: 2 bytes.
    case averageSpeed = 5
    /// Highest speed in a unit that is not known: 2 bytes.
    case highestSpeed = 6
    case averageHeartRate = 7
    case lowestHeartRate = 8
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
    case steps = 0x13

    /// The length of the value in bytes in captures; 4 without a capture.
    public var length: Int { facts.length }

    /// The name of the value in errors, its length, what it gives away, and its unit, where it is
    /// known.
    var facts: (name: FieldName, length: Int, secrecy: FieldSecrecy, unit: FieldUnit) {
        switch self {
        case .start: ("start", 4, .seconds, .none)
        case .duration: ("duration", 2, .open, .seconds)
        case .distance: ("distance", 2, .total(.metres), .metres)
        case .smallCalories: ("small calories", 4, .total(.calories), .calories)
        case .averageSpeed: ("average speed", 2, .body(.speed), .none)
        case .highestSpeed: ("highest speed", 2, .body(.speed), .none)
        case .averageHeartRate:
            ("average heart rate", 1, .pulseOfWorkout(.average), .beatsPerMinute)
        case .lowestHeartRate: ("lowest heart rate", 1, .pulseOfWorkout(.lowest), .beatsPerMinute)
        case .highestHeartRate:
            ("highest heart rate", 1, .pulseOfWorkout(.highest), .beatsPerMinute)
        case .elevation: ("elevation", 4, .measured, .none)
        case .uphill: ("uphill", 4, .measured, .none)
        case .downhill: ("downhill", 4, .measured, .none)
        case .stepRate: ("step rate", 1, .body(.stepRate), .none)
        case .count: ("count", 4, .measured, .none)
        case .steps: ("steps", 4, .total(.steps), .steps)
        }
    }
}
