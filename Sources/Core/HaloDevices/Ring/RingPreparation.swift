internal import HaloProtocol
internal import HaloTransport

/// The steps of preparing a link, before the ring accepts requests:
///
/// 1. discover the services of a ring;
/// 2. subscribe to its replies on both services, before anything is written;
/// 3. read its versions, once;
/// 4. determine the day of its clock, and read the values that a new clock would put out of reach;
/// 5. let the app keep these values;
/// 6. set the clock, and request its abilities.
///
/// A ring has no request for the time. But it dates its activity, and the totals of its today: the
/// first such date determines its today. If that is the day of the new clock, no value is lost, and
/// the clock is set. If it is another day, all stored values are read with the old clock, and the
/// app keeps them. The same is done if the day is not known, and this program has not set the clock
/// before.
///
/// No value is put out of reach unread or unkept: the clock is left alone if the ring has replied
/// to no request at all, if reading has timed out, and if the app has not kept what was read. So it
/// is if the ring shows another day and there is no function that keeps values, or no task of the
/// app that could call it: on later links of a connection.
extension RingClient {
    var preparation: [PreparationStep<RingClient>] {
        let isKnown = knowledge.firmware != nil || knowledge.hardware != nil
        return [.discover, .subscribe(.uart), .subscribe(.bigData)]
            + (isKnown ? [] : [.client(.readVersions)])
            + [
                .client(.askDay), .client(.readHistory), .client(.keepHistory), .client(.setClock),
                .client(.askFunctions),
            ]
    }

    func limit(of step: Step, before deadline: Moment, at now: Moment) -> Moment? {
        switch step {
        case .readVersions, .askDay: deadline
        // The request for the abilities comes after this step, and needs a share of the time.
        case .readHistory:
            stepUnderWay.reading == nil ? nil : max(now, deadline - options.rules.frameTimeout)
        case .keepHistory: stepUnderWay.unkept == nil ? nil : deadline
        case .setClock: stepUnderWay.leavesClock ? nil : deadline
        // Old firmware does not reply to an unknown request: the step ends after the timeout of one
        // frame.
        case .askFunctions: min(deadline, now + options.rules.frameTimeout)
        }
    }

    mutating func start(_ step: Step, _ context: inout Context) {
        switch step {
        case .readVersions:
            readVersions(attributes?.versions[...] ?? [], DeviceInformation(), &context)
        case .askDay: askDay(&context)
        case .readHistory: continueReading(&context)
        case .keepHistory: letAppKeep(&context)
        case .setClock: setClock(&context)
        case .askFunctions:
            let request = RingRequest(DeviceFunctions.Request())
            submit(request, as: origin, &context) { reply, client, context in
                let answer = try? request.answer(reply).get()
                if let reply = answer?.value { client.knowledge.capabilities.update(reply) }
                client.endStep(&context)
            }
        }
    }

    /// Ends a read that has timed out. The values that were read are kept. The clock is left alone,
    /// as the other values would be out of reach. Later links do not try again.
    mutating func timedOut(_ step: Step, _ context: inout Context) -> Bool {
        endWork()
        cancel(&context) { _ in true }
        if step == .keepHistory { stepUnderWay.leavesClock = true }
        guard var reading = stepUnderWay.reading else { return false }
        reading.giveUp(DeviceError(.timedOut))
        historyBeforeClockChange = reading.history
        historyTimedOut = true
        (stepUnderWay.reading, stepUnderWay.leavesClock) = (nil, true)
        return true
    }

    // MARK: The versions

    /// Reads one value after the other. Values that the ring does not give are left out.
    private mutating func readVersions(
        _ rest: ArraySlice<GATTCharacteristic>, _ information: DeviceInformation,
        _ context: inout Context
    ) {
        guard let first = rest.first else {
            knowledge.learn(information)
            return endStep(&context)
        }
        context.send { link, completion in
            link.submitRead(first, completion)
        } ended: { [step = stepUnderWay.number] result, client, context in
            guard step == client.stepUnderWay.number else { return }
            var information = information
            switch result {
            case .success(let bytes): information.receive(bytes, of: first.uuid)
            case .failure(let error) where error.isOfOneValue: break
            // The end of the link follows.
            case .failure(let error) where error.kind == .disconnected: return
            case .failure: return client.endStep(&context)
            }
            client.readVersions(rest.dropFirst(), information, &context)
        }
    }

    // MARK: The day

    private mutating func askDay(_ context: inout Context) {
        switch options.clock {
        case .leave(let zone):
            let seconds = zone.secondsFromUTC(context.wallClock)
            knowledge.assume(RingClock(secondsFromUTC: seconds, wasSet: false))
            stepUnderWay.leavesClock = true
            endStep(&context)
        case .set:
            // A clock confirmed on an earlier link is an assumption until it is set on this link:
            // the time may not suffice for that.
            knowledge.leaveClock()
            let here = newClock(context).reading(context.wallClock).date
            askDay(DayProbe(here: here, hasYear: false), &context)
        }
    }

