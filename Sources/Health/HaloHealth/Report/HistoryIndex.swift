internal import HaloDevices

/// A history whose days are found quickly: lists in order, nights and workouts by their day.
struct HistoryIndex {
    let history: RingHistory
    let battery: [TimedSample<BatteryCharge>]
    /// The sleep by the day on which it ends; the parts of a night are one record.
    let sleep: [CivilDate: [SleepRecord]]
    let workouts: [CivilDate: [WorkoutRecord]]
    let reasons: MissingReasons
    let figures: [CivilDate: HealthReport.DayFigures]

    init(_ report: HealthReport) {
        var history = report.history
        // An app may have changed the lists.
        func sort(_ samples: some SampleList) {
            history[keyPath: samples.list].sort { $0.time < $1.time }
        }
        for samples in RingHistory.sampleKinds { sort(samples) }
        self.history = history
        battery = report.battery.sorted { $0.time < $1.time }
        sleep = Dictionary(grouping: Night.joined(history.sleep)) { $0.end.date }
        workouts = Dictionary(grouping: history.workouts.filter { $0.start != nil }) {
            $0.start?.date ?? report.history.today
        }
        reasons = MissingReasons(history)
        figures = report.figures
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
        func ends(_ samples: some SampleList) -> [CivilDate] {
            let samples = history[keyPath: samples.list]
            return [samples.first, samples.last].compactMap { $0?.time.date }
        }
        return RingHistory.sampleKinds.flatMap { ends($0) } + sleep.keys + workouts.keys
    }
}
