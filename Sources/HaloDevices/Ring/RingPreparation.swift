internal import HaloProtocol
internal import HaloTransport

/// What is done with a new link before the ring can be asked, step by step:
///
/// 1. find out whether it is a ring at all;
/// 2. have it send its answers, on both services, before anything is written;
/// 3. read its versions, once;
/// 4. learn which day its clock shows, and read what a new clock would put out of reach;
/// 5. set the clock, and ask what it can do.
///
/// A ring cannot be asked what its clock shows. But it dates its activity, and the totals of its
/// today: from the first of them that has a date, its today is known. If that is the day which the
/// new clock will show, nothing gets lost, and the clock is set. If it is another day, or none can
/// be learnt from a ring whose clock this program has not set before, everything that is stored is
/// read with the old clock, and kept.
///
/// Nothing is put out of reach that was not read: the clock is left alone where the ring has
/// answered nothing at all, and where reading took longer than connecting may.
extension RingClient {
    var preparation: [PreparationStep<RingClient>] {
        let versions = [
            CharacteristicCatalog.firmwareRevision.uuid,
            CharacteristicCatalog.hardwareRevision.uuid,
        ]
        let isKnown = knowledge.firmware != nil || knowledge.hardware != nil
        return [.discover, .subscribe(.uart), .subscribe(.bigData)]
            + (isKnown ? [] : [.readInformation(versions)])
            + [.client(.askDay), .client(.readHistory), .client(.setClock), .client(.askFunctions)]
    }

    func limit(of step: Step, before deadline: Moment, at now: Moment) -> StepLimit {
        switch (step, stepUnderWay.course) {
        case (.askDay, _): .ofAttempt
        // The question for the functions comes afterwards, and has its share of the time.
        case (.readHistory, .readAndSet):
            .own(max(now, deadline - options.rules.answerWithin))
        case (.readHistory, _), (.setClock, .leave): .skipped
        case (.setClock, _): .ofAttempt
        // Old firmware says nothing to what it does not know: no more than the time in which one
        // frame should come is spent on it.
        case (.askFunctions, _): .own(min(deadline, now + options.rules.answerWithin))
        }
    }

    mutating func begin(_ step: Step, _ context: inout Context) {
        stepUnderWay.number = context.turn.newNumber()
        switch step {
        case .askDay: askDay(&context)
        case .readHistory: readHistory(&context)
        case .setClock: setClock(&context)
        case .askFunctions:
            prepare(RingRequest(DeviceFunctions.Request()), &context) { answer, client, context in
                if let reply = answer?.value { client.knowledge.capabilities.update(reply) }
                client.endStep(&context)
            }
        }
    }

    /// Reading that has taken too long: what was read is kept, and the clock is left alone, for
    /// what was not read would be out of reach. With later links it is not tried again.
    mutating func timedOut(_ step: Step, _ context: inout Context) -> Bool {
        let run = stepUnderWay.run
        endWork()
        cancel(&context) { _ in true }
        guard var run else { return false }
        run.reading.giveUp()
        orphans = run.reading.history
        historyTimedOut = true
        stepUnderWay.course = .leave
        return true
    }

    // MARK: The day

    private mutating func askDay(_ context: inout Context) {
        switch options.clock {
        case .leave(let zone):
            let seconds = zone.secondsFromUTC(context.turn.wallClock)
            knowledge.assume(RingClock(secondsFromUTC: seconds, wasSet: false))
            stepUnderWay.course = .leave
            endStep(&context)
        case .set:
            // Until it is set on this link, what was confirmed on an earlier one is an assumption:
            // there may not be time enough.
            knowledge.leaveClock()
            guard options.daysBeforeClockIsSet > 0 else { return endStep(&context) }
            let here = newClock(context).reading(context.turn.wallClock).date
            askDay(DayProbe(here: here, hasYear: false), &context)
        }
    }

    private mutating func askDay(_ probe: DayProbe, _ context: inout Context) {
        guard let request = probe.request else {
            return evaluate((try? probe.result?.get()) ?? nil, &context)
        }
        submit(request, &context) { answer, client, context in
            var probe = probe
            probe.take(answer)
            client.askDay(probe, &context)
        }
    }

    /// Decides whether anything would get lost.
    private mutating func evaluate(_ sighting: DayProbe.Sighting?, _ context: inout Context) {
        let time = newClock(context).reading(context.turn.wallClock)
        let new = ClockEpoch(
            time, sent: context.now, confirmed: context.now, now: context.now)
        let isKept = sighting.map { new.intersection($0.epoch) != nil } ?? knowledge.clock.wasSet
        if isKept {
            stepUnderWay.course = .set
        } else if !stepUnderWay.hasAnswered || historyTimedOut {
            stepUnderWay.course = .leave
        } else {
            stepUnderWay.course = .readAndSet(sighting, here: time.date)
        }
        endStep(&context)
    }

