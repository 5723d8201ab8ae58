internal import HaloDevices

/// A value with its time, of any kind: the least and the greatest value of its slot.
struct Reading {
    let time: CivilDateTime
    /// The length of the slot, from 1 minute to a day.
    let minutes: Int
    /// The seconds by which the ring's clock was ahead of UTC; `nil` if not known.
    let secondsFromUTC: Int?
    let least: Double
    let most: Double

    init(
        _ time: CivilDateTime, minutes: Int, secondsFromUTC: Int?, _ least: Double, _ most: Double
    ) {
        self.time = time
        self.secondsFromUTC = secondsFromUTC
        self.minutes = min(max(minutes, 1), 1440)
        self.least = ChartScale.bounded(min(least, most))
        self.most = ChartScale.bounded(max(least, most))
    }
}

struct ReportDay {
    let date: CivilDate
    /// The readings of each kind, the earliest first; no entry without any.
    private(set) var readings: [ReportKind: [Reading]] = [:]
    /// The longest night that ends on this day.
    private(set) var night: SleepRecord?
    /// The other sleep that ends on this day.
    private(set) var naps: [SleepRecord] = []
    /// The times of sleep between the midnights of the day, of nights that end on the next day too.
    private(set) var asleep: [(start: CivilDateTime, end: CivilDateTime)] = []
    private(set) var workouts: [WorkoutRecord] = []
    private(set) var metres = 0.0
    /// The ring's own count of today's steps, if it was read.
    private var steps: Double?
    /// The offsets of the ring's clock from UTC on this day, in their order of time.
    private(set) var offsets: [Int] = []
    /// The time until which the values of each kind were read, if that is before the day's end.
    private let ends: [HistoryKind: CivilDateTime]
    /// The time until which the day was read; `nil` for a day that was read to its end.
    let until: CivilDateTime?
    let figures: HealthReport.DayFigures
    private let reasons: MissingReasons
    private var isNightOver = true

    init(_ date: CivilDate, _ page: ReportPage) {
        self.date = date
        figures = page.report.figures[date] ?? HealthReport.DayFigures()
        reasons = page.reasons
        let history = page.history
        let midnight = CivilDateTime(date).advanced(bySeconds: 86_400)
        let kinds = ReportKind.allCases.compactMap(\.history)
        let ends = Dictionary(
            uniqueKeysWithValues: kinds.compactMap { kind in
                history.readEnd(of: kind, on: date).map { (kind, $0) }
            })
        self.ends = ends
        until = history.readEnd(on: date)
        var clock = DayClock()
        add(.heartRate, history[.heartRate], &clock) { (Double($0), Double($0)) }
        add(.stress, history[.stress], &clock) { (Double($0), Double($0)) }
        add(.heartRateVariability, history[.heartRateVariability], &clock) {
            (Double($0), Double($0))
        }
        add(.bloodOxygen, history[.bloodOxygen], &clock) {
            (Double($0.lowestPercent), Double($0.highestPercent))
        }
        add(.temperature, history[.temperature], &clock) { ($0, $0) }
        add(.steps, history[.activity], &clock) { (Double($0.steps), Double($0.steps)) }
        add(.battery, page.battery, &clock) { (Double($0.percent), Double($0.percent)) }
        let counted = history.ownTotals(of: date)
        steps = counted.map { Double($0.steps) }
        metres =
            counted.map { Double($0.metres) }
            ?? history[.activity].samples(of: date).reduce(0) { $0 + Double($1.value.metres) }
        let sleep = page.sleep[date] ?? []
        clock.beginList()
        for record in sleep { clock.add(record.end, record.secondsFromUTC) }
        let nights = sleep.filter { !$0.isNap }.map { (record: $0, minutes: $0.minutesAsleep) }
        night = nights.max { $0.minutes < $1.minutes }?.record
        isNightOver = night.map { history.isOver($0.end) } ?? true
        naps = sleep.filter { $0 != night }
        let next = date.advanced(byDays: 1).flatMap { page.sleep[$0] } ?? []
        asleep = (sleep + next).compactMap { record in
            let start = max(record.start, CivilDateTime(date))
            let end = min(record.end, midnight)
            return start < end ? (start, end) : nil
        }
        workouts = page.workouts[date] ?? []
        offsets = clock.offsets
    }

