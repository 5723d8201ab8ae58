internal import HaloProtocol
internal import HaloTransport

/// One request of a long read.
struct HistoryStep: Sendable {
    /// How an answer says which day it is of.
    enum Dating: Hashable, Sendable {
        /// It has dates of its own.
        case dates
        /// It is of one day, counted back from the ring's today.
        case daysAgo
        /// It is of the ring's today.
        case today
        /// It is of several days, each counted back from the ring's today.
        case severalDaysAgo
    }

    typealias Ask =
        @Sendable (
            RingCore, RingCore.Asker, HistoryAim, @escaping @Sendable (HistoryPart) -> Void
        ) -> Void

    let kind: HistoryKind
    /// How many days the wanted day lies before the day of the read, where it is one.
    let day: DaysAgo?
    let dating: Dating
    /// Asks, and tells once what came of it.
    let ask: Ask

    /// A request, and what its answer is on the calendar.
    ///
    /// - Parameter today: The ring's today as an answer says it, if it does.
    init<Value: Sendable>(
        _ kind: HistoryKind, _ dating: Dating, _ day: DaysAgo? = nil,
        _ inquiry: @escaping @Sendable (HistoryAim) -> Inquiry<Value>,
        today: @escaping @Sendable (Value, HistoryAim) -> CivilDate? = { _, _ in nil },
        _ take: @escaping @Sendable (Value, HistoryContext, inout RingHistory) -> Void
    ) {
        self.kind = kind
        self.day = day
        self.dating = dating
        ask = { core, asker, aim, finish in
            core.submit(inquiry(aim), as: asker) { outcome in
                finish(HistoryPart(outcome, today: { today($0, aim) }, take))
            }
        }
    }

    /// A request of another shape.
    init(_ kind: HistoryKind, _ dating: Dating, ask: @escaping Ask) {
        self.kind = kind
        day = nil
        self.dating = dating
        self.ask = ask
    }
}

/// What came of one request of a long read.
enum HistoryPart: Sendable {
    /// Something, and the ring's today if the answer says it; an answer with gaps has an error
    /// beside it.
    case some(Take, today: CivilDate? = nil, DeviceError? = nil)
    /// The ring has nothing.
    case nothing
    /// The ring does not support it.
    case unsupported
    /// No answer came.
    case failed(DeviceError)

    /// Puts an answer on the calendar.
    typealias Take = @Sendable (HistoryContext, inout RingHistory) -> Void

    init<Value: Sendable>(
        _ outcome: Outcome<Value>, today: (Value) -> CivilDate? = { _ in nil },
        _ take: @escaping @Sendable (Value, HistoryContext, inout RingHistory) -> Void
    ) {
        switch outcome.result {
        case .success(.value(let value)):
            self = .some({ take(value, $0, &$1) }, today: today(value))
        case .success(.noData): self = .nothing
        case .success(.refused): self = .unsupported
        case .failure(let error):
            if error.kind == .notSupported {
                self = .unsupported
            } else if let partial = outcome.partial {
                self = .some({ take(partial, $0, &$1) }, today: today(partial), error)
            } else {
                self = .failed(error)
            }
        }
    }
}

extension HistoryPart {
    /// The ring's today, where the answer says it.
    var today: CivilDate? {
        guard case .some(_, let today, _) = self else { return nil }
        return today
    }

    /// What an answer has gaps for.
    var error: DeviceError? {
        guard case .some(_, _, let error) = self else { return nil }
        return error
    }
}

extension RingHistory {
    /// Takes in what came of a request.
    mutating func take(_ part: HistoryPart, of step: HistoryStep, _ context: HistoryContext) {
        switch part {
        case .nothing: break
        case .unsupported: unsupported.insert(step.kind)
        case .failed(let error): fail(error, step)
        case .some(let take, _, let error):
            take(context, &self)
            if let error { fail(error, step) }
        }
    }

    private mutating func fail(_ error: DeviceError, _ step: HistoryStep) {
        failures.append(
            HistoryFailure(
                kind: step.kind, daysAgo: step.day.map { Int($0.count) }, error: error))
    }

    /// Whether the ring had nothing at all; its totals of today do not count.
    var isEmpty: Bool { counts.allSatisfy { $0.1 == 0 } && undescribedSleep.isEmpty }

    /// Puts every list in the order of time.
    mutating func sort() {
        heartRates.sortByTime()
        stress.sortByTime()
        variability.sortByTime()
        activity.sortByTime()
        bloodOxygen.sortByTime()
        temperatures.sortByTime()
        sleep.sort { $0.start < $1.start }
    }
}

extension Array {
    fileprivate mutating func sortByTime<Value>() where Element == TimedSample<Value> {
        sort { $0.time < $1.time }
    }
}
