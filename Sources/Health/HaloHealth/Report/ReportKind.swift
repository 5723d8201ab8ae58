internal import HaloDevices

/// The kinds of values that have a chart, in the order of the page.
enum ReportKind: CaseIterable {
    case sleep, heartRate, steps, heartRateVariability, bloodOxygen, stress, temperature, battery

    private var facts: (history: HistoryKind?, title: String, unit: String, style: String) {
        switch self {
        case .sleep: (.sleep, "Sleep", "", "sl")
        case .heartRate: (.heartRate, "Heart rate", "bpm", "hr")
        case .steps: (.activity, "Steps", "", "st")
        case .heartRateVariability:
            (.heartRateVariability, "Heart-rate variability", "ms", "hv")
        case .bloodOxygen: (.bloodOxygen, "Blood oxygen", "%", "ox")
        case .stress: (.stress, "Stress", "", "ss")
        case .temperature: (.temperature, "Skin temperature", "°C", "te")
        case .battery: (nil, "Battery", "%", "ba")
        }
    }

    /// The kind in the history; `nil` for the battery, which is none.
    var history: HistoryKind? { facts.history }
    var title: String { facts.title }
    var unit: String { facts.unit }
    /// The class of the style sheet that gives the kind its colour.
    var style: String { facts.style }
    var decimals: Int { self == .temperature ? 1 : 0 }

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
        withUnit(number(range))
    }

    /// Returns a value without its unit.
    func number(_ value: Double) -> String {
        let number = ChartNumber.text(value, decimals: decimals) ?? "–"
        return self == .steps ? ReportText.grouped(digits: number) : number
    }

    func number(_ range: ClosedRange<Double>) -> String {
        let (least, most) = (number(range.lowerBound), number(range.upperBound))
        return least == most ? least : "\(least)–\(most)"
    }

    private func withUnit(_ text: String) -> String { unit == "" ? text : "\(text) \(unit)" }
}
