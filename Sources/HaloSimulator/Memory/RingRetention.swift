/// How long a ring keeps what it has stored, and how finely.
///
/// Days count from the ring's today: 3 are today and the two days before it. The values that are
/// set where nothing is said are what captures of the R10 show: heart rates of four days (nothing
/// for older ones), three nights in one answer, three days of blood oxygen, ten workouts.
public struct RingRetention: Hashable, Sendable {
    /// Days of heart rates.
    public var heartRateDays = 4
    /// Days of stress.
    public var stressDays = 4
    /// Days of heart-rate variability.
    public var variabilityDays = 4
    /// Days of blood oxygen.
    public var bloodOxygenDays = 3
    /// Days of skin temperatures.
    public var temperatureDays = 2
    /// Days of activity and of totals.
    public var activityDays = 7
    /// Days of nights and naps.
    public var sleepDays = 3
    /// Days of heart rates that were measured by hand.
    public var manualHeartRateDays = 3
    /// How many workouts.
    public var workouts = 10
    /// How long a record of activity is: an hour on most rings, a quarter of one on an old R02.
    public var activityMinutes = ActivityMinutes.hour
    /// Whether today's slots that are still to come show what was in them, as is said of old R02
    /// firmware, when the clock was set back.
    public var showsStaleSlots = false

    /// What an R10 keeps.
    public init() {}

    /// How long a record of activity is.
    public enum ActivityMinutes: Int, Hashable, Sendable {
        /// One record for each quarter of an hour.
        case quarter = 15
        /// One record for each hour.
        case hour = 60
    }

    /// The most days that anything is kept, within 1 to 30.
    var mostDays: Int {
        let days = [
            heartRateDays, stressDays, variabilityDays, bloodOxygenDays, temperatureDays,
            activityDays, sleepDays, manualHeartRateDays,
        ]
        return (days.max() ?? 1).limited(to: 1...30)
    }
}