    private mutating func add<Value>(
        _ kind: ReportKind, _ samples: [TimedSample<Value>], _ clock: inout DayClock,
        _ values: (Value) -> (Double, Double)
    ) {
        var list: [Reading] = []
        clock.beginList()
        for sample in samples.samples(of: date) {
            let (least, most) = values(sample.value)
            clock.add(sample.time, sample.secondsFromUTC)
            guard least.isFinite, most.isFinite else { continue }
            list.append(
                Reading(
                    sample.time, minutes: sample.minutes, secondsFromUTC: sample.secondsFromUTC,
                    least, most))
        }
        if !list.isEmpty { readings[kind] = list }
    }

    /// The readings of each clock of the day: an hour that comes twice has two of them.
    func readingsByClock(_ kind: ReportKind) -> [[Reading]] {
        let list = readings[kind] ?? []
        guard offsets.count > 1 else { return [list] }
        let clocks = Dictionary(grouping: list, by: \.secondsFromUTC)
        return (offsets + [nil]).compactMap { clocks[$0] }
    }

    // MARK: Reads

    /// Returns `true` if the values of a kind are those of a whole day, or of a night that is over.
    func isWhole(_ kind: ReportKind) -> Bool {
        kind == .sleep ? isNightOver : kind.history.map { ends[$0] == nil } ?? (until == nil)
    }

    /// A mark of a day that was read before its end, as `until 09:00`.
    var untilInWords: String? { until.map(words) }

    /// The mark of a kind that was read before the day's end.
    func untilInWords(_ kind: ReportKind) -> String? {
        kind.history.map { ends[$0].map(words) } ?? untilInWords
    }

    private func words(_ end: CivilDateTime) -> String {
        end == CivilDateTime(date) ? "not read to its end" : "until \(ReportText.clock(end))"
    }

    /// The reason why the day has no values at all, in a sentence.
    var emptySentence: String {
        let kinds = ReportKind.allCases.compactMap(\.history)
        let all = kinds.map { (kind: $0, reason: reasons.reason(for: $0, on: date)) }
        let telling = all.first { $0.reason.isTelling } ?? all.first { $0.kind == .heartRate }
        return telling.map { $0.reason.sentence(of: $0.kind) } ?? "Not read."
    }

    // MARK: Sums

    var isEmpty: Bool {
        readings.isEmpty && night == nil && naps.isEmpty && workouts.isEmpty
    }

    func has(_ kind: ReportKind) -> Bool {
        kind == .sleep ? night != nil : readings[kind] != nil
    }

    func range(_ kind: ReportKind) -> ClosedRange<Double>? { range(readings[kind] ?? []) }

    private func range(_ list: some Sequence<Reading>) -> ClosedRange<Double>? {
        var range: ClosedRange<Double>?
        for reading in list {
            let known = range ?? reading.least...reading.most
            range = min(known.lowerBound, reading.least)...max(known.upperBound, reading.most)
        }
        return range
    }

    /// The mean of the values, or of the middles of their ranges.
    func mean(_ kind: ReportKind) -> Double? {
        readings[kind]?.mean { ($0.least + $0.most) / 2 }
    }

    func total(_ kind: ReportKind) -> Double? {
        let counted = kind == .steps ? steps : nil
        return readings[kind].map { list in counted ?? list.reduce(0) { $0 + $1.most } }
    }

    var minutesAsleep: Int? { night?.minutesAsleep }

