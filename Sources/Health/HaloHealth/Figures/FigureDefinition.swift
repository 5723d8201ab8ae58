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
    public var version: Int { self == .heartRateZones ? 2 : 1 }

    /// The unit of the number; `nil` if it has none, or the figure is not a number.
    public var unit: String? {
        switch self {
        case .steps: "steps"
        case .metres: "m"
        case .kilocalories: "kcal"
        case .hoursWithMovement: "h"
        case .restingBeatsPerMinute, .lowestBeatsPerMinute, .highestBeatsPerMinute,
            .averageBeatsPerMinute:
            "bpm"
        case .heartRateVariability, .heartRateVariabilityBaseline, .heartRateVariabilityTrend: "ms"
        case .temperatureDeviation: "°C"
        case .stepStreak: "days"
        case .heartRateZones, .night, .naps, .sleepRegularity, .oxygen, .stress: nil
        }
    }

    /// Returns a figure in words, with its unit and the digits that mean something: `60 bpm so
    /// far`, `+0.3 °C`, or the reason why there is none.
    public func text(of figure: Figure<Double>) -> String { "\(figure.map(text))" }

    /// Returns a figure in words, with its unit: `822 steps so far`, or the reason why there is
    /// none.
    public func text(of figure: Figure<some BinaryInteger>) -> String {
        text(of: figure.map { Double($0) })
    }

    /// Returns the mean of a figure in words, with its unit: `8119 steps on 6 days`.
    public func text(of mean: Figure<WeeklyFigures.Mean>) -> String {
        "\(mean.map { "\(text($0.value)) on \($0.dayCount)" })"
    }

    private func text(_ value: Double) -> String {
        let isDifference = self == .temperatureDeviation || self == .heartRateVariabilityTrend
        let decimals = self == .temperatureDeviation ? 1 : 0
        let number = FigureNumber.text(value, decimals: decimals)
        let sign = isDifference && value > 0 ? "+" : ""
        return sign + number + (unit.map { " \($0)" } ?? "")
    }
}

extension FigureDefinition: CustomStringConvertible {
    /// The name in words, such as `resting heart rate`.
    public var description: String {
        switch self {
        case .steps: "steps"
        case .metres: "distance"
        case .kilocalories: "energy"
        case .hoursWithMovement: "time with movement"
        case .restingBeatsPerMinute: "resting heart rate"
        case .lowestBeatsPerMinute: "lowest heart rate"
        case .highestBeatsPerMinute: "highest heart rate"
        case .averageBeatsPerMinute: "average heart rate"
        case .heartRateZones: "heart-rate zones"
        case .night: "night"
        case .naps: "naps"
        case .sleepRegularity: "sleep regularity"
        case .heartRateVariability: "heart-rate variability"
        case .heartRateVariabilityBaseline: "usual heart-rate variability"
        case .heartRateVariabilityTrend: "trend of the heart-rate variability"
        case .oxygen: "blood oxygen"
        case .temperatureDeviation: "temperature compared with earlier nights"
        case .stress: "stress"
        case .stepStreak: "streak"
        }
    }
}

/// Numbers of figures in words.
enum FigureNumber {
    /// Returns a number with at most so many decimals, without zeros at its end.
    static func text(_ value: Double, decimals: Int = 2) -> String {
        let power = (0..<decimals).reduce(1.0) { power, _ in power * 10 }
        let rounded = (value * power).rounded() / power
        return Int64(exactly: rounded).map { "\($0)" } ?? "\(rounded)"
    }
}
