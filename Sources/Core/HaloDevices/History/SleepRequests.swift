internal import HaloProtocol

/// The requests for nights and naps: all forms in their order, or only the form that was answered
/// before. The old command is not sent: the layout of its reply is not described.
///
/// - Rings reply "no data" also to an unknown form, so the next form is tried after that, unless
///   the ring is known to understand the first one.
/// - "No data" is an answer: a ring that does not reply to a later form, or refuses it, has no
///   sleep stored.
struct SleepRequests: Sendable {
    private var forms: [SleepRequestForm]
    /// The form that the ring understands: its "no data" is final.
    private let understoodForm: SleepRequestForm?
    /// `true` once the ring has replied "no data".
    private var hasNoData = false
    /// The outcome of all requests; `nil` until the last one has ended, and without any.
    private(set) var part: HistoryPart?
    /// The form to which the ring has replied.
    private(set) var answeredForm: SleepRequestForm?

    init(_ dialect: Dialect, answeredBefore known: SleepRequestForm?) {
        let all = known.map { [$0] } ?? dialect.sleepRequests.value ?? SleepRequestForm.allCases
        forms = all.filter { $0.request != nil }
        understoodForm = known ?? dialect.understoodSleepRequest.value
    }

    /// The next request, until the outcome is known; `nil` without any.
    var request: RingRequest<ReceivedAnswer>? { forms.first?.request?.untyped }

    mutating func receive(_ reply: RingReply) {
        guard let request = forms.first?.request else { return }
        let new = HistoryPart(request, reply)
        switch new {
        case .some:
            answeredForm = forms.first
            part = new
        case .failed(let error) where error.kind != .timedOut: part = new
        case .noData:
            hasNoData = true
            endForm(new, isLast: forms.first == understoodForm)
        case .unsupported, .notRequested: endForm(new)
        // Each silence costs the time of all retries.
        case .failed: endForm(new, isLast: hasNoData)
        }
    }

    /// Ends the requests of a form that the ring has not answered with sleep.
    private mutating func endForm(_ new: HistoryPart, isLast: Bool = false) {
        forms.removeFirst()
        if forms.isEmpty || isLast { part = hasNoData ? .noData : new }
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
        switch self {
        case .twoBytes: Self.request(.allNights)
        case .oneByte: Self.request(.allNightsInOneByte)
        case .empty: Self.request(.empty)
        case .oldCommand: nil
        }
    }

    private static func request(_ request: Sleep.Request) -> RingRequest<HistoryReply> {
        RingRequest<SleepHistory>(request).map { sleep in
            HistoryReply { context, history in
                history.add(sleep.nights, areNaps: false, context)
                history.add(sleep.naps, areNaps: true, context)
            }
        }
    }
}
