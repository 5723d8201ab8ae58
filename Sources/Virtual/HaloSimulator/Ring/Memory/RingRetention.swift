/// The retention of a ring's values.
///
/// Days count from the ring's today: 3 days are today and the two before it. The defaults are those
/// of captured R10s: heart rates of four days (no data before), three nights in one reply, three
/// days of blood oxygen, ten workouts.
package struct RingRetention: Hashable, Sendable {
    package var heartRateDays = 4
    package var stressDays = 4
    package var heartRateVariabilityDays = 4
    package var bloodOxygenDays = 3
    package var temperatureDays = 2
    /// The number of days with activity and totals.
    package var activityDays = 7
    /// The number of days with nights and naps.
    package var sleepDays = 3
    package var manualHeartRateDays = 3
    /// The maximum number of workouts.
    package var workouts = 10
    /// The length of an activity record: an hour on most rings, a quarter on an old R02.
    package var activityMinutes = ActivityMinutes.hour
    /// `true` if today's future slots show old values after the clock was set back, as reported for
    /// old R02 firmware.
    package var showsStaleSlots = false

    package init() {}

    package enum ActivityMinutes: Int, Hashable, Sendable {
        case quarter = 15
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
