internal import HaloProtocol

/// The requests for nights and naps: all forms in their order, or only the form that was answered
/// before.
///
/// - Rings reply "no data" also to an unknown form, so the next form is tried after that, unless
///   the ring is known to understand the first one.
/// - "No data" is an answer: a ring that does not reply to a later form, or refuses it, has no
///   sleep stored.
/// - The old command is sent for one day after the other. A day that is refused after another one
///   was answered is requested once more.
struct SleepRequests: Sendable {
    private var forms: [SleepRequestForm]
    /// The form that the ring understands: its "no data" is final.
    private let understoodForm: SleepRequestForm?
    /// `true` once the ring has replied "no data".
    private var hasNoData = false
    /// The day of the old command.
    private var oldDay = DaysAgo.today
    /// `true` if the ring has refused that day once.
    private var wasRefused = false
    /// The days that the old command was answered for.
    private var oldDays: [UndescribedSleep] = []
    /// The error of a day of the old command.
    private var oldError: DeviceError?
    /// The outcome of all requests; `nil` until the last one has ended.
    private(set) var part: HistoryPart?
    /// The form to which the ring has replied.
    private(set) var answeredForm: SleepRequestForm?

    init(_ dialect: Dialect, answeredBefore known: SleepRequestForm?) {
        forms = known.map { [$0] } ?? dialect.sleepRequests.value ?? SleepRequestForm.allCases
        understoodForm = known ?? dialect.understoodSleepRequest.value
        if forms.isEmpty { part = .unsupported }
    }

    private static var lastDay: UInt8 { 6 }

    /// The next request; `nil` after the last one.
    var request: RingRequest<ReceivedAnswer>? {
        guard part == nil, let form = forms.first else { return nil }
        return form.request?.untyped ?? oldRequest.untyped
    }

    /// The request of the old command for the next day.
    private var oldRequest: RingRequest<OldSleep.Reply> {
        RingRequest(OldSleep.Request(day: oldDay))
    }

    /// Receives the reply to the request.
    mutating func receive(_ reply: RingReply) {
        if let request = forms.first?.request {
            receive(HistoryPart(request, reply))
        } else {
            receive(oldRequest.answer(reply))
        }
    }

    private mutating func receive(_ new: HistoryPart) {
        switch new {
        case .some:
            answeredForm = forms.first
            part = new
        case .failed(let error) where error.kind != .timedOut: part = new
        case .noData:
            hasNoData = true
            endForm(new, isLast: forms.first == understoodForm)
        case .unsupported, .notRequested: endForm(new)
        case .failed:
            // Each silence costs the time of all retries.
            if hasNoData { forms = forms.prefix(1) + forms.filter { $0 == .oldCommand } }
            endForm(new)
        }
    }

    /// Ends the requests of a form that the ring has not answered with sleep.
    private mutating func endForm(_ new: HistoryPart, isLast: Bool = false) {
        forms.removeFirst()
        if forms.isEmpty || isLast { part = hasNoData ? .noData : new }
    }

    private mutating func receive(_ answer: Result<Answer<OldSleep.Reply>, DeviceError>) {
        let isFirst = oldDay == .today
        switch answer {
        case .success(.value(let reply)):
            oldDays.append(
                UndescribedSleep(
                    daysAgo: Int(oldDay.count), records: reply.records.map { Array($0.bytes) }))
        case .success(.noData): hasNoData = true
        case .success(.refused) where isFirst: return endForm(.unsupported)
        case .success(.refused) where !wasRefused:
            wasRefused = true
            return
        case .success(.refused): oldError = DeviceError(.refused)
        case .failure(let error) where isFirst:
            if error.kind != .timedOut { hasNoData = false }
            return endForm(.failed(error))
        case .failure(let error): return endOldCommand(error)
        }
        wasRefused = false
        guard oldDay.count < Self.lastDay else { return endOldCommand(oldError) }
        oldDay = DaysAgo(oldDay.count + 1)
    }

    private mutating func endOldCommand(_ error: DeviceError?) {
        let days = oldDays
        part =
            days.isEmpty && error == nil
            ? .noData
            : .some(
                HistoryReply { context, history in
                    for day in days {
                        guard let date = context.date(UInt8(clamping: day.daysAgo)) else {
                            continue
                        }
                        context.note(date, of: .sleep, in: &history)
                        if context.includes(CivilDateTime(date)) {
                            history.undescribedSleep.append(day)
                        }
                    }
                }, error)
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
    /// The request of the form; `nil` for the old command, which has one for each day.
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
