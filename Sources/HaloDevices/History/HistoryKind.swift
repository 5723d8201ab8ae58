/// What a ring stores.
public enum HistoryKind: Hashable, Sendable, CaseIterable {
    /// Heart rates, every five minutes.
    case heartRate
    /// Stress, every half hour.
    case stress
    /// Heart-rate variability, every hour.
    case variability
    /// Steps, metres and energy, by the quarter of an hour or by the hour.
    case activity
    /// Blood oxygen, every hour.
    case bloodOxygen
    /// The temperature of the skin, every half hour.
    case temperature
    /// Nights and naps.
    case sleep
    /// Workouts.
    case workouts
    /// The totals of today.
    case totals
}
