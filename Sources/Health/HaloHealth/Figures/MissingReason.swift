package import HaloDevices

/// The reason why a day has no values of a kind.
///
/// A ring does not tell a day on which it was not worn from one that it stores no longer. A day
/// that is not older than the oldest one that a read has ever sent of the kind is one of the
/// former.
package enum MissingReason: Hashable, Sendable {
    case unsupported
    /// The day could not be read, with the error if it is known.
    case failed(DeviceError?)
    /// Values were left out, because the ring's clock showed another day.
    case wrongClock
    /// The ring stores fewer days: this many, if it stores any.
    case notKept(days: Int?)
    /// The ring was read on a day before the end of this one, and next when it kept the day no
    /// longer.
    case notSynced(last: CivilDate, next: CivilDate)
    /// The ring stores the day, and has no value of any kind; another kind was read, too.
    case notWorn
    /// The ring has values of other kinds on the day.
    case noValues
    /// The ring's clock had shown too little of the day when it was read: its first two hours, or,
    /// of nights and steps, half a day.
    case notYet
    /// The history is not of that day.
    case notRead
}

/// The reasons for what is missing of a history, found without a search for each day.
package struct MissingReasons: Sendable {
    private let history: RingHistory
    /// The age in days of the oldest day that a read has sent of each kind.
    private let oldestAges: [HistoryKind: Int]
    /// The days on which the ring was read, the earliest first; without those of a clock that was
    /// set back, since what a day has pushed out of the ring does not come back.
    private let reads: [CivilDate]
    /// The last error of each kind and day; of no day for `nil`.
    private let errors: [HistoryKind: [CivilDate?: DeviceError]]
    private let datesWithValues: Set<CivilDate>

    /// The most days that a ring was asked for: what lies further back was read earlier.
    private static let mostDaysOfARead = 30
    /// Returns the days before the one of a read that all rings keep: an R10 was seen to send its
    /// nights of two days before today, and temperatures of today only.
    private static func daysOfAllRings(_ kind: HistoryKind) -> Int { kind == .temperature ? 0 : 2 }

    package init(_ history: RingHistory) {
        self.history = history
        datesWithValues = history.datesWithValues
        let earlier = history.coverage.earlierReads
        let isRead = !history.coverage.isImport && earlier.last ?? history.today <= history.today
        reads = earlier + (isRead ? [history.today] : [])
        oldestAges = history.coverage.oldestAges(today: history.today)
        errors = history.failures.reduce(into: [:]) { errors, failure in
            let date = failure.daysAgo.flatMap { history.today.advanced(byDays: 0 &- $0) }
            errors[failure.kind, default: [:]][date] = failure.error
        }
    }

    package func reason(for kind: HistoryKind, on date: CivilDate) -> MissingReason {
        let day = history.coverage.day(kind, date)
        let isUnread = day == nil || day?.outcome == .unfinished
        switch day?.outcome {
        case .unsupported: return .unsupported
        case .failed: return .failed(errors[kind]?[date] ?? errors[kind]?[CivilDate?.none])
        case .wrongClock: return .wrongClock
        case nil where history.unsupported.contains(kind): return .unsupported
        case .read, .unfinished, .noData, .notRequested, nil: break
        }
        let index = reads.partitionPoint { $0 <= date }
        guard date < history.today, let next = reads.indices.contains(index) ? reads[index] : nil
        else {
            return reasonAtTheRead(kind, date, day?.outcome)
        }
        let age = date.daysAgo(from: next)
        let isSent = day?.outcome == .read && history.readEnd(of: kind, on: date) == nil
        if isSent || age <= oldestAges[kind] ?? -1 {
            return isUnread ? .notRead : noValues(kind, date)
        }
        guard let oldest = oldestAges[kind] else {
            return isUnread ? .notRead : .notKept(days: nil)
        }
        guard index == 0 else {
            if age > Self.daysOfAllRings(kind) {
                return .notSynced(last: reads[index - 1], next: next)
            }
            return isUnread ? .notRead : noValues(kind, date)
        }
        return day == nil || oldest >= Self.mostDaysOfARead ? .notRead : .notKept(days: oldest + 1)
    }

    /// Returns the days without a value of a kind, of some days in their order: successive ones
    /// with one reason together.
    package func missingDays(
        of kind: HistoryKind, on dates: [CivilDate]
    ) -> [(first: CivilDate, last: CivilDate, reason: MissingReason)] {
        let there = history.dates(of: kind)
        var runs: [(first: CivilDate, last: CivilDate, reason: MissingReason)] = []
        for date in dates where !there.contains(date) {
            let reason = reason(for: kind, on: date)
            if let run = runs.last, run.reason == reason, run.last.advanced(byDays: 1) == date {
                runs[runs.count - 1].last = date
            } else {
                runs.append((date, date, reason))
            }
        }
        return runs
    }

    /// Returns the reason of the day of the last read, or of a later one.
    private func reasonAtTheRead(
        _ kind: HistoryKind, _ date: CivilDate, _ outcome: HistoryCoverage.Outcome?
    ) -> MissingReason {
        if outcome == .unfinished || outcome == nil { return .notRead }
        let others = history.coverage.days.filter { $0.kind == kind && $0.date != date }
        let isAnswered = !others.contains { [.failed, .wrongClock].contains($0.outcome) }
        if oldestAges[kind] == nil, isAnswered, isSumOfDay(kind) ? !others.isEmpty : true {
            return .notKept(days: nil)
        }
        let hours = isSumOfDay(kind) ? 12 : 2
        let hasJustBegun = history.secondsShown(of: date).map { $0 < hours * 3600 } ?? false
        return hasJustBegun ? .notYet : noValues(kind, date)
    }

    /// Returns `true` for kinds of which a day that has just begun may have nothing.
    private func isSumOfDay(_ kind: HistoryKind) -> Bool { kind == .sleep || kind == .activity }

    private func noValues(_ kind: HistoryKind, _ date: CivilDate) -> MissingReason {
        datesWithValues.contains(date) || !isOtherKindRead(than: kind, on: date)
            ? .noValues : .notWorn
    }

    /// Returns `true` if another kind of values shows whether the ring was worn on a day.
    private func isOtherKindRead(than kind: HistoryKind, on date: CivilDate) -> Bool {
        HistoryKind.allCases.contains { other in
            guard other != kind else { return false }
            let outcome = history.coverage[other, date]
            return outcome == .read || outcome == .noData
        }
    }
}

