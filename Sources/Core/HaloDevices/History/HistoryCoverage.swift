public import HaloProtocol

/// The outcome of a read for each kind of values and each day.
///
/// ``RingHistory/isComplete`` says that no request has failed. The coverage says which days were
/// read: most rings hold some kinds for less than a week.
///
///     let held = history.coverage.dates(of: .heartRate, .read)
///     let again = history.coverage.days.filter { $0.outcome == .failed }
public struct HistoryCoverage: Hashable, Sendable, Codable {
    /// The outcome for a day.
    public enum Outcome: String, Hashable, Sendable, Codable, CaseIterable {
        /// The ring holds the day, and its values are in the history; those of today until
        /// ``RingHistory/readAt``.
        case read
        /// The ring sent nothing of the day: it has stored no value, or does not keep values for so
        /// long.
        case noData
        /// The day was not requested: no ring is known to hold it, and this one sent nothing of the
        /// day after it.
        case notRequested
        /// The day was today when it was read, and a later read, which was merged, has not
        /// requested the rest.
        case unfinished
        /// Values of the day were left out, as their dates are wrong: they were stored by a clock
        /// that showed another day. See ``Ring/historyBeforeClockChange``.
        case wrongClock
        /// The day could not be read, or not all of it; ``RingHistory/failures`` has the error. The
        /// same holds for the days before it that are not requested without its values.
        case failed
        case unsupported
    }

    /// The outcome for one kind of values and one day.
    public struct Day: Hashable, Sendable, Codable {
        /// The kind of values.
        public let kind: HistoryKind
        /// The day, on the ring's clock.
        public let date: CivilDate
        /// The outcome.
        public let outcome: Outcome
        /// The time on the ring's clock of the read with the outcome, if that was an earlier read
        /// than the one of ``RingHistory/readAt``; otherwise `nil`.
        public let readAt: CivilDateTime?
    }

    /// The days of all kinds, in the order of `HistoryKind.allCases`, each kind from the earliest
    /// day on. The totals are of one day.
    public private(set) var days: [Day] = []
    /// The other days than ``RingHistory/today`` on which the ring was read before, the earliest
    /// first: of a history that was merged, or comes from a file of many reads. Days after today
    /// are those of a clock that was set back.
    public package(set) var earlierReads: [CivilDate] = []
    /// `true` if ``RingHistory/today`` is the day of an imported file: the ring itself was not read
    /// on it, but on ``earlierReads``.
    package var isImport = false
    /// The age in days of the oldest day that a read has sent of a kind, if that is more than
    /// ``days`` show: a part of a long history.
    package var oldestAges: [HistoryKind: Int] = [:]

    /// Creates an empty coverage.
    public init() {}

