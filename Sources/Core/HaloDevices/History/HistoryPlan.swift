internal import HaloProtocol

/// The requests of a long read in their order: first the kinds with one reply for all days, then
/// each log day by day.
struct HistoryPlan: Sendable {
    let steps: [HistoryStep]
    /// The number of wanted days, including today; `nil` for all days of a reply.
    let days: UInt8?

    /// The steps of one reply for all days.
    private static let ofAllDays: [HistoryStep] = [
        .totals, .bloodOxygen, .temperature, .sleep, .workouts,
    ]

    private static func steps(of day: DaysAgo) -> [HistoryStep] {
        [.heartRate(day), .stress(day), .heartRateVariability(day), .activity(day)]
    }

    /// Creates a plan for some kinds of values of a number of days, limited to 1...30.
    init(_ kinds: Set<HistoryKind> = Set(HistoryKind.allCases), days: Int) {
        let days = UInt8(clamping: min(max(days, 1), Self.mostDays))
        self.days = days
        steps = (Self.ofAllDays + (0..<days).flatMap { Self.steps(of: DaysAgo($0)) })
            .filter { kinds.contains($0.kind) }
    }

    /// Creates a plan for what has failed of an earlier read, and for the rest of its today; some
    /// kinds come last.
    init(retrying history: RingHistory, today: CivilDate, last: Set<HistoryKind> = []) {
        var coverage = history.coverage
        if history.today < today { coverage.end(history.today) }
        // Days that no ring accepts any more are not retried.
        let failed = coverage.days.compactMap { day -> (kind: HistoryKind, count: UInt8)? in
            let count = day.date.daysAgo(from: today)
            guard day.outcome == .failed || day.outcome == .unfinished,
                0..<Self.mostDays ~= count
            else { return nil }
            return (day.kind, UInt8(clamping: count))
        }
        days = failed.map(\.count).max().map { $0 + 1 }
        let kinds = Set(failed.map(\.kind))
        let logs = failed.flatMap { day in
            Self.steps(of: DaysAgo(day.count)).filter { $0.kind == day.kind }
        }
        let all = Self.ofAllDays.filter { kinds.contains($0.kind) } + logs
        steps = all.filter { !last.contains($0.kind) } + all.filter { last.contains($0.kind) }
    }

    init(_ step: HistoryStep) {
        steps = [step]
        days = nil
    }

    /// The maximum number of days that rings accept for any log.
    private static var mostDays: Int { 30 }

    /// The number of days that rings may be expected to hold of a log. The vendor's notes name
    /// seven days, and three of heart rates; a captured R10 had these of the four days on which it
    /// was worn. More is not known.
    private static var knownDays: UInt8 { 7 }

    /// Returns the index of the step that has to be answered with values before a step is worth a
    /// request: the same log, a day later. `nil` for a day that rings are known to hold.
    func condition(of index: Int) -> Int? {
        let step = steps[index]
        guard let count = step.day?.count, count >= Self.knownDays else { return nil }
        return steps.firstIndex { $0.kind == step.kind && $0.day?.count == count - 1 }
    }

    /// Returns the index of the step whose condition another one is.
    func next(after index: Int) -> Int? {
        let next = steps[(index + 1)...].firstIndex { $0.kind == steps[index].kind }
        return next.flatMap { condition(of: $0) == index ? $0 : nil }
    }
}

extension RingHistory {
    mutating func add(_ part: HistoryPart, _ context: HistoryContext) {
        let step = context.step
        if case .some(let reply, _) = part { reply.add(context, &self) }
        if case .unsupported = part { unsupported.insert(step.kind) }
        if let error = part.error {
            let daysAgo = step.day.map { Int($0.count) }
            failures.append(HistoryFailure(kind: step.kind, daysAgo: daysAgo, error: error))
        }
        let outcome = part.outcome(of: step)
        for date in step.isOfOneDay ? [context.day] : context.wantedDates {
            let isRead = outcome == .noData && coverage[step.kind, date] == .read
            let isSent = isRead || outcome == .read || outcome == .noData
            let isWrong =
                step.kind == .totals
                ? context.clocks?.isWrong(sumOf: date)
                : context.clocks?.isWrong(CivilDateTime(date))
            coverage[step.kind, date] =
                isSent && isWrong == true ? .wrongClock : isRead ? .read : outcome
        }
    }

    /// `true` if the ring had nothing stored. The totals of today do not count.
    var isEmpty: Bool { counts.allSatisfy { $0.1 == 0 } }

    mutating func sort() {
        heartRates.sort { $0.time < $1.time }
        stress.sort { $0.time < $1.time }
        heartRateVariability.sort { $0.time < $1.time }
        activity.sort { $0.time < $1.time }
        bloodOxygen.sort { $0.time < $1.time }
        temperatures.sort { $0.time < $1.time }
        sleep.sort { $0.start < $1.start }
    }
}
