package import HaloDevices

/// The reason why a day has no values of a kind.
///
/// A ring does not tell a day on which it was not worn from one that it stores no longer: the
/// latter are the days before its first stored one.
package enum MissingReason: Hashable, Sendable {
    case unsupported
    /// The day could not be read, with the error if it is known.
    case failed(DeviceError?)
    /// Values were left out, because the ring's clock showed another day.
    case wrongClock
    /// The ring stores fewer days: this many, if it stores any.
    case notKept(days: Int?)
    /// The ring stores the day, and has no value of any kind; another kind was read, too.
    case notWorn
    /// The ring has values of other kinds on the day.
    case noValues
    /// The history is not of that day.
    case notRead

    /// The reason in at most eight letters.
    package var word: String {
        switch self {
        case .unsupported: "lacking"
        case .failed, .notRead: "not read"
        case .wrongClock: "misdated"
        case .notKept(nil), .noValues: "none"
        case .notKept: "not kept"
        case .notWorn: "not worn"
        }
    }

    func sentence(of kind: HistoryKind) -> String {
        switch self {
        case .unsupported: "The ring does not measure \(kind)."
        case .failed(let error?): "Not read: \(error)"
        case .failed(nil), .notRead: "Not read."
        case .wrongClock: "Left out: the ring’s clock showed another day."
        case .notKept(let days?):
            "The ring had stored no more than \(days) \(days == 1 ? "day" : "days") of \(kind)."
        case .notKept(nil): "The ring has stored no \(kind)."
        case .notWorn, .noValues: "No values: the ring was not worn, or did not measure."
        }
    }
}

/// The reasons for what is missing of a history, found without a search for each day.
package struct MissingReasons: Sendable {
    private let history: RingHistory
    private let firstRead: [HistoryKind: CivilDate]
    /// The last error of each kind and day; of no day for `nil`.
    private let errors: [HistoryKind: [CivilDate?: DeviceError]]
    private let datesWithValues: Set<CivilDate>

    /// The most days that a ring was asked for: what lies further back was read earlier.
    private static let mostDaysOfARead = 30

    package init(_ history: RingHistory) {
        self.history = history
        datesWithValues = history.datesWithValues
        // The days of a kind are in order.
        let read = history.coverage.days.filter { $0.outcome == .read }
        firstRead = Dictionary(read.map { ($0.kind, $0.date) }) { first, _ in first }
        errors = history.failures.reduce(into: [:]) { errors, failure in
            let date = failure.daysAgo.flatMap { history.today.advanced(byDays: 0 &- $0) }
            errors[failure.kind, default: [:]][date] = failure.error
        }
    }

    package func reason(for kind: HistoryKind, on date: CivilDate) -> MissingReason {
        let outcome = history.coverage[kind, date]
        switch outcome {
        case .unsupported: return .unsupported
        case .failed: return .failed(errors[kind]?[date] ?? errors[kind]?[CivilDate?.none])
        case .wrongClock: return .wrongClock
        case nil where history.unsupported.contains(kind): return .unsupported
        case .unfinished, nil: return .notRead
        case .read, .noData, .notRequested: break
        }
        guard let first = firstRead[kind] else { return .notKept(days: nil) }
        let days = first.daysAgo(from: history.today) + 1
        if outcome == .notRequested || date < first {
            return days > Self.mostDaysOfARead ? .notRead : .notKept(days: days)
        }
        return datesWithValues.contains(date) || !isOtherKindRead(than: kind, on: date)
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
        datesWithSamples.union(workouts.compactMap { $0.start?.date })
    }

    /// The days with a value of any kind but workouts.
    var datesWithSamples: Set<CivilDate> {
        var dates = Set(sleep.map(\.end.date))
        func add(_ samples: some SampleList) {
            dates.formUnion(self[keyPath: samples.list].lazy.map(\.time.date))
        }
        for samples in Self.sampleKinds { add(samples) }
        return dates
    }
}
