/// The automatic measurements of a ring.
package struct AutomaticMeasurements: Hashable, Sendable {
    /// The minutes between heart rates, or `nil` if they are off.
    ///
    /// Measurements happen at multiples, counted from the ring's midnight. Less than five counts as
    /// five, the length of a slot.
    package var heartRateMinutes: UInt8?
    /// `true` for a blood oxygen value each hour.
    package var bloodOxygen: Bool
    /// `true` for a stress value each half hour.
    package var stress: Bool
    /// `true` for a heart-rate variability each hour.
    package var variability: Bool
    /// `true` for a skin temperature each half hour.
    package var temperature: Bool

    /// Every measurement, with a heart rate each five minutes.
    package static let all = AutomaticMeasurements()
    /// No measurement.
    package static let none = AutomaticMeasurements(
        heartRateMinutes: nil, bloodOxygen: false, stress: false, variability: false,
        temperature: false)

    /// Creates automatic measurements, by default with all switched on.
    package init(
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
