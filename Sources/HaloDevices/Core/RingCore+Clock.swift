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
extension RingCore {
    /// Begins with the clock.
    func prepareClock(_ state: inout RingState) {
        endPatience(&state)
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
            return
        }
        let plan = HistoryPlan(days: options.daysBeforeClockIsSet)
        let history = RingHistory(today: today ?? newToday, readAt: nil, secondsFromUTC: nil)
        readOrphans(plan.steps[...], history, &state)
    }

    private func readOrphans(
        _ steps: ArraySlice<HistoryStep>, _ history: RingHistory, _ state: inout RingState
    ) {
        guard let step = steps.first else {
            if !history.isEmpty { state.knowledge.orphans = history }
            setClock(&state)
            return
        }
        let (link, stage) = (state.linkNumber, state.stage)
        let context = HistoryContext(oldClockOf: history, state.knowledge)
        guard context.isWorthAsking(step, history) else {
            var history = history
            history.take(.unsupported, of: step)
            readOrphans(steps.dropFirst(), history, &state)
            return
        }
        state.outbox.append { [self] in
            step.ask(self, .preparation(link: link), context) { [weak self] part in
                self?.update(in: stage) { state in
                    var history = history
                    history.take(part, of: step)
                    self?.readOrphans(steps.dropFirst(), history, &state)
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

    private func askFunctions(_ state: inout RingState) {
        prepare(Inquiry(DeviceFunctions.Request()), &state) { core, answer, state in
            if let reply = answer?.value { state.knowledge.capabilities.update(reply) }
            core.becomeReady(&state)
        }
        hurry(&state)
    }

    /// Asks while the link is prepared; what comes of it is an answer or nothing.
    private func prepare<Value: Sendable>(
        _ inquiry: Inquiry<Value>, _ state: inout RingState,
        _ body: @escaping @Sendable (RingCore, Answer<Value>?, inout RingState) -> Void
    ) {
        let (link, stage) = (state.linkNumber, state.stage)
        let number = state.newNumber()
        state.preparing = number
        state.outbox.append { [self] in
            submit(inquiry, as: .preparation(link: link), number) { [weak self] outcome in
                self?.update(in: stage) { state in
                    guard let self, case .preparing = state.phase else { return }
                    body(self, try? outcome.result.get(), &state)
                }
            }
        }
    }

    /// What is being asked is given up after the time in which one frame should come: old
    /// firmware says nothing to what it does not know.
    private func hurry(_ state: inout RingState) {
        guard let number = state.preparing else { return }
        let stage = state.stage
        state.outbox.append { [self] in
            let moment = time.now() + options.rules.answerWithin
            let timer = time.schedule(at: moment) { [weak self] in self?.cancel(number) }
            update(in: stage) { state in state.registrations.append(timer) }
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
