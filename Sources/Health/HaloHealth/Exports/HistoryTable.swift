/// A table of an export: one kind of rows, in CSV a file of its own.
///
/// The raw value is the table's name: the beginning of a file's name, and the measurement in
/// InfluxDB. A JSON object has the same name in camel case as its `type`, and the same columns in
/// camel case as its members: `heartRate`, `minutesAsleep`.
public enum HistoryTable: String, Hashable, Sendable, Codable, CaseIterable {
    /// Heart rates in beats per minute: `time,utc,minutes,bpm`.
    case heartRate = "heart_rate"
    /// Stress scores: `time,utc,minutes,score`.
    case stress
    /// Heart-rate variability: `time,utc,minutes,milliseconds`.
    case heartRateVariability = "heart_rate_variability"
    /// Movement: `time,utc,minutes,steps,metres,kilocalories`.
    case activity
    /// Blood oxygen: `time,utc,minutes,lowest_percent,highest_percent`.
    case bloodOxygen = "blood_oxygen"
    /// Temperatures of the skin: `time,utc,minutes,celsius`.
    case temperature
    /// Nights and naps: `time,utc,period,minutes,minutes_asleep,end,end_utc`. Without stages, the
    /// minutes asleep are not known.
    case sleep
    /// The stages of all nights and naps: `time,utc,stage,minutes,sleep_start`.
    case sleepStages = "sleep_stages"
    /// Workouts, with `sport`, `seconds`, and what the ring has stored of each.
    case workouts
    /// The activity since midnight, one row a read, with `day` and `active_minutes`.
    case totals
    /// The charges of the ring's battery: `time,utc,percent,is_charging`. A history has none;
    /// ``HistoryExporter/append(_:to:)`` takes them.
    case battery
    /// One row a day, with the ``DailyFigures`` that the other tables do not have: `day`, steps,
    /// the night, the resting heart rate, heart-rate variability … A value that is not known is
    /// empty. Line protocol has no such rows.
    case day

    /// The tables of what a ring has stored: all but ``day``, which is computed from the others.
    public static let stored: [HistoryTable] = allCases.filter { $0 != .day }
}

extension HistoryTable {
    /// The names of the columns in their order. Words, which are tags in InfluxDB, precede fields.
    var columns: [String] {
        let others =
            switch self {
            case .heartRate: ["minutes", "bpm"]
            case .stress: ["minutes", "score"]
            case .heartRateVariability: ["minutes", "milliseconds"]
            case .activity: ["minutes", "steps", "metres", "kilocalories"]
            case .bloodOxygen: ["minutes", "lowest_percent", "highest_percent"]
            case .temperature: ["minutes", "celsius"]
            case .sleep: ["period", "minutes", "minutes_asleep", "end", "end_utc"]
            case .sleepStages: ["stage", "minutes", "sleep_start"]
            case .workouts:
                [
                    "sport", "seconds", "metres", "kilocalories", "steps", "average_bpm",
                    "lowest_bpm", "highest_bpm",
                ]
            case .totals:
                ["day", "steps", "running_steps", "metres", "kilocalories", "active_minutes"]
            case .battery: ["percent", "is_charging"]
            case .day: Self.columnsOfDay
            }
        return self == .day ? others : ["time", "utc"] + others
    }

    /// The columns of ``day``. `until` is the time of the read on a day that was not over.
    private static let columnsOfDay = [
        "day", "until", "steps", "metres", "kilocalories", "fell_asleep", "woke", "minutes_asleep",
        "minutes_light", "minutes_deep", "minutes_rem", "minutes_awake", "nap_minutes",
        "resting_bpm", "lowest_bpm", "average_bpm", "highest_bpm",
        "night_variability_milliseconds", "night_lowest_oxygen_percent",
        "night_average_oxygen_percent", "night_temperature_deviation_celsius", "average_stress",
    ]

    /// The columns of times and days, which InfluxDB's lines leave out.
    static let timeColumns: Set = ["time", "utc", "end", "end_utc", "sleep_start", "day"]
}
