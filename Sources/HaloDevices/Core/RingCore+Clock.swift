internal import HaloProtocol
internal import HaloTransport

/// The ring's clock, when it is connected to: what a new clock would put out of reach is read
/// first.
///
/// A ring cannot be asked what its clock shows. But it dates its activity, and the totals of its
/// today: from the first of them that has a date, its today is known. If that is the day which the
/// new clock will show, nothing gets lost, and the clock is set. If it is another day, or none can
/// be learnt from a ring whose clock this program has not set before, everything that is stored is
/// read with the old clock, and kept.
///
/// Nothing is put out of reach that was not read: the clock is left alone where the ring has
/// answered nothing at all, and where reading took longer than
/// ``RingOptions/historyBeforeClockTimeout``.
extension RingCore {
    /// Begins with the clock.
    func prepareClock(_ state: inout RingState) {
        switch options.clock {
        case .leave(let zone):
            let seconds = zone.secondsFromUTC(state.wallClock)
            state.knowledge.clock = RingClock(secondsFromUTC: seconds, wasSet: false)
            askFunctions(&state)
        case .set:
            if options.daysBeforeClockIsSet > 0 {
                askDay(.today, &state)
            } else {
                setClock(&state)
            }
        }
    }

    /// What the clock will show.
    private func newClock(_ state: RingState) -> RingClock {
        RingClock(
            secondsFromUTC: options.clock.zone.secondsFromUTC(state.wallClock), wasSet: true)
    }

    private func askDay(_ day: DaysAgo, _ state: inout RingState) {
        guard day.count < Self.daysAsked else {
            askTotals(&state)
            return
        }
        let next = DaysAgo(day.count &+ 1)
        prepare(Inquiry(ActivityLog.Request(day: day)), &state) { core, answer, state in
            switch answer {
            case .value(let reply):
                if let today = core.today(reply, day), today.year == Self.missingYear {
                    core.askYear(of: today, &state)
                } else if let today = core.today(reply, day) {
                    core.judge(today, &state)
                } else {
                    core.askDay(next, &state)
                }
            case .noData: core.askDay(next, &state)
            case .refused, nil: core.askTotals(&state)
            }
        }
    }

    /// For how many days a ring is asked which date they have.
    private static var daysAsked: UInt8 { 7 }

    /// The ring's today by the date of what was counted some days before.
    private func today(_ reply: ActivityLog.Reply, _ day: DaysAgo) -> CivilDate? {
        reply.records.first?.date.date?.advanced(byDays: Int(day.count))
    }

    /// A date of the year 2000 is that of a clock which nobody has set, or of firmware that
    /// forgets the year and means the nearest one. Heart rates are asked for by date: only a clock
    /// that was never set has some there.
    private func askYear(of today: CivilDate, _ state: inout RingState) {
        prepare(Inquiry(HeartRateLog.Request(day: today)), &state) { core, answer, state in
            let here = core.newClock(state).reading(state.wallClock).date
            let nearest = (here.year - 1...here.year + 1).compactMap {
                try? CivilDate(year: $0, month: today.month, day: today.day)
            }.min { abs($0.daysAgo(from: here)) < abs($1.daysAgo(from: here)) }
            core.judge(answer?.value == nil ? nearest : today, &state)
        }
    }

    private static var missingYear: Int { 2000 }

    private func askTotals(_ state: inout RingState) {
        prepare(Inquiry(DailyTotals.Request(day: .today)), &state) { core, answer, state in
            let day = answer?.value?.day
            core.judge(day?.daysAgo == 0 ? day?.date.date : nil, &state)
        }
    }

    /// Whether anything would get lost.
    private func judge(_ today: CivilDate?, _ state: inout RingState) {
        let newToday = newClock(state).reading(state.wallClock).date
        if today == newToday || (today == nil && state.knowledge.clock.wasSet) {
            setClock(&state)
        } else if !state.hasAnswered || state.knowledge.historyTimedOut {
            askFunctions(&state)
        } else {
            let plan = HistoryPlan(days: options.daysBeforeClockIsSet)
            let history = RingHistory(today: today ?? newToday, readAt: nil, secondsFromUTC: nil)
            let timeLeft = state.connectDeadline.duration(since: state.now)
            let deadline =
                state.historyDeadline ?? state.now + options.historyBeforeClockTimeout
            state.historyDeadline = deadline
            setDeadline(at: deadline, &state)
            readOrphans(plan.steps[...], history, timeLeft: timeLeft, &state)
        }
    }