    private mutating func askDay(_ probe: DayProbe, _ context: inout Context) {
        guard let request = probe.request else {
            return evaluate((try? probe.result?.get()) ?? nil, &context)
        }
        submit(request, as: origin, &context) { reply, client, context in
            var probe = probe
            probe.receive(reply)
            client.askDay(probe, &context)
        }
    }

    /// Decides whether the new clock would put stored days out of reach.
    private mutating func evaluate(_ sighting: DayProbe.Sighting?, _ context: inout Context) {
        let clock = newClock(context)
        let time = clock.reading(context.wallClock)
        let new = ClockEpoch(
            time, sent: context.now, confirmed: context.now, now: context.now)
        let isKept = sighting.map { new.intersection($0.epoch) != nil } ?? knowledge.clock.wasSet
        knowledge.sighting = sighting
        if !isKept, options.daysReadBeforeClockChange > 0 {
            // Without a known day, the ring may have nothing to lose.
            let isToLeave = sighting != nil && !mayKeep(context)
            if isToLeave || !stepUnderWay.hasAnswered || historyTimedOut {
                stepUnderWay.leavesClock = true
            } else {
                stepUnderWay.reading = HistoryReading(
                    HistoryPlan(days: options.daysReadBeforeClockChange), knowledge,
                    oldClockOn: sighting,
                    expected: ExpectedTime(clock, context.wallClock, at: context.now))
            }
        }
        endStep(&context)
    }

    /// `true` if there is a function that keeps values, and a task that can call it.
    private func mayKeep(_ context: Context) -> Bool {
        options.keepBeforeClockChange != nil && context.isFirstAttempt
    }

    // MARK: The history

    mutating func continueReading(_ context: inout Context) {
        stepUnderWay.waitsUntil = nil
        switch stepUnderWay.reading?.next(&knowledge, context.wallClock, at: context.now) {
        case .ask(let request):
            submit(request, as: origin, &context) { reply, client, context in
                client.stepUnderWay.reading?.receive(reply)
                client.continueReading(&context)
            }
        case .wait(let moment): stepUnderWay.waitsUntil = moment
        case nil:
            let history = stepUnderWay.reading?.history
            stepUnderWay.reading = nil
            if let history, !history.isEmpty {
                if mayKeep(context) {
                    historyBeforeClockChange = history
                    stepUnderWay.unkept = history
                } else {
                    stepUnderWay.leavesClock = true
                }
            }
            endStep(&context)
        }
    }

    // MARK: The values of the old clock

    /// Lets the app keep what was read. The clocks are those of a program that ends now: the new
    /// clock is in doubt then.
    private mutating func letAppKeep(_ context: inout Context) {
        guard let history = stepUnderWay.unkept, let keep = options.keepBeforeClockChange else {
            return endStep(&context)
        }
        let clock = newClock(context)
        var knowledge = knowledge
        knowledge.beginSetting(clock, at: context.now)
        let old = HistoryBeforeClockChange(
            ring: context.connection.identity, name: name, firmware: knowledge.firmware,
            hardware: knowledge.hardware, history: history, clocks: knowledge.clocks.clocks,
            readAt: WallClock(
                local: clock.reading(context.wallClock), secondsFromUTC: clock.secondsFromUTC))
        appTask = AppTask(number: stepUnderWay.number) { try await keep(old) }
        context.callApp()
    }

    mutating func ended(_ task: AppTask, isDone: Bool, _ context: inout Context) {
        guard task.number == appTask?.number else { return }
        stepUnderWay.leavesClock = !isDone
        endStep(&context)
    }

    // MARK: The clock

    private mutating func setClock(_ context: inout Context) {
        let clock = newClock(context)
        // The wall clock may show a time that cannot be sent.
        let request = clock.since.flatMap {
            try? SetTime.Request(time: $0, language: options.language)
        }
        guard let request = request.map({ RingRequest($0) }) else { return endStep(&context) }
        submit(request, setting: clock, as: origin, &context) { reply, client, context in
            if let answer = try? request.answer(reply).get() {
                client.knowledge.endSetting(answer, at: context.now)
            }
            client.endStep(&context)
        }
    }

    private func newClock(_ context: Context) -> RingClock {
        options.clock.zone.clock(at: context.wallClock)
    }

    // MARK: The end of a step

    private var origin: Origin { .preparation(stepUnderWay.number) }

    private mutating func endStep(_ context: inout Context) {
        endWork()
        context.endStep()
    }

    private mutating func endWork() {
        stepUnderWay.number += 1
        stepUnderWay.waitsUntil = nil
        appTask = nil
    }
}

extension ClockPolicy.Zone {
    func clock(at wallClock: WallClock) -> RingClock {
        let seconds = secondsFromUTC(wallClock)
        let time = wallClock.utc.advanced(bySeconds: seconds)
        return RingClock(secondsFromUTC: seconds, wasSet: true, since: time)
    }
}
