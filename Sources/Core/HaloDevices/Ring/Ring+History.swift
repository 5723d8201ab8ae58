public import HaloProtocol
internal import HaloTransport

/// The values that a ring has stored. Reading deletes none of them.
///
/// Days are counted back from the ring's own today when the call begins. A value that was stored by
/// a clock with a wrong day is left out.
extension Ring {
    /// Reads the entries of a log: those of one day, or of all stored days.
    ///
    ///     let yesterday = try await ring.log(.heartRate, daysAgo: 1)
    ///     let nights = try await ring.log(.sleep)
    ///
    /// A day without stored values has an empty result. A log that the ring does not have throws
    /// ``DeviceError/Kind/notSupported``. Entries that cannot be dated with certainty throw
    /// ``DeviceError/Kind/uncertainDay``. That is rare: a request near midnight waits until
    /// midnight has passed. Several logs or days are read by ``history(_:days:progress:)``, which
    /// also returns what came before an error.
    ///
    /// - Parameter daysAgo: The number of days before the ring's today, from 0 to 255; all stored
    ///   days if left out. A night or a nap belongs to the day on which it ends, a workout to the
    ///   day on which it begins.
    public nonisolated(nonsending) func log<Entry>(
        _ log: RingLog<Entry>, daysAgo: Int? = nil
    ) async throws(DeviceError) -> [Entry] {
        let step = log.step(DaysAgo(try .checked(daysAgo ?? 0, "daysAgo")))
        let isOfAllDays = daysAgo == nil && step.day != nil
        let plan = isOfAllDays ? HistoryPlan([log.kind], days: .max) : HistoryPlan(step)
        let history = try await read(plan) { _ in }
        if let failure = history.failures.first { throw failure.error }
        if history.unsupported.contains(log.kind) { throw DeviceError(.notSupported) }
        guard let daysAgo, step.day == nil else { return history[log] }
        guard let day = history.today.advanced(byDays: -daysAgo) else { return [] }
        return history.limited(to: CivilDateTime(day)...day.lastSecond)[log]
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
    /// are kept, and ``retry(_:progress:)`` reads the others. When the task is cancelled, the
    /// values that have come are returned as well, and the rest has failed with
    /// ``DeviceError/Kind/cancelled``. The call throws when nothing has come: there was no link at
    /// the beginning, or it was lost, or the task was cancelled, during the first request.
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
    /// does, and continues after lost links.
    ///
    /// The rest fails with ``DeviceError/Kind/disconnected`` once the ring has stayed away for too
    /// long, or after several links in a row on which nothing has come. Throws if nothing has come
    /// at all.
    ///
    /// - Parameters:
    ///   - absence: The longest time for which a lost ring is waited for.
    ///   - linkLost: Called after each lost link, before the ring is waited for.
    package nonisolated(nonsending) func historyAcrossLinks(
        _ kinds: Set<HistoryKind> = Set(HistoryKind.allCases), since day: CivilDate?,
        orDays days: Int, waiting absence: Duration, progress: (HistoryProgress) -> Void,
        linkLost: () -> Void
    ) async throws(DeviceError) -> RingHistory {
        var history: RingHistory?
        // A kind whose request ends the link each time is requested after the others.
        var lastKinds: Set<HistoryKind> = []
        var uselessLinks = 0
        while true {
            var failure = DeviceError(.disconnected)
            let known = history
            let plan =
                known.map { HistoryPlan(retrying: $0, today: expectedDay, last: lastKinds) }
                ?? HistoryPlan(kinds, days: day.map { self.days(since: $0) } ?? days)
            do throws(DeviceError) {
                if let known {
                    history = try await retry(known, by: plan, progress)
                } else {
                    history = try await read(plan, progress)
                }
            } catch {
                failure = error
            }
            if let history {
                let isLost = history.failures.contains { $0.error.kind == .disconnected }
                if !isLost || failure.kind != .disconnected { return history }
            }
            guard failure.kind == .disconnected else { throw failure }
            let isUseless = history?.failures.count == known?.failures.count
            uselessLinks = isUseless ? uselessLinks + 1 : 0
            if isUseless, known != nil, let kind = plan.steps.first?.kind { lastKinds.insert(kind) }
            if uselessLinks < Self.mostUselessLinks {
                linkLost()
                do throws(DeviceError) {
                    try await connection.waitUntilConnected(within: absence)
                    continue
                } catch {
                    failure = error
                }
            }
            guard let history else { throw failure }
            return history
        }
    }

    /// Waits until the ring accepts requests; throws at the timeout, or once it is closed.
    package nonisolated(nonsending) func waitUntilConnected(
        within timeout: Duration
    ) async throws(DeviceError) {
        try await connection.waitUntilConnected(within: timeout)
    }

    /// The most links in a row that are lost before anything has come.
    private static var mostUselessLinks: Int { 5 }

    /// Reads what has failed of an earlier read, and returns all of it together.
    ///
    /// Only days and kinds whose ``RingHistory/coverage`` is ``HistoryCoverage/Outcome/failed`` or
    /// ``HistoryCoverage/Outcome/unfinished`` are requested, on a later day also the rest of the
    /// history's ``RingHistory/today``; without any, no request is sent.
    public nonisolated(nonsending) func retry(
        _ history: RingHistory, progress: (HistoryProgress) -> Void = { _ in }
    ) async throws(DeviceError) -> RingHistory {
        try await retry(
            history, by: HistoryPlan(retrying: history, today: expectedDay), progress)
    }

    private nonisolated(nonsending) func retry(
        _ history: RingHistory, by plan: HistoryPlan, _ progress: (HistoryProgress) -> Void
    ) async throws(DeviceError) -> RingHistory {
        guard !plan.steps.isEmpty else { return history }
        var all = history
        all.merge(try await read(plan, progress))
        // The day after these turned out to have no values: nothing was missed.
        let (today, coverage) = (all.today, all.coverage)
        all.failures.removeAll { failure in
            guard let date = failure.daysAgo.flatMap({ today.advanced(byDays: -$0) }) else {
                return false
            }
            return coverage[failure.kind, date] == .notRequested
        }
        return all
    }

    /// Returns the number of days from a day to the ring's today, with both.
    private func days(since day: CivilDate) -> Int { day.daysAgo(from: expectedDay) + 1 }

    private var expectedDay: CivilDate {
        connection.knowledge.clockReading(time.wallClock(), now: time.now()).date
    }

    /// Runs a read step by step, and reports its progress.
    ///
    /// The read is one action, which is interrupted only while it waits for a reply: virtual time
    /// does not pass between a reply and the next request.
    private nonisolated(nonsending) func read(
        _ plan: HistoryPlan, _ progress: (HistoryProgress) -> Void
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
                    guard error.kind == .cancelled, reading.hasAnswers else { throw error }
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