    /// The value of each hour as it is shown: a sum for steps, else a range; `nil` without one.
    func hourRanges(_ kind: ReportKind) -> [ClosedRange<Double>?] {
        let hours = Dictionary(grouping: readings[kind] ?? [], by: \.time.time.hour)
        return (0..<24).map { hour in
            guard let list = hours[hour] else { return nil }
            guard kind == .steps else { return range(list) }
            let sum = list.reduce(0) { $0 + $1.most }
            return sum...sum
        }
    }

    func missingSentence(_ kind: ReportKind) -> String {
        guard let history = kind.history else { return "Not recorded." }
        if kind == .sleep, !naps.isEmpty { return "The ring has stored no night." }
        return reasons.reason(for: history, on: date).sentence(of: history)
    }

    func missingWord(_ kind: ReportKind) -> String {
        if kind == .sleep, !naps.isEmpty { return "no night" }
        return kind.history.map { reasons.reason(for: $0, on: date).word } ?? "not read"
    }

    /// The longest time between two readings that are joined by a line, in seconds: three times
    /// the usual one. A ring that measures more seldom has no more gaps.
    func longestJoin(_ kind: ReportKind) -> Int {
        let list = readings[kind] ?? []
        let distances = zip(list, list.dropFirst()).map {
            Int64($1.time.secondsSince1970) - Int64($0.time.secondsSince1970)
        }.sorted()
        let usual = distances.isEmpty ? 0 : Int(distances[distances.count / 2])
        let slot = (list.first?.minutes ?? 0) * 60
        return min(max(3 * usual, 2 * slot), 4 * 3600)
    }

    // MARK: Gaps

    /// The times of the day without values of the heart rate, which a worn ring measures all day:
    /// `02:10–06:00`. Those of today end when the ring was read.
    func gaps(_ kind: ReportKind) -> [String] {
        guard kind == .heartRate, let list = readings[kind] else { return [] }
        let day = CivilDateTime(date)
        var gaps: [String] = []
        var end = day
        for reading in list {
            if let gap = Self.gap(end, reading.time, of: day) { gaps.append(gap) }
            end = max(end, reading.time.advanced(bySeconds: reading.minutes * 60))
        }
        let last = ends[.heartRate].flatMap { $0 > day ? $0 : nil }
        if let gap = Self.gap(end, last ?? day.advanced(bySeconds: 86_400), of: day) {
            gaps.append(gap)
        }
        return Array(gaps.prefix(8))
    }

    /// Returns a period in words, if it is longer than any pause between measurements.
    private static func gap(
        _ start: CivilDateTime, _ end: CivilDateTime, of day: CivilDateTime
    ) -> String? {
        guard end >= start.advanced(bySeconds: 90 * 60) else { return nil }
        let isMidnight = end >= day.advanced(bySeconds: 86_400)
        return "\(ReportText.clock(start))–\(isMidnight ? "24:00" : ReportText.clock(end))"
    }
}

/// The offsets of a clock in the order in which it had them.
private struct DayClock {
    private var firstTimes: [Int: Int64] = [:]
    /// The offset of the latest sample: those after it are later, unless theirs is another one.
    private var latest: Int?

    mutating func add(_ time: CivilDateTime, _ seconds: Int?) {
        guard let seconds, seconds != latest else { return }
        latest = seconds
        let offset = min(max(Int64(seconds), -1_000_000), 1_000_000)
        let utc = Int64(time.secondsSince1970) - offset
        firstTimes[seconds] = min(firstTimes[seconds] ?? utc, utc)
    }

    /// Begins a list of another kind, whose first sample may be earlier than the latest one.
    mutating func beginList() { latest = nil }

    var offsets: [Int] {
        firstTimes.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
    }
}

extension MissingReason {
    /// `true` for a reason that holds for the whole day, of whatever kind.
    fileprivate var isTelling: Bool {
        switch self {
        case .failed, .wrongClock, .notSynced, .notWorn, .noValues: true
        case .unsupported, .notKept, .notRead, .notYet: false
        }
    }
}
