import HaloDevices
import HaloHealth

/// What `halo history` shows, if not everything: a kind of stored values, or a table of others.
enum HistoryChoice: Equatable {
    case kind(HistoryKind)
    case battery
    /// A line for each day.
    case day

    /// The kinds with charts, in their order on the page and in the help texts.
    static let kinds: [HistoryKind] = [
        .heartRate, .activity, .sleep, .bloodOxygen, .stress, .heartRateVariability, .temperature,
        .workouts,
    ]

    static let words = kinds.map { $0.name(separator: "-") } + ["battery", "day"]

    init?(named word: String) {
        switch word.lowercased() {
        case "battery": self = .battery
        case "day", "days": self = .day
        default:
            // The totals of today have no chart of their own: they are a part of the activity.
            guard let kind = HistoryKind(named: word) else { return nil }
            self = .kind(kind == .totals ? .activity : kind)
        }
    }

    /// The kinds to read.
    var kindsToRead: Set<HistoryKind> {
        switch self {
        case .kind(.activity): [.activity, .totals]
        case .kind(let kind): [kind]
        // A charge has the time of the read, which a read of nothing has not.
        case .battery: [.totals]
        case .day: Set(HistoryKind.allCases)
        }
    }

    /// The tables of an export, in their order.
    var tables: [HistoryTable] {
        switch self {
        case .kind: HistoryTable.allCases.filter { $0.kind.map(kindsToRead.contains) ?? false }
        case .battery: [.battery]
        case .day: [.day]
        }
    }
}

extension HistoryTable {
    /// The kind of the values; `nil` for the battery, which is no history, and for days.
    var kind: HistoryKind? {
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
        case .battery, .day: nil
        }
    }
}