    /// Decodes the days, which may come in any order.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        for day in try container.decode([Day].self, forKey: .days) { set(day) }
        let reads = try container.decodeIfPresent([CivilDate].self, forKey: .earlierReads) ?? []
        earlierReads = Set(reads).sorted()
        isImport = try container.decodeIfPresent(Bool.self, forKey: .isImport) ?? false
        oldestAges =
            try container.decodeIfPresent([HistoryKind: Int].self, forKey: .oldestAges) ?? [:]
    }

    /// The outcome for a kind and a day; `nil` if the history is not of that day.
    public subscript(kind: HistoryKind, date: CivilDate) -> Outcome? {
        get { day(kind, date)?.outcome }
        set {
            if let newValue {
                set(Day(kind: kind, date: date, outcome: newValue, readAt: nil))
            } else if let index = known(kind, date) {
                days.remove(at: index)
            }
        }
    }

    /// Returns the outcome for a kind and a day, with the time of its read.
    package func day(_ kind: HistoryKind, _ date: CivilDate) -> Day? {
        known(kind, date).map { days[$0] }
    }

    /// Sets the outcome for a kind and a day, with the time of its read if that was an earlier one.
    package mutating func set(
        _ kind: HistoryKind, _ date: CivilDate, _ outcome: Outcome, readAt: CivilDateTime?
    ) {
        set(Day(kind: kind, date: date, outcome: outcome, readAt: readAt))
    }

    private mutating func set(_ day: Day) {
        let index = index(of: day.kind, day.date)
        if has(day.kind, day.date, at: index) {
            days[index] = day
        } else {
            days.insert(day, at: index)
        }
    }

    /// Returns the days of a kind that have an outcome, from the earliest on.
    public func dates(of kind: HistoryKind, _ outcome: Outcome) -> [CivilDate] {
        days.filter { $0.kind == kind && $0.outcome == outcome }.map(\.date)
    }

    /// Notes that a day is over which was today when it was read. Totals are of no day but today.
    mutating func end(_ today: CivilDate) {
        for kind in HistoryKind.allCases where kind != .totals {
            guard let day = day(kind, today), day.outcome == .read else { continue }
            set(kind, today, .unfinished, readAt: day.readAt)
        }
    }

    /// Adds the outcomes of a later read.
    ///
    /// - Parameters:
    ///   - today: The day of the earlier read, and of the later one.
    ///   - readAt: The time of the earlier read, and of the later one.
    mutating func merge(
        _ later: HistoryCoverage, today: (CivilDate, CivilDate),
        readAt: (CivilDateTime, CivilDateTime)
    ) {
        if today.0 < today.1 { end(today.0) }
        for index in days.indices { days[index] = days[index].read(at: readAt.0) }
        for new in later.days {
            let new = new.read(at: readAt.1)
            switch (self[new.kind, new.date], new.outcome) {
            case (.read, .read):
                let known = day(new.kind, new.date)?.readAt ?? readAt.0
                set(new.kind, new.date, .read, readAt: max(known, new.readAt ?? readAt.1))
            case (.read, _), (.unfinished, .notRequested): break
            // The ring had answered that it has nothing of a day that was over.
            case (.noData, .failed) where isOver(new.date, of: new.kind): break
            // Nothing is left to read of the day.
            case (.unfinished, .noData):
                set(new.kind, new.date, .read, readAt: day(new.kind, new.date)?.readAt)
            default: set(new)
            }
        }
        for index in days.indices where days[index].readAt == readAt.1 {
            days[index] = days[index].withoutTime
        }
        let known = Set(earlierReads + (isImport ? [] : [today.0]))
        isImport = later.isImport
        let reads = later.earlierReads.filter { $0 > known.max() ?? $0 }
        earlierReads = known.union(reads).filter { $0 != today.1 }.sorted()
        oldestAges.merge(later.oldestAges, uniquingKeysWith: max)
    }

    /// Returns `true` if a day was over at the time of its read, which it has.
    private func isOver(_ date: CivilDate, of kind: HistoryKind) -> Bool {
        day(kind, date)?.readAt.map { date < $0.date } ?? false
    }

    /// Returns the coverage with all dates and times some seconds later.
    func moved(bySeconds seconds: Int) -> HistoryCoverage {
        func moved(_ date: CivilDate) -> CivilDate {
            CivilDateTime(date).advanced(bySeconds: seconds).date
        }
        var coverage = HistoryCoverage()
        for day in days {
            coverage.set(
                day.kind, moved(day.date), day.outcome,
                readAt: day.readAt?.advanced(bySeconds: seconds))
        }
        coverage.earlierReads = Set(earlierReads.map(moved)).sorted()
        coverage.oldestAges = oldestAges
        return coverage
    }

    /// Returns the coverage of some days. The reads on other days stay.
    package func limited(
        to dates: ClosedRange<CivilDate>, today: CivilDate
    ) -> HistoryCoverage {
        var coverage = self
        coverage.days = days.filter { dates.contains($0.date) }
        coverage.oldestAges = oldestAges(today: today)
        return coverage
    }

    /// The age in days of the oldest day that a read has sent of each kind: a ring keeps so many
    /// days before the one of a read.
    package func oldestAges(today: CivilDate) -> [HistoryKind: Int] {
        days.reduce(into: oldestAges) { ages, day in
            guard day.outcome == .read else { return }
            let age = day.date.daysAgo(from: day.readAt?.date ?? today)
            ages[day.kind] = max(age, ages[day.kind] ?? 0)
        }
    }

    /// Returns the index of a day that has an outcome.
    private func known(_ kind: HistoryKind, _ date: CivilDate) -> Int? {
        let index = index(of: kind, date)
        return has(kind, date, at: index) ? index : nil
    }

    private func has(_ kind: HistoryKind, _ date: CivilDate, at index: Int) -> Bool {
        days.indices.contains(index) && days[index].kind == kind && days[index].date == date
    }

    /// Returns the index of a day, or that before which it belongs.
    private func index(of kind: HistoryKind, _ date: CivilDate) -> Int {
        days.partitionPoint {
            $0.kind == kind ? $0.date < date : $0.kind.order < kind.order
        }
    }
}

extension HistoryCoverage.Day {
    /// The day with the time of its read, unless it has one.
    fileprivate func read(at time: CivilDateTime) -> Self {
        Self(kind: kind, date: date, outcome: outcome, readAt: readAt ?? time)
    }

    fileprivate var withoutTime: Self {
        Self(kind: kind, date: date, outcome: outcome, readAt: nil)
    }
}

extension RingHistory {
    /// The time of the last read of a day's values of a kind, on the ring's clock, if that was
    /// before the end of the day; `nil` for a day that was read to its end, or was not read.
    ///
    /// The beginning of the day is one of which only that is known.
    package func readEnd(of kind: HistoryKind, on date: CivilDate) -> CivilDateTime? {
        let start = CivilDateTime(date)
        guard let day = coverage.day(kind, date) else {
            return date < today ? nil : readAt.map { max($0, start) } ?? start
        }
        guard day.outcome == .read || day.outcome == .unfinished else { return nil }
        guard let time = day.readAt ?? readAt else {
            return date < today && day.outcome == .read ? nil : start
        }
        return time < start.advanced(bySeconds: 86_400) ? max(time, start) : nil
    }

    /// The time until which a day was read, the earliest one of the kinds with values all day;
    /// `nil` for a day of which all these were read to its end, or none was read.
    ///
    /// Sleep and temperature count where no other kind was read: a night is whole before its day
    /// is over, and rings keep temperatures for the day of the read only.
    package func readEnd(on date: CivilDate) -> CivilDateTime? {
        guard date < today else { return date == today ? readAt : nil }
        let kinds = HistoryKind.allCases.filter { kind in
            let outcome = coverage[kind, date]
            return ![.workouts, .totals].contains(kind)
                && (outcome == .read || outcome == .unfinished)
        }
        let allDay = kinds.filter { ![.sleep, .temperature].contains($0) }
        return (allDay.isEmpty ? kinds : allDay)
            .compactMap { readEnd(of: $0, on: date) }.min()
    }
}

extension HistoryKind {
    fileprivate var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
