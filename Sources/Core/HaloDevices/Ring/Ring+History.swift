public import HaloProtocol
internal import HaloTransport

/// The values that a ring has stored. Reading deletes none of them.
///
/// Days are counted back from the ring's own today when the call begins. A day without stored
/// values has an empty result. A kind of values that the ring does not have throws
/// ``DeviceError/Kind/notSupported``. A value that cannot be dated with certainty throws
/// ``DeviceError/Kind/uncertainDay``. That is rare: a request near midnight waits until midnight
/// has passed. A value that was stored by a clock with a wrong day is left out.
extension Ring {
    /// Reads the heart rates of a day, in beats per minute.
    public nonisolated(nonsending) func heartRates(
        daysAgo: Int = 0
    ) async throws(DeviceError) -> [TimedSample<Int>] {
        try await history(.heartRate(Self.day(daysAgo))).heartRates
    }

    /// Reads the stress scores of a day, from 1 to 100.
    public nonisolated(nonsending) func stress(
        daysAgo: Int = 0
    ) async throws(DeviceError) -> [TimedSample<Int>] {
        try await history(.stress(Self.day(daysAgo))).stress
    }

    /// Reads the heart-rate variability of a day, in milliseconds.
    public nonisolated(nonsending) func heartRateVariability(
        daysAgo: Int = 0
    ) async throws(DeviceError) -> [TimedSample<Int>] {
        try await history(.heartRateVariability(Self.day(daysAgo))).heartRateVariability
    }

    /// Reads steps, distance and energy of a day.
    public nonisolated(nonsending) func activity(
        daysAgo: Int = 0
    ) async throws(DeviceError) -> [TimedSample<ActivityAmount>] {
        try await history(.activity(Self.day(daysAgo))).activity
    }

    /// Reads the blood oxygen of all stored days.
    public nonisolated(nonsending) func bloodOxygen() async throws(DeviceError)
        -> [TimedSample<BloodOxygenRange>]
    {
        try await history(.bloodOxygen).bloodOxygen
    }

    /// Reads the temperatures of all stored days, in degrees Celsius; in captures only the values
    /// of today have arrived.
    public nonisolated(nonsending) func temperatures() async throws(DeviceError)
        -> [TimedSample<Double>]
    {
        try await history(.temperature).temperatures
    }

    /// Reads all stored nights and naps.
    ///
    /// The forms of the request that ``/HaloProtocol/Dialect/sleepRequests`` names are tried in
    /// their order, until a reply has nights, or says that there are none.
    public nonisolated(nonsending) func sleep() async throws(DeviceError) -> [SleepRecord] {
        try await history(.sleep).sleep
    }

    /// Reads the stored workouts that began after a key; see ``WorkoutRecord/key``.
    public nonisolated(nonsending) func workouts(
        after key: CivilDateTime = CivilDateTime(secondsSince1970: 0)
    ) async throws(DeviceError) -> [WorkoutRecord] {
        let reply = try await value(RingRequest(WorkoutList.Request(after: key)))
        let knowledge = connection.knowledge
        return (reply?.workouts ?? []).reversed().map {
            WorkoutRecord($0, dialect: knowledge.dialect, clocks: knowledge.clocks)
        }.filter { record in record.start.map { !knowledge.clocks.isWrong($0) } ?? true }
    }

    /// Reads the activity since the ring's midnight, as the ring has counted it: on a day on which
    /// a wrong clock was set, the steps are of another day, too, or of a part of this one.
    public nonisolated(nonsending) func totals() async throws(DeviceError) -> ActivityTotals {
        ActivityTotals(try await require(RingRequest(TodayTotals.Request())))
    }

    /// Reads stored values of the last days, including today.
    ///
    /// ``RingHistory/coverage`` has the outcome for each kind and day: no ring is known to hold
    /// more than a week. Logs of days beyond that are requested until the first day without values.
    ///
    /// The read may last a minute or more over a slow link. A part that cannot be read is noted in
    /// ``RingHistory/failures``, and the rest is still read: values that came before a lost link
    /// are kept. The call throws when the task is cancelled, and when there was no link at the
    /// beginning, or it is lost during the first request.
    ///
    /// - Parameters:
    ///   - kinds: The kinds of values; all if left out.
    ///   - days: The number of days, clamped to 1...30.
    ///   - progress: Called on the caller's actor after each step: one kind of values, of one day
    ///     if the kind is stored by days.
    public nonisolated(nonsending) func history(
        _ kinds: Set<HistoryKind> = Set(HistoryKind.allCases), days: Int = 7,
        progress: (HistoryProgress) -> Void = { _ in }
    ) async throws(DeviceError) -> RingHistory {
        try await read(HistoryPlan(kinds, days: days), progress)
    }

