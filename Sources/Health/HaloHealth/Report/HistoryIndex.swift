internal import HaloDevices

/// A history whose days are found quickly: lists in order, nights and workouts by their day.
struct HistoryIndex {
    private(set) var history: RingHistory
    let battery: [TimedSample<BatteryCharge>]
    /// The sleep by the day on which it ends; the parts of a night are one record.
    let sleep: [CivilDate: [SleepRecord]]
    let workouts: [CivilDate: [WorkoutRecord]]
    let reasons: MissingReasons
    let figures: [CivilDate: HealthReport.DayFigures]

    init(_ report: HealthReport) {
        history = report.history
        // An app may have changed the lists.
        history.heartRates = Self.sorted(history.heartRates)
        history.stress = Self.sorted(history.stress)
        history.heartRateVariability = Self.sorted(history.heartRateVariability)
        history.activity = Self.sorted(history.activity)
        history.bloodOxygen = Self.sorted(history.bloodOxygen)
        history.temperatures = Self.sorted(history.temperatures)
        battery = Self.sorted(report.battery)
        sleep = Dictionary(grouping: Night.joined(history.sleep)) { $0.end.date }
        workouts = Dictionary(grouping: history.workouts.filter { $0.start != nil }) {
            $0.start?.date ?? report.history.today
        }
        reasons = MissingReasons(history)
        figures = report.figures
    }

    private static func sorted<Value>(
        _ samples: [TimedSample<Value>]
    ) -> [TimedSample<Value>] {
        let isSorted = zip(samples, samples.dropFirst()).allSatisfy { $0.time <= $1.time }
        return isSorted ? samples : samples.sorted { $0.time < $1.time }
    }

    /// The days that have a value, as far as the page may show them: none is later than today.
    var period: ClosedRange<CivilDate>? {
        let oldest = history.today.advanced(byDays: 1 - HealthReport.mostDays)
        guard let first = ends.min(), first <= history.today else { return nil }
        return max(first, oldest ?? first)...history.today
    }

    func hasValues(before first: CivilDate) -> Bool { ends.contains { $0 < first } }

    var hasLaterValues: Bool { ends.contains { $0 > history.today } }

    /// The first and the last day of each list of samples, and all days of sleep and workouts.
    private var ends: [CivilDate] {
        func ends<Value>(_ samples: [TimedSample<Value>]) -> [CivilDate] {
            [samples.first, samples.last].compactMap { $0?.time.date }
        }
        return [
            ends(history.heartRates), ends(history.stress), ends(history.heartRateVariability),
            ends(history.activity), ends(history.bloodOxygen), ends(history.temperatures),
            Array(sleep.keys), Array(workouts.keys),
        ].flatMap(\.self)
    }
}
