public import HaloProtocol
internal import HaloTransport

/// Every request of the catalogue. What comes is the ring's answer: its "no" is one, too.
extension Ring {
    /// Asks for what one frame answers.
    public nonisolated(nonsending) func ask<Request: RequestPacket>(
        _ request: Request
    ) async throws(DeviceError) -> Answer<Request.Owner.Reply>
    where Request.Owner: SingleReplyCommand, Request.Owner.Reply: ReplyPacket {
        try await connection.ask(RingRequest(request))
    }

    /// Asks for what many frames answer.
    public nonisolated(nonsending) func ask<Request: RequestPacket>(
        _ request: Request
    ) async throws(DeviceError) -> Answer<Request.Owner.Assembly.Reply>
    where Request.Owner: ManyFrameCommand {
        try await connection.ask(RingRequest(request))
    }

    /// Asks for a record of the second service.
    public nonisolated(nonsending) func ask<Request: BigDataRequest>(
        _ request: Request
    ) async throws(DeviceError) -> Answer<Request.Owner.Reply>
    where Request.Owner: BigDataReplyCommand {
        try await connection.ask(RingRequest(request))
    }

    /// Asks for nights; naps that come with them are a part of the answer.
    public nonisolated(nonsending) func ask(
        _ request: Sleep.Request
    ) async throws(DeviceError) -> Answer<SleepHistory> {
        try await connection.ask(RingRequest(request))
    }

    /// Asks for temperatures: days may come in one record, or each in its own.
    public nonisolated(nonsending) func ask(
        _ request: TemperatureSeries.Request
    ) async throws(DeviceError) -> Answer<TemperatureSeries.Reply> {
        try await connection.ask(RingRequest(request))
    }

    /// Asks for what was recorded during a workout: how it is cut, and all its pieces.
    public nonisolated(nonsending) func ask(
        _ request: WorkoutDetail.Request
    ) async throws(DeviceError) -> Answer<WorkoutRecording> {
        try await connection.ask(RingRequest(request))
    }

    /// Asks, and takes a refusal for an error; nothing where the ring has nothing.
    nonisolated(nonsending) func value<Value: Sendable>(
        _ request: RingRequest<Value>
    ) async throws(DeviceError) -> Value? {
        switch try await connection.ask(request) {
        case .value(let value): return value
        case .noData: return nil
        case .refused: throw DeviceError(.notSupported, command: request.command)
        }
    }

    /// Asks, and takes everything but a value for an error.
    nonisolated(nonsending) func need<Value: Sendable>(
        _ request: RingRequest<Value>
    ) async throws(DeviceError) -> Value {
        guard let value = try await value(request) else {
            throw DeviceError(.noData, command: request.command)
        }
        return value
    }
}

/// What a ring says of itself, and what it can be told to do at once.
extension Ring {
    /// How full the battery is.
    public nonisolated(nonsending) func battery() async throws(DeviceError) -> BatteryCharge {
        BatteryCharge(try await need(RingRequest(Battery.Request())))
    }

    /// What the ring says in its Device Information service, as far as it says anything.
    public nonisolated(nonsending) func deviceInformation() async throws(DeviceError)
        -> DeviceInformation
    {
        try await connection.withLink { (link) async throws(BLEError) in
            try await link.deviceInformation()
        }
    }

    /// Lights the ring's green light for about ten seconds.
    ///
    /// Whether rings answer is not known: silence is taken for a yes.
    public nonisolated(nonsending) func findMe() async throws(DeviceError) {
        try await tell(RingRequest(FindDevice.Request()))
    }

    /// Blinks the ring's green light twice; the H59 band vibrates instead.
    ///
    /// Not all firmware answers: silence is taken for a yes.
    public nonisolated(nonsending) func blink() async throws(DeviceError) {
        try await tell(RingRequest(BlinkLight.Request()))
    }

    private nonisolated(nonsending) func tell<Value: Sendable>(
        _ request: RingRequest<Value>
    ) async throws(DeviceError) {
        do throws(DeviceError) {
            _ = try await value(request)
        } catch {
            guard error.kind == .timedOut, error.bleError == nil else { throw error }
        }
    }