    // MARK: The history

    private mutating func readHistory(_ context: inout Context) {
        guard case .readAndSet(let sighting, let here) = stepUnderWay.course else {
            return endStep(&context)
        }
        let plan = HistoryPlan(days: options.daysBeforeClockIsSet)
        let reading = HistoryReading(plan, knowledge, oldClockOn: sighting, here: here)
        read(HistoryRun(reading), &context)
    }

    private mutating func read(_ run: HistoryRun, _ context: inout Context) {
        var run = run
        let wish = run.next(&knowledge, context.turn.wallClock, at: context.now)
        stepUnderWay.run = run
        switch wish {
        case .ask(let request):
            submit(request, &context) { answer, client, context in
                client.goOn(answer, &context)
            }
        case .wait(let moment): stepUnderWay.waitsUntil = moment
        case nil:
            let history = run.reading.history
            if !history.isEmpty { orphans = history }
            endStep(&context)
        }
    }

    private mutating func goOn(
        _ answer: TimedAnswer<HistoryRun.Answer>, _ context: inout Context
    ) {
        guard var run = stepUnderWay.run else { return }
        run.take(answer)
        read(run, &context)
    }

    /// The moment has come that a step has waited for.
    mutating func waited(_ context: inout Context) {
        stepUnderWay.waitsUntil = nil
        goOn(TimedAnswer(answer: .waited, asked: context.now, answered: context.now), &context)
    }

    // MARK: The clock

    private mutating func setClock(_ context: inout Context) {
        let clock = newClock(context)
        // What the clock on the wall shows may be a time that cannot be sent.
        let request = clock.since.flatMap {
            try? SetTime.Request(time: $0, language: options.language)
        }
        guard let request else { return endStep(&context) }
        knowledge.beginSetting(clock, at: context.now)
        prepare(RingRequest(request), &context) { answer, client, context in
            if let answer { client.knowledge.endSetting(answer, at: context.now) }
            client.endStep(&context)
        }
    }

    /// What the clock will show.
    private func newClock(_ context: Context) -> RingClock {
        options.clock.zone.clock(at: context.turn.wallClock)
    }

    // MARK: Requests of a step

    /// Asks while the link is prepared; what comes of it is an answer or nothing.
    private mutating func prepare<Value: Sendable>(
        _ request: RingRequest<Value>, _ context: inout Context,
        _ finish:
            @escaping @Sendable (
                Answer<Value>?, inout RingClient, inout Context
            ) -> Void
    ) {
        submit(request.answering { try? $0.result.get() }, &context) { answer, client, context in
            finish(answer.answer, &client, &context)
        }
    }

    /// Asks for the step under way; what comes later is ignored.
    private mutating func submit<Answer: Sendable>(
        _ request: AnsweredRequest<Answer>, _ context: inout Context,
        _ finish:
            @escaping @Sendable (
                TimedAnswer<Answer>, inout RingClient, inout Context
            ) -> Void
    ) {
        guard let number = stepUnderWay.number else { return }
        submit(request, as: .preparation(number), &context) { answer, client, context in
            if client.stepUnderWay.number == number { finish(answer, &client, &context) }
        }
    }

    private mutating func endStep(_ context: inout Context) {
        endWork()
        context.endStep()
    }

    private mutating func endWork() {
        (stepUnderWay.number, stepUnderWay.run, stepUnderWay.waitsUntil) = (nil, nil, nil)
    }
}

/// How far a link's own steps are.
struct RingStep: Sendable {
    /// What becomes of the clock.
    enum Course: Sendable {
        /// It is set.
        case set
        /// It is set after what is stored was read with the clock that shows a day, if it says any.
        case readAndSet(DayProbe.Sighting?, here: CivilDate)
        /// It is left alone.
        case leave
    }

    /// The step under way; what comes of another one is ignored.
    var number: UInt64?
    var course = Course.set
    /// The history that is being read, between two of its requests.
    var run: HistoryRun?
    /// The moment for which the step waits.
    var waitsUntil: Moment?
    /// `true` once the ring has answered anything.
    var hasAnswered = false
}

extension ClockPolicy.Zone {
    /// The clock that a ring is to show from now on.
    func clock(at wallClock: WallClock) -> RingClock {
        let clock = RingClock(secondsFromUTC: secondsFromUTC(wallClock), wasSet: true)
        return RingClock(
            secondsFromUTC: clock.secondsFromUTC, wasSet: true, since: clock.reading(wallClock))
    }
}
