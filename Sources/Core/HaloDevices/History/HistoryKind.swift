/// The kinds of values that a ring stores.
///
/// A kind has one name: that of its case, in Swift and JSON. Tables, columns and files have the
/// same words with underscores, `heart_rate`, and the command line with hyphens, `heart-rate`.
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

    /// Finds the kind that a text names: by its name in any spelling (`heartRate`, `heart-rate`,
    /// `heart_rate`, `heart rate`) or by an abbreviation (`hr`, `hrv`, `spo2`, `oxygen`, `steps`).
    /// Case is ignored.
    public init?(named text: String) {
        let name = text.lowercased().filter { !"-_ ".contains($0) }
        guard
            let kind = Self.allCases.first(where: { $0.rawValue.lowercased() == name })
                ?? Self.abbreviations[name]
        else { return nil }
        self = kind
    }

    private static let abbreviations: [String: HistoryKind] = [
        "hr": .heartRate, "heart": .heartRate, "hrv": .heartRateVariability,
        "variability": .heartRateVariability, "steps": .activity, "spo2": .bloodOxygen,
        "oxygen": .bloodOxygen, "temp": .temperature, "night": .sleep, "nights": .sleep,
        "workout": .workouts, "total": .totals,
    ]

    /// The abbreviations that ``init(named:)`` takes, in their order.
    package static let shortNames = abbreviations.keys.sorted()

    /// The name with another character before each word but the first: `heart_rate`, `heart-rate`.
    package func name(separator: Character) -> String { rawValue.words(separator: separator) }

    func words(daysAgo: Int?) -> String {
        switch daysAgo {
        case nil: description
        case 0: "\(self), today"
        case 1: "\(self), 1 day ago"
        case let days?: "\(self), \(days) days ago"
        }
    }
}

extension String {
    /// The words of a name in camel case, in lower case with a character between.
    package func words(separator: Character) -> String {
        reduce(into: "") { words, letter in
            if letter.isUppercase { words.append(separator) }
            words += letter.lowercased()
        }
    }
}
