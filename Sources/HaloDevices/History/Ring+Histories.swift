public import HaloProtocol

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
        let reply = try await value(Inquiry(WorkoutList.Request(after: key)))
        let knowledge = core.knowledge
        return (reply?.workouts ?? []).reversed().map {
            WorkoutRecord($0, dialect: knowledge.dialect, clocks: knowledge.clocks)
        }
    }

    /// What the ring counted since its midnight.
    public nonisolated(nonsending) func totals() async throws(DeviceError) -> TodayTotals.Reply {
        try await need(Inquiry(TodayTotals.Request()))
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
