internal import HaloProtocol

/// The requests of a long read, in their order: the days of each log, then what comes at once.
struct HistoryPlan: Sendable {
    let steps: [HistoryStep]

    /// Everything of the last days; there are at least one and at most 30 of them.
    init(days: Int) {
        var steps: [HistoryStep] = [.totals, .bloodOxygen, .temperature, .sleep, .workouts]
        for count in 0..<UInt8(clamping: min(max(days, 1), Self.mostDays)) {
            let day = DaysAgo(count)
            steps += [.heartRate(day), .stress(day), .variability(day), .activity(day)]
        }
        self.steps = steps
    }

    /// One request alone.
    init(_ step: HistoryStep) { steps = [step] }

    /// Rings accept no more of any log.
    static var mostDays: Int { 30 }
}

extension HistoryStep {
    static func heartRate(_ day: DaysAgo) -> HistoryStep {
        HistoryStep(.heartRate, .dates, day) { aim in
            RingRequest(HeartRateLog.Request(day: aim.day))
        } _: { reply, context, history in
            history.heartRates += context.samples(
                of: reply.day.time.date, reply.slots, reply.samples
            ) { Int($0) }
        }
    }

    static func stress(_ day: DaysAgo) -> HistoryStep {
        HistoryStep(.stress, .daysAgo, day) { aim in
            RingRequest(StressLog.Request(day: aim.daysAgo))
        } _: { reply, context, history in
            history.stress += context.samples(
                of: context.day, reply.slots, reply.samples
            ) { Int($0) }
        }
    }

    static func variability(_ day: DaysAgo) -> HistoryStep {
        HistoryStep(.variability, .daysAgo, day) { aim in
            RingRequest(HeartRateVariabilityLog.Request(day: aim.daysAgo))
        } _: { reply, context, history in
            history.variability += context.samples(
                of: context.day, reply.slots, reply.samples
            ) { Int($0) }
        }
    }

    static func activity(_ day: DaysAgo) -> HistoryStep {
        HistoryStep(.activity, .daysAgo, day) { aim in
            RingRequest(ActivityLog.Request(day: aim.daysAgo))
        } today: { reply, aim in
            guard let date = reply.records.first?.date.date, !(aim.isAssumed && date.isWithoutYear)
            else { return nil }
            return date.withYear(near: aim.day).advanced(byDays: Int(aim.daysAgo.count))
        } _: { reply, context, history in
            for record in reply.records {
                guard let date = record.date.date?.withYear(near: context.today),
                    let start = record.start
                else { continue }
                let amount = ActivityAmount(
                    steps: Int(record.steps), metres: Int(record.metres),
                    kilocalories: reply.kilocalories(of: record))
                context.append(
                    date, start, minutes: Int(ActivityLog.slots.minutesPerSlot), amount,
                    to: &history.activity)
            }
        }
    }

    static var bloodOxygen: HistoryStep {
        HistoryStep(.bloodOxygen, .severalDaysAgo) { _ in
            RingRequest(BloodOxygen.Request.allDays)
        } _: { reply, context, history in
            for day in reply.days {
                guard let date = context.date(day.daysAgo) else { continue }
                for hour in 0..<HourlyRanges.hours where day.most(hour: hour) != 0 {
                    guard let start = try? CivilTime(hour: hour, minute: 0) else { continue }
                    let range = BloodOxygenRange(
                        least: Int(day.least(hour: hour)), most: Int(day.most(hour: hour)))
                    context.append(date, start, minutes: 60, range, to: &history.bloodOxygen)
                }
            }
        }
    }

    static var temperature: HistoryStep {
        HistoryStep(.temperature, .severalDaysAgo) { _ in
            RingRequest(TemperatureSeries.Request.today)
        } _: { reply, context, history in
            for day in reply.days {
                guard let date = context.date(day.daysAgo) else { continue }
                for slot in day.values.indices {
                    guard let celsius = day.celsius(slot: slot),
                        let start = day.slots.start(of: slot)
                    else { continue }
                    context.append(
                        date, start, minutes: Int(day.minutesPerSlot), celsius,
                        to: &history.temperatures)
                }
            }
        }
    }

