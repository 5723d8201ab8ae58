package struct AutomaticMeasurements: Hashable, Sendable {
    /// The minutes between heart rates, or `nil` if they are off.
    ///
    /// Measurements happen at multiples, counted from the ring's midnight. Less than five counts as
    /// five, the length of a slot.
    package var heartRateMinutes: UInt8? = 5
    /// `true` for a blood oxygen value each hour.
    package var bloodOxygen = true
    /// `true` for a stress value each half hour.
    package var stress = true
    /// `true` for a heart-rate variability each hour.
    package var variability = true
    /// `true` for a skin temperature each half hour.
    package var temperature = true

    package static let all = AutomaticMeasurements()
    package static let none = AutomaticMeasurements(
        heartRateMinutes: nil, bloodOxygen: false, stress: false, variability: false,
        temperature: false)
}
