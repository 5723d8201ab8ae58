internal import HaloProtocol

/// The requests of a long read in their order: first the kinds with one reply for all days, then
/// each log day by day.
struct HistoryPlan: Sendable {
    let steps: [HistoryStep]
    /// The number of wanted days, including today; `nil` for all days of a reply.
    let days: UInt8?

    /// Creates a plan for all kinds of values of a number of days, limited to 1...30.
    init(days: Int) {
        let days = UInt8(clamping: min(max(days, 1), Self.mostDays))
        self.days = days
        var steps: [HistoryStep] = [.totals, .bloodOxygen, .temperature, .sleep, .workouts]
        for count in 0..<days {
            let day = DaysAgo(count)
            steps += [.heartRate(day), .stress(day), .variability(day), .activity(day)]
        }
        self.steps = steps
    }

    /// Creates a plan of one step.
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
        guard let day = steps[index].day, day.count >= Self.knownDays, let days, day.count < days
        else { return nil }
        return steps.firstIndex {
            $0.kind == steps[index].kind && $0.day.map { $0.count + 1 } == day.count
        }
    }
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
                context.note(date, of: .bloodOxygen, in: &history)
                for hour in 0..<HourlyRanges.hours where day.maximum(hour: hour) != 0 {
                    guard let start = try? CivilTime(hour: hour, minute: 0) else { continue }
                    let range = BloodOxygenRange(
                        least: Int(day.minimum(hour: hour)), most: Int(day.maximum(hour: hour)))
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
                context.note(date, of: .temperature, in: &history)
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
            for workout in reply.workouts.reversed() {
                let record = WorkoutRecord(
                    workout, dialect: context.dialect, clocks: context.clocks)
                if let start = record.start {
                    context.note(start.date, of: .workouts, in: &history)
                    guard context.includes(start) else { continue }
                }
                history.workouts.append(record)
            }
        }
    }

    static var totals: HistoryStep {
        HistoryStep(.totals, .today) { _ in
            RingRequest(TodayTotals.Request())
        } _: { reply, context, history in
            guard context.clocks?.isWrong(sumOf: context.today) != true else { return }
            history.totals = ActivityTotals(reply)
        }
    }
}

/// One request of a long read.
struct HistoryStep: Sendable {
    /// The way in which the days of a reply are known.
    enum Dating: Hashable, Sendable {
        /// The reply has dates.
        case dates
        /// The reply is of one day, counted back from the ring's today.
        case daysAgo
        /// The reply is of the ring's today.
        case today
        /// The reply is of several days, each counted back from the ring's today.
        case severalDaysAgo
    }

    /// The requests of a step.
    enum Content: Sendable {
        /// One request.
        case request(@Sendable (HistoryAim) -> RingRequest<HistoryReply>)
        /// The requests for sleep, one form after the other.
        case sleep
    }

    let kind: HistoryKind
    /// The days between the wanted day and the day of the read; `nil` if the step is not of one
    /// day.
    let day: DaysAgo?
    let dating: Dating
    let content: Content

    /// `false` for the step of several forms of a request.
    var isOneRequest: Bool {
        if case .request = content { true } else { false }
    }

    /// `true` if the step is of one day: of ``day``, or of today.
    var isOfOneDay: Bool { day != nil || dating == .today }

    /// Creates a step of one request.
    ///
    /// - Parameters:
    ///   - today: Returns the ring's today if the reply contains it.
    ///   - add: Adds the reply's values to the history.
    init<Value: Sendable>(
        _ kind: HistoryKind, _ dating: Dating, _ day: DaysAgo? = nil,
        _ request: @escaping @Sendable (HistoryAim) -> RingRequest<Value>,
        today: @escaping @Sendable (Value, HistoryAim) -> CivilDate? = { _, _ in nil },
        _ add: @escaping @Sendable (Value, HistoryContext, inout RingHistory) -> Void
    ) {
        self.kind = kind
        self.day = day
        self.dating = dating
        content = .request { aim in
            request(aim).map { reply in
                HistoryReply(today: today(reply, aim)) { add(reply, $0, &$1) }
            }
        }
    }

    /// The step for nights and naps; see ``SleepRequests``.
    static var sleep: HistoryStep { HistoryStep() }

    private init() {
        (kind, day, dating, content) = (.sleep, nil, .severalDaysAgo, .sleep)
    }
}

/// The values of a reply.
struct HistoryReply: Sendable {
    /// The ring's today, if the reply contains it.
    var today: CivilDate?
    /// Adds the values to a history.
    let add: @Sendable (HistoryContext, inout RingHistory) -> Void
}

/// The outcome of one step of a long read.
enum HistoryPart: Sendable {
    /// A reply, with an error if it has gaps.
    case some(HistoryReply, DeviceError? = nil)
    /// The ring has nothing stored.
    case noData
    /// The request was not sent: the ring is not likely to have anything stored.
    case notRequested
    /// The ring does not support the request.
    case unsupported
    /// The request has failed.
    case failed(DeviceError)

    /// Creates the outcome of one request.
    init(_ request: RingRequest<HistoryReply>, _ reply: RingReply) {
        switch request.answer(reply) {
        case .success(.value(let values)): self = .some(values)
        case .success(.noData): self = .noData
        case .success(.refused): self = .unsupported
        case .failure(let error):
            if error.kind == .notSupported {
                self = .unsupported
            } else if let partial = request.partial(reply) {
                self = .some(partial, error)
            } else {
                self = .failed(error)
            }
        }
    }
}

