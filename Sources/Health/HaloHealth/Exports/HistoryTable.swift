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
