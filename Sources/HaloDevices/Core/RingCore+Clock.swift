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
/// answered nothing at all, and where reading took longer than connecting may.
extension RingCore {
    /// Begins with the clock.
    func prepareClock(_ state: inout RingState) {
        switch options.clock {
        case .leave(let zone):
            let seconds = zone.secondsFromUTC(state.wallClock)
            state.knowledge.assume(RingClock(secondsFromUTC: seconds, wasSet: false))
            askFunctions(&state)
        case .set:
            // Until it is set on this link, what was confirmed on an earlier one is an assumption:
            // there may not be time enough.
            state.knowledge.leaveClock()
            if options.daysBeforeClockIsSet > 0 {
                askDay(&state)
            } else {
                setClock(&state)
            }
        }
    }

    /// What the clock will show.
    private func newClock(_ state: RingState) -> RingClock {
        options.clock.zone.clock(at: state.wallClock)
    }

    private func askDay(_ state: inout RingState) {
        let (link, stage) = (state.linkNumber, state.stage)
        let here = newClock(state).reading(state.wallClock).date
        state.outbox.append { [self] in
            DayProbe(self, .preparation(link: link), here: here, hasYear: false) {
                [weak self] result in
                self?.update(in: stage) { state in self?.judge(try? result.get(), &state) }
            }.ask()
        }
    }

    /// Decides whether anything would get lost.
    private func judge(_ sighting: DayProbe.Sighting?, _ state: inout RingState) {
        guard case .preparing = state.phase else { return }
        let time = newClock(state).reading(state.wallClock)
        let new = ClockEpoch(time, sent: state.now, confirmed: state.now, now: state.now)
        let isKept =
            sighting.map { new.intersection($0.epoch) != nil } ?? state.knowledge.clock.wasSet
        if isKept {
            setClock(&state)
        } else if !state.hasAnswered || state.knowledge.historyTimedOut {
            askFunctions(&state)
        } else {
            // The question for the functions comes afterwards, and has its share of the time.
            let end = state.connectDeadline - options.rules.answerWithin
            setTimer(.link, at: max(state.now, end), &state)
            readOrphans(
                HistoryReading(
                    HistoryPlan(days: options.daysBeforeClockIsSet), state.knowledge,
                    oldClockOn: sighting, here: time.date), &state)
        }
    }

    /// Reading has taken too long: what was read is kept, and the clock is left alone, for what
    /// was not read would be out of reach. With later links it is not tried again.
    func historyTimedOut(_ reading: HistoryReading, _ state: inout RingState) {
        var reading = reading
        reading.giveUp()
        state.knowledge.orphans = reading.history
        state.knowledge.historyTimedOut = true
        state.phase = .preparing(.asking)
        askFunctions(&state)
    }

    private func readOrphans(_ reading: HistoryReading, _ state: inout RingState) {
        state.phase = .preparing(.readingHistory(reading))
        let (link, stage) = (state.linkNumber, state.stage)
        state.outbox.append { [self] in
            var reading = reading
            guard let action = nextAction(&reading) else {
                let history = reading.history
                update(in: stage) { state in
                    if !history.isEmpty { state.knowledge.orphans = history }
                    state.phase = .preparing(.asking)
                    setTimer(.link, at: state.connectDeadline, &state)
                    setClock(&state)
                }
                return
            }
            let current = reading
            perform(action, as: .preparation(link: link)) { [weak self] event in
                self?.update(in: stage) { state in
                    var reading = current
                    reading.take(event)
                    self?.readOrphans(reading, &state)
                }
            }
        }
    }

    private func setClock(_ state: inout RingState) {
        let clock = newClock(state)
        guard let request = request(toSet: clock) else {
            askFunctions(&state)
            return
        }
        state.knowledge.beginSetting(clock, at: state.now)
        prepare(Inquiry(request), &state) { core, answer, state in
            switch answer {
            case .value(let reply):
                state.knowledge.confirmSetting(at: state.now)
                state.knowledge.capabilities.update(reply)
            case .refused, .noData: state.knowledge.withdrawSetting()
            case nil: break
            }
            core.askFunctions(&state)
        }
    }

    /// The request for a clock; `nil` where the clock on the wall shows a time that cannot be sent.
    private func request(toSet clock: RingClock) -> SetTime.Request? {
        clock.since.flatMap { try? SetTime.Request(time: $0, language: options.language) }
    }

    /// Old firmware says nothing to what it does not know: no more than the time in which one
    /// frame should come is spent on it.
    private func askFunctions(_ state: inout RingState) {
        let deadline = min(state.connectDeadline, state.now + options.rules.answerWithin)
        setTimer(.link, at: deadline, &state)
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
                    body(self, try? outcome.result.get(), &state)
                }
            }
        }
    }

    /// Sets the clock because an app wants it.
    nonisolated(nonsending) func setClock(
        _ zone: ClockPolicy.Zone, language: RingLanguage
    ) async throws(DeviceError) {
        let clock = zone.clock(at: time.wallClock())
        let request: SetTime.Request
        do throws(ValueError) {
            request = try SetTime.Request(
                time: clock.since ?? CivilDateTime(secondsSince1970: 0), language: language)
        } catch {
            throw DeviceError(error, command: SetTime.name)
        }
        update { state in state.knowledge.beginSetting(clock, at: state.now) }
        switch try await ask(Inquiry(request)) {
        case .value(let reply):
            update { state in
                state.knowledge.confirmSetting(at: state.now)
                state.knowledge.capabilities.update(reply)
            }
        case .refused:
            update { $0.knowledge.withdrawSetting() }
            throw DeviceError(.notSupported, command: SetTime.name)
        case .noData:
            update { $0.knowledge.withdrawSetting() }
            throw DeviceError(.noData, command: SetTime.name)
        }
    }
}

extension ClockPolicy.Zone {
    /// The clock that a ring is to show from now on.
    fileprivate func clock(at wallClock: WallClock) -> RingClock {
        let clock = RingClock(secondsFromUTC: secondsFromUTC(wallClock), wasSet: true)
        return RingClock(
            secondsFromUTC: clock.secondsFromUTC, wasSet: true, since: clock.reading(wallClock))
    }
}
