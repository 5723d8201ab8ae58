internal import HaloProtocol

/// The requests of a step in their order, until the ring has answered one. Most steps have one.
/// Sleep has all forms of its request, or only the form that was answered before. The old command
/// is not sent: the layout of its reply is not described.
///
/// - Rings reply "no data" also to an unknown form, so the next form is tried after that, unless
///   the ring is known to understand the first one.
/// - "No data" is an answer: a ring that does not reply to a later form, or refuses it, has no
///   sleep stored.
struct HistoryRequests: Sendable {
    private var left: [(form: SleepRequestForm?, request: RingRequest<HistoryReply>)]
    /// The form that the ring understands: its "no data" is final.
    private let understoodForm: SleepRequestForm?
    private var hasNoData = false
    private(set) var answeredForm: SleepRequestForm?

    init(_ request: RingRequest<HistoryReply>) {
        left = [(nil, request)]
        understoodForm = nil
    }

    init(forSleep dialect: Dialect, answeredBefore known: SleepRequestForm?) {
        let all = known.map { [$0] } ?? dialect.sleepRequests.value ?? SleepRequestForm.allCases
        left = all.compactMap { form in form.request.map { (form, $0) } }
        understoodForm = known ?? dialect.understoodSleepRequest.value
    }

    var request: RingRequest<ReceivedAnswer>? { left.first?.request.untyped }

    /// Receives the reply to the request; returns the outcome of all, or `nil` if a further one
    /// follows.
    mutating func receive(_ reply: RingReply) -> HistoryPart? {
        guard let (form, request) = left.first else { return nil }
        left.removeFirst()
        let new = HistoryPart(request, reply)
        let isLast: Bool
        switch new {
        case .some:
            answeredForm = form
            return new
        case .failed(let error) where error.kind != .timedOut: return new
        case .noData:
            hasNoData = true
            isLast = form == understoodForm
        case .unsupported, .notRequested: isLast = false
        // Each silence costs the time of all retries.
        case .failed: isLast = hasNoData
        }
        guard isLast || left.isEmpty else { return nil }
        return hasNoData ? .noData : new
    }
}

extension RingHistory {
    fileprivate mutating func add(
        _ periods: [SleepPeriod], areNaps: Bool, _ context: HistoryContext
    ) {
        for period in periods {
            guard let start = period.startTime(today: context.today),
                let record = SleepRecord(
                    period, isNap: areNaps, today: context.today,
                    secondsFromUTC: context.secondsFromUTC(
                        from: start, seconds: period.minutesOfStages * 60))
            else { continue }
            context.note(record.end.date, of: .sleep, in: &self)
            if context.includes(start, until: record.end) { sleep.append(record) }
        }
    }
}

extension SleepRequestForm {
    /// The request of the form; `nil` for the old command.
    fileprivate var request: RingRequest<HistoryReply>? {
        let request: Sleep.Request
        switch self {
        case .twoBytes: request = .allNights
        case .oneByte: request = .allNightsInOneByte
        case .empty: request = .empty
        case .oldCommand: return nil
        }
        return RingRequest<SleepHistory>(request).map { sleep in
            HistoryReply { context, history in
                history.add(sleep.nights, areNaps: false, context)
                history.add(sleep.naps, areNaps: true, context)
            }
        }
    }
}