    /// Reading has taken too long: what was read is kept, and the clock is left alone, for what
    /// was not read would be out of reach. With later links it is not tried again.
    func historyTimedOut(_ state: inout RingState) {
        guard case .preparing(.readingHistory(var history, let steps, let timeLeft)) = state.phase
        else { return }
        for step in steps { history.take(.failed(DeviceError(.timedOut)), of: step) }
        state.knowledge.orphans = history
        state.knowledge.historyTimedOut = true
        finishReading(timeLeft, &state)
        askFunctions(&state)
    }

    /// Goes on in what was left of the time for connecting.
    private func finishReading(_ timeLeft: Duration, _ state: inout RingState) {
        state.phase = .preparing(.asking)
        state.connectDeadline = state.now + timeLeft
        setDeadline(at: state.connectDeadline, &state)
    }

    private func readOrphans(
        _ steps: ArraySlice<HistoryStep>, _ history: RingHistory, timeLeft: Duration,
        _ state: inout RingState
    ) {
        guard let step = steps.first else {
            if !history.isEmpty { state.knowledge.orphans = history }
            finishReading(timeLeft, &state)
            setClock(&state)
            return
        }
        state.phase = .preparing(.readingHistory(history, steps, timeLeft: timeLeft))
        let (link, stage) = (state.linkNumber, state.stage)
        let context = HistoryContext(oldClockOf: history, state.knowledge)
        guard context.isWorthAsking(step, history) else {
            var history = history
            history.take(.unsupported, of: step)
            readOrphans(steps.dropFirst(), history, timeLeft: timeLeft, &state)
            return
        }
        state.outbox.append { [self] in
            step.ask(self, .preparation(link: link), context) { [weak self] part in
                self?.update(in: stage) { state in
                    var history = history
                    history.take(part, of: step)
                    self?.readOrphans(
                        steps.dropFirst(), history, timeLeft: timeLeft, &state)
                }
            }
        }
    }

    private func setClock(_ state: inout RingState) {
        let clock = newClock(state)
        guard let request = request(toSet: clock, state) else {
            askFunctions(&state)
            return
        }
        // What the ring says to it may come too late, and is known all the same.
        state.knowledge.clock = RingClock(secondsFromUTC: clock.secondsFromUTC, wasSet: false)
        prepare(Inquiry(request), &state) { core, answer, state in
            state.knowledge.clock = RingClock(
                secondsFromUTC: clock.secondsFromUTC, wasSet: answer?.value != nil)
            if let reply = answer?.value { state.knowledge.capabilities.update(reply) }
            core.askFunctions(&state)
        }
    }

    /// Nothing where the clock on the wall shows a time that cannot be sent.
    private func request(toSet clock: RingClock, _ state: RingState) -> SetTime.Request? {
        try? SetTime.Request(time: clock.reading(state.wallClock), language: options.language)
    }

    /// Old firmware says nothing to what it does not know: no more than the time in which one
    /// frame should come is spent on it.
    private func askFunctions(_ state: inout RingState) {
        let deadline = min(state.connectDeadline, state.now + options.rules.answerWithin)
        setDeadline(at: deadline, &state)
        prepare(Inquiry(DeviceFunctions.Request()), &state) { core, answer, state in
            if let reply = answer?.value { state.knowledge.capabilities.update(reply) }
            core.becomeReady(&state)
        }
    }

    /// Asks while the link is prepared; what comes of it is an answer or nothing.
    private func prepare<Value: Sendable>(
        _ inquiry: Inquiry<Value>, _ state: inout RingState,
        _ body: @escaping @Sendable (RingCore, Answer<Value>?, inout RingState) -> Void
    ) {
        let (link, stage) = (state.linkNumber, state.stage)
        state.outbox.append { [self] in
            submit(inquiry, as: .preparation(link: link)) { [weak self] outcome in
                self?.update(in: stage) { state in
                    guard let self, case .preparing = state.phase else { return }
                    let answer = try? outcome.result.get()
                    if answer != nil || outcome.partial != nil { state.hasAnswered = true }
                    body(self, answer, &state)
                }
            }
        }
    }

    /// Sets the clock because an app wants it.
    nonisolated(nonsending) func setClock(
        _ zone: ClockPolicy.Zone, language: RingLanguage
    ) async throws(DeviceError) {
        let clock = RingClock(
            secondsFromUTC: zone.secondsFromUTC(time.wallClock()), wasSet: true)
        let request: SetTime.Request
        do throws(ValueError) {
            request = try SetTime.Request(
                time: clock.reading(time.wallClock()), language: language)
        } catch {
            throw DeviceError(error, command: SetTime.name)
        }
        switch try await ask(Inquiry(request)) {
        case .value(let reply):
            update { state in
                state.knowledge.capabilities.update(reply)
                state.knowledge.clock = clock
            }
        case .refused: throw DeviceError(.notSupported, command: SetTime.name)
        case .noData: throw DeviceError(.noData, command: SetTime.name)
        }
    }
}
