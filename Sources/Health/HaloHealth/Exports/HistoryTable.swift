/// A table of an export: one kind of rows, in CSV a file of its own.
///
/// The raw value is the table's name: the beginning of a file's name, the `type` of an object in
/// JSON, and the measurement in InfluxDB.
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
            }
        return ["time", "utc"] + others
    }

    /// The columns of times and days, which InfluxDB's lines leave out.
    static let timeColumns: Set = ["time", "utc", "end", "end_utc", "sleep_start", "day"]
}
