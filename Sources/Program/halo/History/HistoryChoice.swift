import HaloDevices
import HaloHealth

/// The kinds of stored values by their words on the command line.
enum HistoryChoice {
    private static let all: [(word: String, kind: HistoryKind)] = [
        ("heart-rate", .heartRate), ("steps", .activity), ("sleep", .sleep),
        ("oxygen", .bloodOxygen), ("stress", .stress), ("hrv", .heartRateVariability),
        ("temperature", .temperature), ("workouts", .workouts),
    ]

    static let words = all.map(\.word)
    static let kinds = all.map(\.kind)

    private static let synonyms: [String: HistoryKind] = [
        "hr": .heartRate, "heartrate": .heartRate, "heart": .heartRate, "activity": .activity,
        "spo2": .bloodOxygen, "blood-oxygen": .bloodOxygen, "variability": .heartRateVariability,
        "temp": .temperature, "workout": .workouts, "nights": .sleep,
    ]

    static func kind(named word: String) -> HistoryKind? {
        let word = word.lowercased()
        return all.first { $0.word == word }?.kind ?? synonyms[word]
    }

    /// The kinds to read for one that was chosen, or for none.
    static func kinds(of choice: HistoryKind?) -> Set<HistoryKind> {
        switch choice {
        case nil: Set(HistoryKind.allCases)
        case .activity: [.activity, .totals]
        case let choice?: [choice]
        }
    }
}

extension HistoryTable {
    var kind: HistoryKind {
        switch self {
        case .heartRate: .heartRate
        case .stress: .stress
        case .heartRateVariability: .heartRateVariability
        case .activity: .activity
        case .bloodOxygen: .bloodOxygen
        case .temperature: .temperature
        case .sleep, .sleepStages: .sleep
        case .workouts: .workouts
        case .totals: .totals
        }
    }
}