extension RingHistory {
    /// The days with a value of any kind; a night is one of the day on which it ends.
    package var datesWithValues: Set<CivilDate> {
        var dates = Set(sleep.map(\.end.date) + workouts.compactMap { $0.start?.date })
        func add(_ samples: some SampleList) {
            dates.formUnion(self[samples.log].lazy.map(\.time.date))
        }
        for samples in Self.sampleKinds { add(samples) }
        return dates
    }

    /// The days with a value of a kind; of sleep, those on which a night ends.
    fileprivate func dates(of kind: HistoryKind) -> Set<CivilDate> {
        func dates(_ samples: some SampleList) -> Set<CivilDate> {
            Set(self[samples.log].lazy.map(\.time.date))
        }
        switch kind {
        case .sleep: return Set(sleep.lazy.filter { !$0.isNap }.map(\.end.date))
        case .workouts: return Set(workouts.compactMap { $0.start?.date })
        case .totals: return totals == nil ? [] : [today]
        default:
            return Self.sampleKinds.first { $0.kind == kind }.map { dates($0) } ?? []
        }
    }

    /// Whether a night or a value of a kind but workouts is of a day before another.
    func hasSamples(before date: CivilDate) -> Bool {
        let midnight = CivilDateTime(date)
        func isEarlier(_ samples: some SampleList) -> Bool {
            self[samples.log].contains { $0.time < midnight }
        }
        return sleep.contains { $0.end < midnight } || Self.sampleKinds.contains { isEarlier($0) }
    }
}
