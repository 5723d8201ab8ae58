/// The retention of a ring's values.
///
/// Days count from the ring's today: 3 days are today and the two before it. The defaults are those
/// of captured R10s: heart rates of four days (no data before), three nights in one reply, three
/// days of blood oxygen, ten workouts.
public struct RingRetention: Hashable, Sendable {
    /// The number of days with heart rates.
    public var heartRateDays = 4
    /// The number of days with stress.
    public var stressDays = 4
    /// The number of days with heart-rate variability.
    public var heartRateVariabilityDays = 4
    /// The number of days with blood oxygen.
    public var bloodOxygenDays = 3
    /// The number of days with skin temperatures.
    public var temperatureDays = 2
    /// The number of days with activity and totals.
    public var activityDays = 7
    /// The number of days with nights and naps.
    public var sleepDays = 3
    /// The number of days with manual heart rates.
    public var manualHeartRateDays = 3
    /// The maximum number of workouts.
    public var workouts = 10
    /// The length of an activity record: an hour on most rings, a quarter on an old R02.
    public var activityMinutes = ActivityMinutes.hour
    /// `true` if today's future slots show old values after the clock was set back, as reported for
    /// old R02 firmware.
    public var showsStaleSlots = false

    /// Creates the retention of an R10.
    public init() {}

    /// The length of an activity record.
    public enum ActivityMinutes: Int, Hashable, Sendable {
        /// One record per quarter of an hour.
        case quarter = 15
        /// One record per hour.
        case hour = 60
    }

    /// The largest number of days of any kind of value, limited to 1 to 30.
    var mostDays: Int {
        let days = [
            heartRateDays, stressDays, heartRateVariabilityDays, bloodOxygenDays, temperatureDays,
            activityDays, sleepDays, manualHeartRateDays,
        ]
        return (days.max() ?? 1).limited(to: 1...30)
    }
}
