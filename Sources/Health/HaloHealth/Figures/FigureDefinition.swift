/// The definitions of figures, with their versions.
///
/// A program that keeps figures keeps the version with them: values of two versions cannot be
/// compared. The definitions are written at the properties of ``DailyFigures``.
public enum FigureDefinition: String, Hashable, Sendable, Codable, CaseIterable {
    case steps, metres, kilocalories, hoursWithMovement
    case restingBeatsPerMinute, lowestBeatsPerMinute, highestBeatsPerMinute, averageBeatsPerMinute
    case heartRateZones
    case night, naps, sleepRegularity
    case heartRateVariability, heartRateVariabilityBaseline, heartRateVariabilityTrend
    case oxygen, temperatureDeviation, stress
    case stepStreak

    /// The version of the definition; it grows whenever the same data would give another value.
    public var version: Int { 1 }
}
