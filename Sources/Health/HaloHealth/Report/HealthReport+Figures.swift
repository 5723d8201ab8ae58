internal import HaloDevices

extension HealthReport {
    /// Figures of a day, as the page shows them.
    struct DayFigures: Hashable, Sendable {
        /// The resting heart rate, a line in the chart of the heart rate.
        var restingBeatsPerMinute: Int?
        /// Other figures, in the order in which they are shown.
        var others: [Figure] = []
        /// The values of a day that is over, for the trends of a long page.
        var trends: [ReportTrend: Double] = [:]
    }

    /// A figure in words, below the chart of its kind.
    struct Figure: Hashable, Sendable {
        /// The kind of the values from which the figure was computed.
        var kind: HistoryKind
        /// The name, such as `Efficiency`.
        var name: String
        /// The value with its unit, such as `93 %`.
        var text: String
    }
}

extension HealthReport.DayFigures {
    init(_ day: DailyFigures) {
        restingBeatsPerMinute = day.restingBeatsPerMinute.value.map { Int($0.rounded()) }
        for trend in ReportTrend.allCases { trends[trend] = trend.value(day) }
        add(.sleep, "Efficiency", day.night.map(\.efficiency)) { "\(Int(($0 * 100).rounded())) %" }
        add(.sleep, "Regularity", day.sleepRegularity) { "\(Int($0.rounded()))" }
        add(.activity, "Hours with steps", day.hoursWithMovement) { "\($0)" }
        if let zones = day.heartRateZones.value {
            let minutes = zones.vigorousMinutes + zones.nearMaximalMinutes
            others.append(
                HealthReport.Figure(
                    kind: .heartRate, name: "Vigorous", text: ReportText.duration(minutes)))
        }
        func whole(_ unit: String) -> (Double) -> String { { "\(Int($0.rounded()))\(unit)" } }
        add(.heartRateVariability, "At night", day.heartRateVariability, whole(" ms"))
        add(.heartRateVariability, "Usual", day.heartRateVariabilityBaseline, whole(" ms"))
        add(.bloodOxygen, "Mean at night", day.oxygen.map(\.averagePercent), whole(" %"))
        add(.bloodOxygen, "Dips", day.oxygen.map(\.dips)) { "\($0)" }
        add(.temperature, "Compared with earlier nights", day.temperatureDeviation) {
            let tenths = Int((min(max($0, -100), 100) * 10).rounded())
            return "\(tenths < 0 ? "" : "+")\(ReportText.tenths(tenths)) °C"
        }
    }

    /// Adds a figure that has a value, or too few nights or days for one.
    private mutating func add<Value>(
        _ kind: HistoryKind, _ name: String, _ figure: Figure<Value>, _ text: (Value) -> String
    ) {
        let words: String
        switch figure {
        case .value(let value), .soFar(let value): words = text(value)
        case .missing(.tooFew(let count, let needed, let things)) where things != .values:
            words = "\(MissingData.tooFew(count, of: needed, things))"
        case .missing: return
        }
        others.append(HealthReport.Figure(kind: kind, name: name, text: words))
    }
}
