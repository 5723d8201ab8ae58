internal import HaloDevices

/// The kinds of values that have a chart, in the order of the page.
enum ReportKind: CaseIterable {
    case sleep, heartRate, steps, heartRateVariability, bloodOxygen, stress, temperature, battery

    /// The kind in the history; `nil` for the battery, which is none.
    var history: HistoryKind? {
        switch self {
        case .sleep: .sleep
        case .heartRate: .heartRate
        case .steps: .activity
        case .heartRateVariability: .heartRateVariability
        case .bloodOxygen: .bloodOxygen
        case .stress: .stress
        case .temperature: .temperature
        case .battery: nil
        }
    }

    var title: String {
        switch self {
        case .sleep: "Sleep"
        case .heartRate: "Heart rate"
        case .steps: "Steps"
        case .heartRateVariability: "Heart-rate variability"
        case .bloodOxygen: "Blood oxygen"
        case .stress: "Stress"
        case .temperature: "Skin temperature"
        case .battery: "Battery"
        }
    }

    var unit: String {
        switch self {
        case .sleep, .stress, .steps: ""
        case .heartRate: "bpm"
        case .heartRateVariability: "ms"
        case .bloodOxygen, .battery: "%"
        case .temperature: "°C"
        }
    }

    /// The class of the style sheet that gives the kind its colour.
    var style: String {
        switch self {
        case .sleep: "sl"
        case .heartRate: "hr"
        case .steps: "st"
        case .heartRateVariability: "hv"
        case .bloodOxygen: "ox"
        case .stress: "ss"
        case .temperature: "te"
        case .battery: "ba"
        }
    }

    var decimals: Int { self == .temperature ? 1 : 0 }

    /// Returns the vertical scale of values.
    func scale(_ least: Double, _ most: Double) -> ChartScale {
        switch self {
        case .stress, .battery:
            ChartScale(least: min(least, 0), most: max(most, 100), minimumSpan: 100)
        case .sleep, .steps:
            ChartScale(least: 0, most: most, minimumSpan: 4, lowerBound: 0)
        case .heartRate, .heartRateVariability:
            ChartScale(least: least, most: most, minimumSpan: 20, lowerBound: 0)
        case .bloodOxygen:
            ChartScale(
                least: least, most: most, minimumSpan: 6, lowerBound: 0, upperBound: 100)
        case .temperature: ChartScale(least: least, most: most, minimumSpan: 2)
        }
    }

    /// Returns a value with its unit.
    func text(_ value: Double) -> String { withUnit(number(value)) }

    /// Returns a range with its unit: `54–61 bpm`.
    func text(_ range: ClosedRange<Double>) -> String {
        let (least, most) = (number(range.lowerBound), number(range.upperBound))
        return withUnit(least == most ? least : "\(least)–\(most)")
    }

    /// Returns a value without its unit.
    func number(_ value: Double) -> String {
        let number = ChartNumber.text(value, decimals: decimals) ?? "–"
        return self == .steps ? ReportText.grouped(digits: number) : number
    }

    private func withUnit(_ text: String) -> String { unit == "" ? text : "\(text) \(unit)" }
}
