public import HaloProtocol

extension RingMemory {
    /// The heart rates of a day in 288 slots, 0 where there is none; nothing if none are kept.
    public func heartRates(of date: CivilDate) -> [UInt8]? {
        slots(.heartRate, of: date, days: retention.heartRateDays)
    }

    /// The stress of a day in 48 slots, 0 where there is none; nothing if none is kept.
    public func stress(of date: CivilDate) -> [UInt8]? {
        slots(.stress, of: date, days: retention.stressDays)
    }

    /// The variability of a day in 48 slots of which the even ones are used; nothing if none is
    /// kept.
    public func variability(of date: CivilDate) -> [UInt8]? {
        slots(.variability, of: date, days: retention.variabilityDays)
    }

    /// The blood oxygen of each kept day that has some, in 24 slots, the oldest day first.
    public func bloodOxygen() -> [DaySlots] {
        keptDays(.bloodOxygen, days: retention.bloodOxygenDays)
    }

    /// The temperatures of each kept day that has some, in 48 slots, the oldest day first.
    public func temperatures() -> [DaySlots] {
        keptDays(.temperature, days: retention.temperatureDays)
    }

    /// The slots with activity of a day, in order; nothing if there are none.
    public func activity(of date: CivilDate) -> [ActivitySlot]? {
        guard let day = day(date, days: retention.activityDays) else { return nil }
        let quarters = retention.activityMinutes.rawValue / 15
        let slots = day.activity.enumerated().filter { !$1.isEmpty }.map {
            ActivitySlot(
                slot: UInt8(clamping: $0 * quarters), energy: $1.energy, steps: $1.steps,
                metres: $1.metres)
        }
        return slots.isEmpty ? nil : slots
    }

    /// What was counted on a day; nothing if it is not kept.
    public func totals(of date: CivilDate) -> (movement: Movement, sleepMinutes: Int)? {
        day(date, days: retention.activityDays).map { ($0.totals, $0.sleepMinutes) }
    }

    /// The kept nights, the oldest first, each filed under the morning on which it ended.
    public var sleepPeriods: [SleepPeriod] { periods(nights) }

    /// The kept naps, the oldest first.
    public var napPeriods: [SleepPeriod] { periods(naps) }

    /// The heart rates that were measured by hand on a day, in order.
    public func manualHeartRates(
        of date: CivilDate
    ) -> [(time: CivilTime, beatsPerMinute: UInt8)] {
        let daysAgo = date.daysAgo(from: now.date)
        guard 0..<max(retention.manualHeartRateDays, 0) ~= daysAgo else { return [] }
        return manual.filter { $0.time.date == date }.map { ($0.time.time, $0.beatsPerMinute) }
    }

    private func periods(_ sleeps: [StoredSleep]) -> [SleepPeriod] {
        sleeps.compactMap { $0.period(today: now.date, days: max(retention.sleepDays, 0)) }
    }

    private func day(_ date: CivilDate, days count: Int) -> StoredDay? {
        let daysAgo = date.daysAgo(from: now.date)
        guard 0..<max(count, 0) ~= daysAgo else { return nil }
        return days.last { $0.date == date }
    }

    private func slots(_ series: SlotSeries, of date: CivilDate, days: Int) -> [UInt8]? {
        guard let day = day(date, days: days) else { return nil }
        var values = Array(day.slots[series.range])
        guard date == now.date, !retention.showsStaleSlots else { return values }
        let past = Int(now.time.secondsSinceMidnight) - series.delay
        let first = past < 0 ? 0 : min(past / series.slotSeconds + 1, values.count)
        for slot in first..<values.count { values[slot] = 0 }
        return values
    }

    private func keptDays(_ series: SlotSeries, days count: Int) -> [DaySlots] {
        days.compactMap { day in
            let daysAgo = UInt8(clamping: day.date.daysAgo(from: now.date))
            guard let values = slots(series, of: day.date, days: count),
                values.contains(where: { $0 != 0 })
            else { return nil }
            return DaySlots(date: day.date, daysAgo: daysAgo, values: values)
        }
    }

    /// The slots of a day.
    public struct DaySlots: Hashable, Sendable {
        /// Which day.
        public let date: CivilDate
        /// How many days before the ring's today.
        public let daysAgo: UInt8
        /// The values, 0 where there is none.
        public let values: [UInt8]
    }

    /// A slot of the day with activity, in the units of the log.
    public struct ActivitySlot: Hashable, Sendable {
        /// Which quarter of an hour it begins with.
        public let slot: UInt8
        /// Tens of small calories.
        public let energy: UInt16
        /// Steps.
        public let steps: UInt16
        /// The way gone.
        public let metres: UInt16
    }
}
