import HaloDevices
import HaloHealth

enum HistoryChoice: String, CaseIterable, Sendable {
    case heartRate = "heart-rate"
    case steps
    case sleep
    case oxygen
    case stress
    case variability = "hrv"
    case temperature
    case workouts

    static let words = allCases.map(\.rawValue)

    private static let synonyms: [String: HistoryChoice] = [
        "hr": .heartRate, "heartrate": .heartRate, "heart": .heartRate, "activity": .steps,
        "spo2": .oxygen, "blood-oxygen": .oxygen, "variability": .variability,
        "temp": .temperature, "workout": .workouts, "nights": .sleep,
    ]

    init?(named word: String) {
        let word = word.lowercased()
        guard let choice = Self(rawValue: word) ?? Self.synonyms[word] else { return nil }
        self = choice
    }

    var kind: HistoryKind {
        switch self {
        case .heartRate: .heartRate
        case .steps: .activity
        case .sleep: .sleep
        case .oxygen: .bloodOxygen
        case .stress: .stress
        case .variability: .heartRateVariability
        case .temperature: .temperature
        case .workouts: .workouts
        }
    }

    var tables: [HistoryTable] {
        HistoryTable.allCases.filter { Self.kinds(self).contains($0.kind) }
    }

    static func kinds(_ choice: HistoryChoice?) -> Set<HistoryKind> {
        switch choice {
        case nil: Set(HistoryKind.allCases)
        case .steps: [.activity, .totals]
        case let choice?: [choice.kind]
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