    /// Sets the clock anew, when the wall clock or the time zone has changed; gives what the ring
    /// says that it can do.
    ///
    /// Nothing is read before, unlike when connecting: what the ring has stored keeps the day and
    /// the time of the old clock.
    @discardableResult
    public nonisolated(nonsending) func setClock(
        _ zone: ClockPolicy.Zone = .local
    ) async throws(DeviceError) -> Capabilities {
        let clock = zone.clock(at: time.wallClock())
        let request: SetTime.Request
        do throws(ValueError) {
            request = try SetTime.Request(
                time: clock.since ?? CivilDateTime(secondsSince1970: 0),
                language: options.language)
        } catch {
            throw DeviceError(error, command: SetTime.name)
        }
        connection.act { $0.knowledge.beginSetting(clock, at: $1.now) }
        let answer = try await connection.ask(RingRequest(request))
        connection.act { $0.knowledge.endSetting(answer, at: $1.now) }
        switch answer {
        case .value: return capabilities
        case .refused: throw DeviceError(.notSupported, command: SetTime.name)
        case .noData: throw DeviceError(.noData, command: SetTime.name)
        }
    }

    /// Pairs with the ring if it is known to want that, as ``Dialect/bondIsUseful`` says.
    ///
    /// No ring demands a bond: what is here works without. Some are reported to be lost without
    /// one where a phone's app is in the background. Gives `false` where nothing is known of the
    /// kind, and where the backend leaves pairing to the system; ``BLELink/pair()`` of ``link``
    /// pairs with any device.
    @discardableResult
    public nonisolated(nonsending) func pairIfUseful() async throws(DeviceError) -> Bool {
        guard dialect.bondIsUseful.value == true else { return false }
        guard let link else { throw DeviceError(.disconnected) }
        do throws(BLEError) {
            try await link.pair()
        } catch {
            guard error.kind == .notSupportedHere else { throw DeviceError(error) }
            return false
        }
        return true
    }
}

/// Settings: what a ring does by itself, and what it knows of its wearer.
extension Ring {
    /// How a setting is.
    ///
    ///     let setting = try await ring.read(AutoHeartRate.self)
    public nonisolated(nonsending) func read<Command: SettingCommand>(
        _ command: Command.Type
    ) async throws(DeviceError) -> Command.Reading {
        let reply = try await need(RingRequest(SettingRequest<Command>.read))
        guard let reading = reply.reading else {
            throw DeviceError(.badAnswer, command: Command.name)
        }
        return reading
    }

    /// Changes a setting; gives what the ring repeats of it.
    @discardableResult
    public nonisolated(nonsending) func write<Command: SettingCommand>(
        _ command: Command.Type, _ setting: Command.Setting
    ) async throws(DeviceError) -> Command.Echo {
        let reply = try await need(RingRequest(SettingRequest<Command>.write(setting)))
        guard case .written(let echo) = reply.content else {
            throw DeviceError(.badAnswer, command: Command.name)
        }
        return echo
    }
}

/// What a ring has stored. Reading takes nothing away from it.
///
/// Days are counted back from the ring's own today when the call begins. A day of which the ring
/// has nothing is empty, and what the ring does not support throws
/// ``DeviceError/Kind/notSupported``. What cannot be dated with certainty throws
/// ``DeviceError/Kind/uncertainDay``: a midnight that is near is waited out, so that this is rare.
extension Ring {
    /// The heart rates of a day, in beats per minute.
    public nonisolated(nonsending) func heartRates(
        daysAgo: DaysAgo = .today
    ) async throws(DeviceError) -> [TimedSample<Int>] {
        try await history(.heartRate(daysAgo)).heartRates
    }

    /// The stress of a day, in scores from 1 to 100.
    public nonisolated(nonsending) func stress(
        daysAgo: DaysAgo = .today
    ) async throws(DeviceError) -> [TimedSample<Int>] {
        try await history(.stress(daysAgo)).stress
    }

    /// The heart-rate variability of a day, in milliseconds.
    public nonisolated(nonsending) func variability(
        daysAgo: DaysAgo = .today
    ) async throws(DeviceError) -> [TimedSample<Int>] {
        try await history(.variability(daysAgo)).variability
    }

    /// Steps, metres and energy of a day.
    public nonisolated(nonsending) func activity(
        daysAgo: DaysAgo = .today
    ) async throws(DeviceError) -> [TimedSample<ActivityAmount>] {
        try await history(.activity(daysAgo)).activity
    }

    /// The blood oxygen of all stored days.
    public nonisolated(nonsending) func bloodOxygen() async throws(DeviceError)
        -> [TimedSample<BloodOxygenRange>]
    {
        try await history(.bloodOxygen).bloodOxygen
    }

