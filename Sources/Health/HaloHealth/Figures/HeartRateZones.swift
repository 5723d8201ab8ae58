/// The time in five zones of the heart rate, as percentages of its maximum, in minutes.
///
/// The limits are those of Garber et al., 2011, "Quantity and Quality of Exercise for Developing
/// and Maintaining Cardiorespiratory, Musculoskeletal, and Neuromotor Fitness in Apparently Healthy
/// Adults: Guidance for Prescribing Exercise". Each stored value stands for the minutes of its
/// period.
public struct HeartRateZones: Hashable, Sendable, Codable {
    /// Below 57 % of the maximum.
    public internal(set) var veryLightMinutes = 0
    /// From 57 % to below 64 %.
    public internal(set) var lightMinutes = 0
    /// From 64 % to below 77 %.
    public internal(set) var moderateMinutes = 0
    /// From 77 % to below 96 %.
    public internal(set) var vigorousMinutes = 0
    /// At least 96 %.
    public internal(set) var nearMaximalMinutes = 0

    mutating func add(minutes: Int, beatsPerMinute: Int, maximum: Double) {
        let zone: WritableKeyPath<HeartRateZones, Int> =
            switch Double(beatsPerMinute) * 100 {
            case ..<(57 * maximum): \.veryLightMinutes
            case ..<(64 * maximum): \.lightMinutes
            case ..<(77 * maximum): \.moderateMinutes
            case ..<(96 * maximum): \.vigorousMinutes
            default: \.nearMaximalMinutes
            }
        self[keyPath: zone] = [self[keyPath: zone], max(minutes, 0)].sum
    }
}
