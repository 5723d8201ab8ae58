/// What a field of a stored workout says.
public enum WorkoutTag: UInt8, FieldCode {
    /// When it began: 4 bytes.
    case start = 1
    /// How long it took in seconds: 2 bytes.
    case duration = 2
    /// How far it went in metres: 2 bytes.
    case distance = 3
    /// Energy in small calories: 4 bytes.
    case calories = 4
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
    /// A count of something (of jumps, perhaps); never seen.
    case count = 14
    /// Steps: 4 bytes.
    case steps = 0x13

    public var label: FieldName {
        switch self {
        case .start: "start"
        case .duration: "duration"
        case .distance: "distance"
        case .calories: "calories"
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

    /// How many bytes the value has in captures; 4 where none shows it.
    public var length: Int {
        switch self {
        case .averageHeartRate, .lowestHeartRate, .highestHeartRate, .stepRate: 1
        case .duration, .distance, .averageSpeed, .highestSpeed: 2
        case .start, .calories, .steps, .elevation, .uphill, .downhill, .count: 4
        }
    }

    /// What the value counts, where that is known.
    var unit: FieldUnit {
        switch self {
        case .duration: .seconds
        case .distance: .metres
        case .calories: .calories
        case .averageHeartRate, .lowestHeartRate, .highestHeartRate: .beatsPerMinute
        case .steps: .steps
        default: .none
        }
    }
}