extension HistoryPart {
    /// The ring's today, if the reply contains it.
    var today: CivilDate? {
        guard case .some(let reply, _) = self else { return nil }
        return reply.today
    }

    /// The error of a reply with gaps.
    var error: DeviceError? {
        guard case .some(_, let error) = self else { return nil }
        return error
    }

    /// The outcome for the days of the request; for a reply with several days, the outcome for
    /// those that are not in it is `.noData`.
    fileprivate func outcome(of step: HistoryStep) -> HistoryCoverage.Outcome {
        switch self {
        case .some(_, _?), .failed: .failed
        case .some: step.isOfOneDay ? .read : .noData
        case .noData: .noData
        case .notRequested: .notRequested
        case .unsupported: .unsupported
        }
    }
}

extension RingHistory {
    /// Adds the outcome of a step.
    mutating func add(_ part: HistoryPart, of step: HistoryStep, _ context: HistoryContext) {
        switch part {
        case .noData, .notRequested: break
        case .unsupported: unsupported.insert(step.kind)
        case .failed(let error): fail(error, step)
        case .some(let reply, let error):
            reply.add(context, &self)
            if let error { fail(error, step) }
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

    private mutating func fail(_ error: DeviceError, _ step: HistoryStep) {
        failures.append(
            HistoryFailure(
                kind: step.kind, daysAgo: step.day.map { Int($0.count) }, error: error))
    }

    /// `true` if the ring had nothing stored. The totals of today do not count.
    var isEmpty: Bool { counts.allSatisfy { $0.1 == 0 } && undescribedSleep.isEmpty }

    /// Sorts every list by time.
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

/// The context in which the days and slots of a reply become dates and times.
struct HistoryContext: Sendable {
    /// The ring's today at the time of its reply.
    let today: CivilDate
    /// The wanted day; today for a step of several days.
    let day: CivilDate
    /// The first and the last day that is wanted; `nil` for all days of a reply.
    let wanted: ClosedRange<CivilDate>?
    /// `true` if values of other days are left out; `false` if they cannot be read again.
    let isLimited: Bool
    /// The time that the ring's clock showed at the request; `nil` if not known.
    let now: CivilDateTime?
    /// The clocks that the ring has had; `nil` if not known.
    let clocks: RingClockLog?
    let dialect: Dialect

    /// Returns the date a number of days before the ring's today.
    func date(_ daysAgo: UInt8) -> CivilDate? { today.daysEarlier(daysAgo) }

    /// The wanted days, from the earliest on; empty if all days of a reply are wanted.
    var wantedDates: [CivilDate] {
        guard let wanted else { return [] }
        let count = wanted.lowerBound.daysAgo(from: wanted.upperBound)
        return (0...max(count, 0)).compactMap { wanted.lowerBound.advanced(byDays: $0) }
    }

    /// Notes that the ring has sent a day, if it is wanted.
    func note(_ date: CivilDate, of kind: HistoryKind, in history: inout RingHistory) {
        if wanted?.contains(date) == true { history.coverage[kind, date] = .read }
    }

    /// Checks whether a value belongs to the history: its day is wanted, and no wrong clock has
    /// shown its time.
    ///
    /// - Parameter end: The time whose day counts, if it is not the beginning.
    func includes(_ start: CivilDateTime, until end: CivilDateTime? = nil) -> Bool {
        if clocks?.isWrong(start) == true { return false }
        return !isLimited || wanted?.contains((end ?? start).date) ?? true
    }

    /// Returns the seconds by which the ring's clock was ahead of UTC during a period.
    func secondsFromUTC(from start: CivilDateTime, seconds: Int) -> Int? {
        clocks?.secondsFromUTC(from: start, seconds: seconds)
    }

    /// Returns the samples of a day's slots, without those that are empty or still to come.
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

    /// Appends a value with its time, if it belongs to the history, and the ring's clock has
    /// already shown that time.
    func append<Value: Sendable>(
        _ day: CivilDate, _ start: CivilTime, minutes: Int, _ value: Value,
        to samples: inout [TimedSample<Value>]
    ) {
        let time = CivilDateTime(day, start)
        guard includes(time), now.map({ time <= $0 }) ?? true else { return }
        samples.append(
            TimedSample(
                time: time, minutes: minutes,
                secondsFromUTC: secondsFromUTC(slot: time, seconds: minutes * 60), value: value))
    }

    /// Returns the seconds by which the ring's clock was ahead of UTC during a slot.
    ///
    /// A current slot may still hold a value that was stored under an earlier clock, which was
    /// ahead.
    private func secondsFromUTC(slot start: CivilDateTime, seconds: Int) -> Int? {
        let isOver = now.map { start.advanced(bySeconds: seconds) <= $0 } ?? true
        guard isOver || clocks?.isComplete == true else { return nil }
        return secondsFromUTC(from: start, seconds: seconds)
    }
}

/// The target of a step of a long read: its day, and the ring's clock at the request.
struct HistoryAim: Sendable {
    /// The ring's today at the request.
    let today: CivilDate
    /// `true` while ``today`` is only assumed by the app.
    let isAssumed: Bool
    /// The wanted day; today for a step of several days.
    let day: CivilDate
    /// The days between the wanted day and the ring's today.
    let daysAgo: DaysAgo
    /// The time that the ring's clock shows; `nil` if not known.
    let now: CivilDateTime?
    let dialect: Dialect
}