    /// Reads stored values from a day on, as ``history(_:days:progress:)`` does.
    ///
    /// With the ``RingHistory/today`` of the last read, this is what is new since then, and the
    /// rest of that day:
    ///
    ///     kept.merge(try await ring.history(since: kept.today))
    public nonisolated(nonsending) func history(
        _ kinds: Set<HistoryKind> = Set(HistoryKind.allCases), since day: CivilDate,
        progress: (HistoryProgress) -> Void = { _ in }
    ) async throws(DeviceError) -> RingHistory {
        try await read(HistoryPlan(kinds, days: days(since: day)), progress)
    }

    /// Reads stored values from a day on, or of the last days, as ``history(_:days:progress:)``
    /// does, but returns what has come when the task is cancelled: then the rest has failed with
    /// ``DeviceError/Kind/cancelled``. Throws if nothing has come.
    package nonisolated(nonsending) func historyUntilCancelled(
        since day: CivilDate?, orDays days: Int, progress: (HistoryProgress) -> Void
    ) async throws(DeviceError) -> RingHistory {
        let days = day.map { self.days(since: $0) } ?? days
        return try await read(
            HistoryPlan(Set(HistoryKind.allCases), days: days), keepsCancelled: true, progress)
    }

    /// Reads what has failed of an earlier read, and returns all of it together.
    ///
    /// Only days and kinds whose ``RingHistory/coverage`` is ``HistoryCoverage/Outcome/failed`` or
    /// ``HistoryCoverage/Outcome/unfinished`` are requested, on a later day also the rest of the
    /// history's ``RingHistory/today``; without any, no request is sent.
    public nonisolated(nonsending) func retry(
        _ history: RingHistory, progress: (HistoryProgress) -> Void = { _ in }
    ) async throws(DeviceError) -> RingHistory {
        let plan = HistoryPlan(retrying: history, today: expectedDay)
        guard !plan.steps.isEmpty else { return history }
        var all = history
        all.merge(try await read(plan, progress))
        return all
    }

    /// Returns the number of days from a day to the ring's today, with both.
    private func days(since day: CivilDate) -> Int { day.daysAgo(from: expectedDay) + 1 }

    private var expectedDay: CivilDate {
        connection.knowledge.clockReading(time.wallClock(), now: time.now()).date
    }

    /// Returns a number of days as a byte of a request; throws if it does not fit.
    private static func day(_ daysAgo: Int) throws(DeviceError) -> DaysAgo {
        DaysAgo(try .checked(daysAgo, "daysAgo"))
    }

    /// Reads one kind of values, and one day if the kind is stored by days.
    private nonisolated(nonsending) func history(
        _ step: HistoryStep
    ) async throws(DeviceError) -> RingHistory {
        let history = try await read(HistoryPlan(step)) { _ in }
        if let failure = history.failures.first { throw failure.error }
        if history.unsupported.contains(step.kind) { throw DeviceError(.notSupported) }
        return history
    }

    /// Runs a read step by step, and reports its progress.
    ///
    /// The read is one action, which is interrupted only while it waits for a reply: virtual time
    /// does not pass between a reply and the next request.
    private nonisolated(nonsending) func read(
        _ plan: HistoryPlan, keepsCancelled: Bool = false, _ progress: (HistoryProgress) -> Void
    ) async throws(DeviceError) -> RingHistory {
        try await time.holding { () async throws(DeviceError) in
            var reading = HistoryReading(
                plan, connection.knowledge, time.wallClock(), at: time.now())
            while let action = connection.withClient({ client, context in
                reading.next(&client.knowledge, context.wallClock, at: context.now)
            }) {
                do throws(DeviceError) {
                    switch action {
                    case .ask(let request):
                        reading.receive(try await connection.reply(to: request, .pauses))
                    case .wait(let moment): try await connection.wait(until: moment)
                    }
                } catch {
                    guard keepsCancelled, error.kind == .cancelled, reading.hasAnswers else {
                        throw error
                    }
                    reading.giveUp(error)
                    return reading.history
                }
                if let error = reading.linkError { throw error }
                while let step = reading.nextProgress() { progress(step) }
            }
            while let step = reading.nextProgress() { progress(step) }
            return reading.history
        }
    }
}

extension DeviceConnection<RingClient> {
    fileprivate nonisolated(nonsending) func wait(until moment: Moment) async throws(DeviceError) {
        let timer = update { $0.operations.newNumber() }
        try await wait(.pauses) { waiter, state in
            schedule(timer, at: moment, &state) { _, _ in waiter.resolve(.success(())) }
        } forget: { _, _, state in
            state.operations.drop(timer)
        }
    }
}
