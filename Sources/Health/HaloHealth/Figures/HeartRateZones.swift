/// The time in five zones of the heart rate, as percentages of its maximum, in minutes.
///
/// The limits are those of Garber et al., 2011, "Quantity and Quality of Exercise for Developing
/// and Maintaining Cardiorespiratory, Musculoskeletal, and Neuromotor Fitness in Apparently Healthy
/// Adults: Guidance for Prescribing Exercise". Each stored value stands for the minutes until the
/// next one, but for the ring's usual interval at the most: a ring that measures once an hour
/// stores few values, and each of them stands for an hour.
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

extension HeartRateZones: CustomStringConvertible {
    /// The minutes from the lowest zone to the highest: `890, 30, 25, 5, 0 min`.
    public var description: String {
        let zones = [
            veryLightMinutes, lightMinutes, moderateMinutes, vigorousMinutes, nearMaximalMinutes,
        ]
        return zones.map { "\($0)" }.joined(separator: ", ") + " min"
    }
}
