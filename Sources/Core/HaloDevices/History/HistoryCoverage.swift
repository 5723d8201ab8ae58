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
    }

    /// The days of all kinds, in the order of `HistoryKind.allCases`, each kind from the earliest
    /// day on. The totals are of one day.
    public private(set) var days: [Day] = []

    /// Creates an empty coverage.
    public init() {}

    /// Decodes the days, which may come in any order.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        for day in try container.decode([Day].self, forKey: .days) {
            self[day.kind, day.date] = day.outcome
        }
    }

    /// The outcome for a kind and a day; `nil` if the history is not of that day.
    public subscript(kind: HistoryKind, date: CivilDate) -> Outcome? {
        get {
            let index = index(of: kind, date)
            return has(kind, date, at: index) ? days[index].outcome : nil
        }
        set {
            let index = index(of: kind, date)
            if has(kind, date, at: index) { days.remove(at: index) }
            guard let newValue else { return }
            days.insert(Day(kind: kind, date: date, outcome: newValue), at: index)
        }
    }

    /// Returns the days of a kind that have an outcome, from the earliest on.
    public func dates(of kind: HistoryKind, _ outcome: Outcome) -> [CivilDate] {
        days.filter { $0.kind == kind && $0.outcome == outcome }.map(\.date)
    }

    /// Notes that a day is over which was today when it was read. Totals are of no day but today.
    mutating func end(_ today: CivilDate) {
        for kind in HistoryKind.allCases where kind != .totals && self[kind, today] == .read {
            self[kind, today] = .unfinished
        }
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

extension HistoryKind {
    fileprivate var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
