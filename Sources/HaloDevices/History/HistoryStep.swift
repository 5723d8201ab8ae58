internal import HaloProtocol
internal import HaloTransport

/// One request of a long read.
struct HistoryStep: Sendable {
    let kind: HistoryKind
    let day: DaysAgo?
    /// Asks, and tells once what came of it.
    let ask:
        @Sendable (
            RingCore, RingCore.Asker, HistoryContext, @escaping @Sendable (HistoryPart) -> Void
        ) -> Void

    /// A request, and what its answer is on the calendar.
    init<Value: Sendable>(
        _ kind: HistoryKind, _ day: DaysAgo? = nil,
        _ inquiry: @escaping @Sendable (HistoryContext) -> Inquiry<Value>?,
        _ take: @escaping @Sendable (Value, HistoryContext, inout RingHistory) -> Void
    ) {
        self.kind = kind
        self.day = day
        ask = { core, asker, context, finish in
            guard let inquiry = inquiry(context) else {
                finish(.nothing)
                return
            }
            core.submit(inquiry, as: asker) { outcome in
                finish(HistoryPart(outcome, context, take))
            }
        }
    }

    /// A request of another shape.
    init(
        _ kind: HistoryKind,
        ask:
            @escaping @Sendable (
                RingCore, RingCore.Asker, HistoryContext, @escaping @Sendable (HistoryPart) -> Void
            ) -> Void
    ) {
        self.kind = kind
        day = nil
        self.ask = ask
    }
}

/// What came of one request of a long read.
enum HistoryPart: Sendable {
    /// Something; an answer with gaps has an error beside it.
    case some(@Sendable (inout RingHistory) -> Void, DeviceError?)
    /// The ring has nothing.
    case nothing
    /// The ring does not support it.
    case unsupported
    /// No answer came.
    case failed(DeviceError)

    init<Value: Sendable>(
        _ outcome: Outcome<Value>, _ context: HistoryContext,
        _ take: @escaping @Sendable (Value, HistoryContext, inout RingHistory) -> Void
    ) {
        switch outcome.result {
        case .success(.value(let value)):
            self = .some({ take(value, context, &$0) }, nil)
        case .success(.noData): self = .nothing
        case .success(.refused): self = .unsupported
        case .failure(let error):
            if error.kind == .notSupported {
                self = .unsupported
            } else if let partial = outcome.partial {
                self = .some({ take(partial, context, &$0) }, error)
            } else {
                self = .failed(error)
            }
        }
    }
}

extension RingHistory {
    /// Takes in what came of a request.
    mutating func take(_ part: HistoryPart, of step: HistoryStep) {
        switch part {
        case .nothing: break
        case .unsupported: unsupported.insert(step.kind)
        case .failed(let error): fail(error, step)
        case .some(let take, let error):
            take(&self)
            if let error { fail(error, step) }
        }
    }

    private mutating func fail(_ error: DeviceError, _ step: HistoryStep) {
        failures.append(
            HistoryFailure(
                kind: step.kind, daysAgo: step.day.map { Int($0.count) }, error: error))
    }

    /// Whether the ring had nothing at all.
    var isEmpty: Bool {
        heartRates.isEmpty && stress.isEmpty && variability.isEmpty && activity.isEmpty
            && bloodOxygen.isEmpty && temperatures.isEmpty && sleep.isEmpty
            && undescribedSleep.isEmpty && workouts.isEmpty
    }

    /// Puts every list in the order of time.
    mutating func sort() {
        heartRates.sort { $0.time < $1.time }
        stress.sort { $0.time < $1.time }
        variability.sort { $0.time < $1.time }
        activity.sort { $0.time < $1.time }
        bloodOxygen.sort { $0.time < $1.time }
        temperatures.sort { $0.time < $1.time }
        sleep.sort { $0.start < $1.start }
    }
}