    static var workouts: HistoryStep {
        HistoryStep(.workouts, .dates) { _ in
            RingRequest(WorkoutList.Request.all)
        } _: { reply, context, history in
            history.workouts += reply.workouts.reversed().map {
                WorkoutRecord($0, dialect: context.dialect, clocks: context.clocks)
            }
        }
    }

    static var totals: HistoryStep {
        HistoryStep(.totals, .today) { _ in
            RingRequest(TodayTotals.Request())
        } _: { reply, _, history in
            history.totals = reply
        }
    }
}

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

    /// What is asked.
    enum Question: Sendable {
        /// One request.
        case request(@Sendable (HistoryAim) -> AnsweredRequest<HistoryPart>)
        /// Sleep, in one way after the other.
        case sleep
    }

    let kind: HistoryKind
    /// How many days the wanted day lies before the day of the read, where it is one.
    let day: DaysAgo?
    let dating: Dating
    let question: Question

    /// A request, and what its answer is on the calendar.
    ///
    /// - Parameter today: The ring's today as an answer says it, if it does.
    init<Value: Sendable>(
        _ kind: HistoryKind, _ dating: Dating, _ day: DaysAgo? = nil,
        _ request: @escaping @Sendable (HistoryAim) -> RingRequest<Value>,
        today: @escaping @Sendable (Value, HistoryAim) -> CivilDate? = { _, _ in nil },
        _ take: @escaping @Sendable (Value, HistoryContext, inout RingHistory) -> Void
    ) {
        self.kind = kind
        self.day = day
        self.dating = dating
        question = .request { aim in
            request(aim).answering { HistoryPart($0, today: { today($0, aim) }, take) }
        }
    }

    /// Nights and naps; see ``SleepQuestions``.
    static var sleep: HistoryStep { HistoryStep() }

    private init() {
        (kind, day, dating, question) = (.sleep, nil, .severalDaysAgo, .sleep)
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

/// The questions about nights and naps: the ways to ask are tried in their order, or the one alone
/// that was answered before.
///
/// "Nothing" may also be what a ring says to a way that it does not know: then the next one is
/// tried. By the old command, day after day is asked for, until the ring has nothing more.
struct SleepQuestions: Sendable {
    /// What a ring answers.
    enum Answer: Sendable {
        case nights(HistoryPart)
        case old(Outcome<OldSleep.Reply>)
    }

    private var forms: ArraySlice<SleepRequestForm>
    /// What came of the way before.
    private var last = HistoryPart.unsupported
    /// What has come by the old command.
    private var replies: [OldSleep.Reply] = []
    /// All that has come of it, once nothing more is asked.
    private(set) var part: HistoryPart?
    /// The way that was answered.
    private(set) var answeredForm: SleepRequestForm?

    init(_ dialect: Dialect, answeredBefore known: SleepRequestForm?) {
        forms =
            (known.map { [$0] } ?? dialect.sleepRequests.value ?? SleepRequestForm.allCases)[...]
        if forms.isEmpty { part = last }
    }

    private static var lastDay: UInt8 { 6 }

    /// The next question.
    var request: AnsweredRequest<Answer>? {
        guard part == nil, let form = forms.first else { return nil }
        guard let request = form.request else {
            let day = DaysAgo(UInt8(clamping: replies.count))
            return RingRequest(OldSleep.Request(day: day)).answering { .old($0) }
        }
        return RingRequest<SleepHistory>(request).answering {
            .nights(
                HistoryPart($0) { sleep, context, history in
                    history.add(sleep.nights, areNaps: false, context)
                    history.add(sleep.naps, areNaps: true, context)
                })
        }
    }

    /// Takes in the answer.
    mutating func take(_ answer: Answer) {
        switch answer {
        case .nights(let part): take(part)
        case .old(let outcome): take(outcome)
        }
    }

    private mutating func take(_ new: HistoryPart) {
        switch new {
        case .some:
            answeredForm = forms.first
            part = new
        case .failed(let error) where error.kind != .timedOut: part = new
        case .nothing, .unsupported, .failed:
            last = new
            forms = forms.dropFirst()
            if forms.isEmpty { part = last }
        }
    }

    private mutating func take(_ outcome: Outcome<OldSleep.Reply>) {
        var error: DeviceError?
        switch outcome.result {
        case .success(.value(let reply)):
            replies.append(reply)
            if replies.count <= Self.lastDay { return }
        case .success(.noData): if replies.isEmpty { return part = .nothing }
        case .success(.refused): if replies.isEmpty { return part = .unsupported }
        case .failure(let failure):
            if replies.isEmpty { return part = .failed(failure) }
            error = failure
        }
        part = .some({ [replies] in $1.undescribedSleep += replies }, error)
    }
}

extension RingHistory {
    fileprivate mutating func add(
        _ periods: [SleepPeriod], areNaps: Bool, _ context: HistoryContext
    ) {
        sleep += periods.compactMap { period in
            guard let start = period.startTime(today: context.today) else { return nil }
            let minutes = period.stages.reduce(0) { $0 + Int($1.minutes) }
            return SleepRecord(
                period, isNap: areNaps, today: context.today,
                secondsFromUTC: context.secondsFromUTC(from: start, seconds: minutes * 60))
        }
    }
}

extension SleepRequestForm {
    /// What is sent; nothing for the old command.
    fileprivate var request: Sleep.Request? {
        switch self {
        case .twoBytes: .allNights
        case .oneByte: .allNightsInOneByte
        case .empty: .empty
        case .oldCommand: nil
        }
    }
}

/// What turns days and slots of an answer into times of a calendar.
struct HistoryContext: Sendable {
    /// The ring's today, when it answered.
    let today: CivilDate
    /// The day that was wanted, where it is one.
    let day: CivilDate
    /// What its clock showed when it was asked; `nil` where nobody knows.
    let now: CivilDateTime?
    /// The clocks that the ring has had; `nil` where nobody knows.
    let clocks: RingClockLog?
    let dialect: Dialect

    /// The day that lies so many days before the ring's today.
    func date(_ daysAgo: UInt8) -> CivilDate? { today.daysEarlier(daysAgo) }

    /// How many seconds the ring's clock was ahead of UTC in a stretch of time.
    func secondsFromUTC(from start: CivilDateTime, seconds: Int) -> Int? {
        clocks?.secondsFromUTC(from: start, seconds: seconds)
    }

    /// The values of a day's slots: those that are there, and began before now.
    func samples<Value: Sendable>(
        of day: CivilDate, _ slots: SlotsOfDay, _ values: some Sequence<UInt8>,
        _ value: (UInt8) -> Value
    ) -> [TimedSample<Value>] {
        var samples: [TimedSample<Value>] = []
        for (slot, byte) in values.enumerated() where byte != 0 {
            guard let start = slots.start(of: slot) else { break }
            append(
                day, start, minutes: Int(slots.minutesPerSlot), value(byte), to: &samples)
        }
        return samples
    }

    /// Adds a value with its time, unless that is still to come.
    func append<Value: Sendable>(
        _ day: CivilDate, _ start: CivilTime, minutes: Int, _ value: Value,
        to samples: inout [TimedSample<Value>]
    ) {
        let time = CivilDateTime(day, start)
        if let now, time > now { return }
        samples.append(
            TimedSample(
                time: time, minutes: minutes,
                secondsFromUTC: secondsFromUTC(slot: time, seconds: minutes * 60), value: value))
    }

    /// How many seconds the ring's clock was ahead of UTC in a slot. One that is not over may still
    /// hold what was stored there by an earlier clock that was ahead.
    private func secondsFromUTC(slot start: CivilDateTime, seconds: Int) -> Int? {
        let isOver = now.map { start.advanced(bySeconds: seconds) <= $0 } ?? true
        guard isOver || clocks?.isComplete == true else { return nil }
        return secondsFromUTC(from: start, seconds: seconds)
    }
}

/// What a request of a long read is to bring.
struct HistoryAim: Sendable {
    /// The ring's today, when it is asked.
    let today: CivilDate
    /// `true` when nothing but the app says that this is its today.
    let isAssumed: Bool
    /// The day that is wanted, where it is one.
    let day: CivilDate
    /// How many days before the ring's today that is.
    let daysAgo: DaysAgo
    /// What the ring's clock shows then; `nil` where nobody knows.
    let now: CivilDateTime?
    let dialect: Dialect
}