    /// The temperatures of the stored days, in degrees Celsius; in captures only today's came.
    public nonisolated(nonsending) func temperatures() async throws(DeviceError)
        -> [TimedSample<Double>]
    {
        try await history(.temperature).temperatures
    }

    /// All stored nights and naps.
    ///
    /// The ways to ask that ``Dialect/sleepRequests`` names are tried in their order, until one is
    /// answered with nights.
    public nonisolated(nonsending) func sleep() async throws(DeviceError) -> [SleepRecord] {
        try await history(.sleep).sleep
    }

    /// The stored workouts that began later than a key; see ``StoredWorkout/start``.
    public nonisolated(nonsending) func workouts(
        after key: CivilDateTime = CivilDateTime(secondsSince1970: 0)
    ) async throws(DeviceError) -> [WorkoutRecord] {
        let reply = try await value(RingRequest(WorkoutList.Request(after: key)))
        let knowledge = connection.knowledge
        return (reply?.workouts ?? []).reversed().map {
            WorkoutRecord($0, dialect: knowledge.dialect, clocks: knowledge.clocks)
        }
    }

    /// What the ring counted since its midnight.
    public nonisolated(nonsending) func totals() async throws(DeviceError) -> TodayTotals.Reply {
        try await need(RingRequest(TodayTotals.Request()))
    }

    /// Everything that a ring has stored of the last days, today among them.
    ///
    /// It may take a minute and more where the link is slow. A part that does not come is noted
    /// in ``RingHistory/failures``, and the rest is read all the same: when the link is lost on
    /// the way, what had come until then is not. It throws when the task is cancelled, and when
    /// there is no link to begin with.
    ///
    /// - Parameter progress: Is told after each request.
    public nonisolated(nonsending) func history(
        days: Int = 7, progress: (HistoryProgress) -> Void = { _ in }
    ) async throws(DeviceError) -> RingHistory {
        try await read(HistoryPlan(days: days), progress)
    }
}

/// How histories are read.
extension Ring {
    /// One kind, of one day where it is stored by days.
    nonisolated(nonsending) func history(
        _ step: HistoryStep
    ) async throws(DeviceError) -> RingHistory {
        let history = try await read(HistoryPlan(step)) { _ in }
        if let failure = history.failures.first { throw failure.error }
        if history.unsupported.contains(step.kind) { throw DeviceError(.notSupported) }
        return history
    }

    /// Reads step after step: asks, waits for the answer, tells how far it is.
    ///
    /// All of it is one action, which is over only while the answer is waited for: virtual time
    /// does not pass between an answer and the next request.
    private nonisolated(nonsending) func read(
        _ plan: HistoryPlan, _ progress: (HistoryProgress) -> Void
    ) async throws(DeviceError) -> RingHistory {
        time.waiting(.actionBegins)
        defer { time.waiting(.actionEnds) }
        var run = HistoryRun(
            HistoryReading(plan, connection.knowledge, time.wallClock(), at: time.now()))
        while let wish = connection.next(&run) {
            switch wish {
            case .ask(let request): run.take(try await connection.ask(request, isLent: true))
            case .wait(let moment): run.take(try await connection.wait(until: moment))
            }
            if let error = run.linkError { throw error }
            while let step = run.reading.nextProgress() { progress(step) }
        }
        while let step = run.reading.nextProgress() { progress(step) }
        return run.reading.history
    }
}

extension DeviceConnection<RingClient> {
    /// What a read wants done next; `nil` when it is over.
    fileprivate func next(_ run: inout HistoryRun) -> HistoryRun.Wish? {
        act { client, context in
            run.next(&client.knowledge, context.turn.wallClock, at: context.now)
        }
    }

    /// Waits for a moment, in the middle of an action.
    fileprivate nonisolated(nonsending) func wait(
        until moment: Moment
    ) async throws(DeviceError) -> TimedAnswer<HistoryRun.Answer> {
        try await wait(isLent: true) { number, finish, state in
            let now = state.turn.now
            schedule(number, at: moment, &state) { _, state in
                let answer = TimedAnswer(
                    answer:
                        HistoryRun.Answer.waited, asked: now, answered: state.turn.now)
                _ = finish(.success(answer), &state.turn)
            }
        } forget: { number, state in
            state.turn.drop(number)
        }
    }
}
