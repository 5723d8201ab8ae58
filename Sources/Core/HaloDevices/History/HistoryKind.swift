/// The kinds of values that a ring stores.
public enum HistoryKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// Heart rates, at the ring's interval: every five minutes in captures.
    case heartRate
    /// Stress, every half hour.
    case stress
    /// Heart-rate variability, in slots of half an hour, of which captured rings fill one in the
    /// hour.
    case heartRateVariability
    /// Steps, metres and energy, by the quarter of an hour or by the hour.
    case activity
    /// Blood oxygen, every hour.
    case bloodOxygen
    /// The temperature of the skin, every half hour.
    case temperature
    /// Nights and naps.
    case sleep
    case workouts
    /// The activity since the ring's midnight.
    case totals
}

extension HistoryKind: CustomStringConvertible {
    /// The kind in words.
    public var description: String {
        switch self {
        case .heartRate: "heart rate"
        case .stress: "stress"
        case .heartRateVariability: "heart-rate variability"
        case .activity: "activity"
        case .bloodOxygen: "blood oxygen"
        case .temperature: "temperature"
        case .sleep: "sleep"
        case .workouts: "workouts"
        case .totals: "totals of today"
        }
    }

    func words(daysAgo: Int?) -> String {
        switch daysAgo {
        case nil: description
        case 0: "\(self), today"
        case 1: "\(self), 1 day ago"
        case let days?: "\(self), \(days) days ago"
        }
    }
}
