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

    /// The name of the value in errors.
    var name: FieldName {
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
