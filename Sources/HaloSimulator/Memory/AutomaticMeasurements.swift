/// What a ring measures by itself.
public struct AutomaticMeasurements: Hashable, Sendable {
    /// How many minutes lie between two heart rates; nothing if they are off.
    ///
    /// Measurements lie on multiples of it, counted from the ring's midnight. As the log has a slot
    /// each five minutes, less than five counts as five.
    public var heartRateMinutes: UInt8?
    /// Blood oxygen, once an hour.
    public var bloodOxygen: Bool
    /// Stress, each half hour.
    public var stress: Bool
    /// Heart-rate variability, once an hour.
    public var variability: Bool
    /// The skin's temperature, each half hour.
    public var temperature: Bool

    /// Everything, and the heart rate each five minutes.
    public static let all = AutomaticMeasurements()
    /// Nothing.
    public static let none = AutomaticMeasurements(
        heartRateMinutes: nil, bloodOxygen: false, stress: false, variability: false,
        temperature: false)

    /// What a ring measures by itself; whatever is not said is on.
    public init(
        heartRateMinutes: UInt8? = 5, bloodOxygen: Bool = true, stress: Bool = true,
        variability: Bool = true, temperature: Bool = true
    ) {
        self.heartRateMinutes = heartRateMinutes
        self.bloodOxygen = bloodOxygen
        self.stress = stress
        self.variability = variability
        self.temperature = temperature
    }
}
