public import HaloProtocol

/// The memory of a ring, by its own clock.
///
/// A ring knows no time zone: days and slots count from the midnight of its clock. The wearer has a
/// clock of its own, and the memory keeps the offset. As time passes, by a second or by a month at
/// once, it stores values and reports them: heart rates per five minutes, stress and temperature
/// per half hour, variability and blood oxygen per hour, activity per hour or quarter, nights and
/// naps half an hour after waking (the delay of real rings was not observed). A ring that is not
/// worn stores zeros and counts no movement. Of a partly worn night it stores the part from the
/// first to the last worn minute, with the gaps as awake.
///
/// Reading erases nothing. Values that a ring no longer keeps are not shown.
public struct RingMemory: Sendable {
    package let retention: RingRetention
    /// The time of the ring's clock.
    public private(set) var now: CivilDateTime
    /// The seconds by which the wearer's clock is ahead of the ring's.
    package private(set) var wearerSecondsAhead: Int64
    /// The stored workouts, the newest first.
    public private(set) var workouts: [RingWorkout] = []

    /// The stored days, the oldest first. After the clock was set back, some may be in the future.
    private var days: [StoredDay] = []
    /// The stored nights and naps, by the ring's clock.
    private var sleeps: [SleepSpan] = []
    private var manual: [(time: CivilDateTime, beatsPerMinute: UInt8)] = []
    /// The spans in which the ring was worn, in seconds of the wearer's clock, for the last day or
    /// two.
    private var worn: [Range<Int64>] = []
    /// The sleep to be stored next with its time, in seconds of the wearer's clock.
    private var pending: SleepSpan?
    private let anomalies: SeededAnomalies
    /// The time from which on the logging of heart rates and temperatures hangs, in seconds of the
    /// wearer's clock.
    private var stalledFrom: Int64?

    private static let mostManual = 64

    /// Creates an empty memory. The ring's clock shows `now`, and the wearer's shows `wearerTime`.
    /// From `stalledFrom` on, by the wearer's clock, the logging of heart rates and temperatures
    /// hangs.
    init(
        retention: RingRetention = RingRetention(), _ anomalies: SeededAnomalies = .none,
        now: CivilDateTime, wearerTime: CivilDateTime, stalledFrom: CivilDateTime? = nil
    ) {
        self.retention = retention
        self.anomalies = anomalies
        self.stalledFrom = stalledFrom.map { Int64($0.secondsSince1970) }
        self.now = now
        wearerSecondsAhead = Int64(wearerTime.secondsSince1970) - Int64(now.secondsSince1970)
        enter(now.date)
    }

    /// Advances the ring's clock to `time`, and reports each stored value.
    ///
    /// `worn`, `isOn` and `settings` hold for the whole span: advance to a change before changing
    /// them. A `time` that is not later than ``now`` has no effect. Of a very long span, only the
    /// part within the retention counts.
    package mutating func advance(
        to time: CivilDateTime, body: inout BodyClock, worn isWorn: Bool, isOn: Bool = true,
        settings: AutomaticMeasurements, report: (StoredEvent) -> Void
    ) {
        guard time > now else { return }
        let longest = (retention.mostDays + 1) * 86_400
        let skipped = Int64(time.secondsSince1970) - Int64(now.secondsSince1970) - Int64(longest)
        if skipped > 0 {
            arrive(at: now.advanced(bySeconds: Int(clamping: skipped)))
            pending = nil
        }
        if isWorn { wear(from: wearerSeconds(now), to: wearerSeconds(time)) }
        while let due = next(settings, &body), due.time <= time {
            count(to: due.time, &body, worn: isWorn)
            switch due.what {
            case .slot(let series): store(series, &body, worn: isWorn, isOn: isOn, report)
            case .sleep(let sleep): store(sleep, report)
            }
        }
        count(to: time, &body, worn: isWorn)
    }

    package mutating func nextStoreTime(
        body: inout BodyClock, settings: AutomaticMeasurements
    ) -> CivilDateTime {
        next(settings, &body)?.time ?? now.advanced(bySeconds: 86_400)
    }

    /// Sets the ring's clock; the wearer's clock does not change.
    ///
    /// Stored values keep their day and slot. Slots that the clock reaches again are stored anew.
    /// After another midnight, the totals of that day begin anew.
    package mutating func setClock(to time: CivilDateTime) {
        guard time != now else { return }
        wearerSecondsAhead += Int64(now.secondsSince1970) - Int64(time.secondsSince1970)
        arrive(at: time)
    }

    mutating func reviveLogging() { stalledFrom = nil }

    package mutating func storeManualHeartRate(_ beatsPerMinute: UInt8) {
        manual.append((now, beatsPerMinute))
        if manual.count > Self.mostManual { manual.removeFirst() }
    }

    /// Stores a workout; beyond the limit, the oldest is dropped.
    package mutating func store(_ workout: RingWorkout) {
        workouts.insert(workout, at: 0)
        let most = max(retention.workouts, 0)
        if workouts.count > most { workouts.removeLast(workouts.count - most) }
    }

    private enum Due {
        case slot(SlotSeries)
        case sleep(SleepSpan)
    }

    private mutating func next(
        _ settings: AutomaticMeasurements, _ body: inout BodyClock
    ) -> (time: CivilDateTime, what: Due)? {
        let second = Int(now.secondsSince1970 % 86_400)
        var best: (second: Int, series: SlotSeries)?
        for series in SlotSeries.all {
            guard let period = series.period(settings) else { continue }
            let next = series.next(after: second, period: period)
            if next < best?.second ?? .max { best = (next, series) }
        }
        // The clock ends in 2106, and no value is stored after that.
        let slot = best.flatMap { best in
            UInt32(exactly: Int64(now.secondsSince1970) + Int64(best.second - second)).map {
                (time: CivilDateTime(secondsSince1970: $0), what: Due.slot(best.series))
            }
        }
        // At the same second the slot comes first: its time does not come again.
        guard let sleep = upcomingSleep(&body), let time = ringTime(sleep.due), time >= now,
            slot.map({ time < $0.time }) ?? true
        else { return slot }
        return (time, .sleep(sleep))
    }

    /// Looks for the next sleep again: the wearer's plan has changed.
    mutating func forgetUpcomingSleep() { pending = nil }

    private mutating func upcomingSleep(_ body: inout BodyClock) -> SleepSpan? {
        if let pending { return pending }
        let second = wearerSeconds(now)
        guard let time = UInt32(exactly: second) else { return nil }
        pending = body.sleeps(around: CivilDateTime(secondsSince1970: time))
            .filter { $0.due > second }.min { $0.due < $1.due }
        return pending
    }

    private mutating func count(
        to time: CivilDateTime, _ body: inout BodyClock, worn isWorn: Bool
    ) {
        let length = slotLength
        while now < time {
            let slot = now.secondsSince1970 / length
            let (end, overflow) = ((slot + 1) &* length, slot == .max / length)
            let next = overflow ? time : min(CivilDateTime(secondsSince1970: end), time)
            if isWorn {
                let index = enter(now.date)
                let place = Int(slot % (86_400 / length))
                let movement = body.movement(from: wearerTime(now), to: wearerTime(next))
                if movement != .none {
                    let before = days[index].totals
                    days[index].totals = before + movement
                    days[index].activity[place].add(from: before, to: before + movement)
                }
            }
            arrive(at: next)
        }
    }

    /// The length of a slot of activity in seconds.
    private var slotLength: UInt32 { UInt32(retention.activityMinutes.rawValue * 60) }

    /// Sets the clock to a time that passes. A slot or a day that begins then is emptied, since the
    /// clock may have been set back.
    private mutating func arrive(at time: CivilDateTime) {
        now = time
        let index = enter(time.date)
        let second = time.secondsSince1970 % 86_400
        guard second % slotLength == 0 else { return }
        days[index].activity[Int(second / slotLength)].clear()
        guard second == 0 else { return }
        days[index].totals = .none
        days[index].sleepMinutes = 0
    }

    private mutating func store(
        _ series: SlotSeries, _ body: inout BodyClock, worn isWorn: Bool, isOn: Bool,
        _ report: (StoredEvent) -> Void
    ) {
        let second = Int(now.secondsSince1970 % 86_400)
        if series == .hourEnd { return reportActivity(report) }
        let slot = (second - series.delay) / series.slotSeconds
        let index = enter(now.date)
        let place = series.range.lowerBound + slot
        let value = isOn ? measured(series, &body, worn: isWorn) : nil
        days[index].slots[place] = value ?? 0
        if let value { report(StoredEvent(time: now, content: series.content(value))) }
    }

    /// The value that a series stores now, or `nil` if it stores none.
    private func measured(
        _ series: SlotSeries, _ body: inout BodyClock, worn isWorn: Bool
    ) -> UInt8? {
        let isStalled = stalledFrom.map { wearerSeconds(now) >= $0 } ?? false
        if isStalled && series.canStall || anomalies.omits(series, at: now) { return nil }
        if isWorn { return series.byte(of: body.state(at: wearerTime(now))) }
        return series == .heartRate ? anomalies.unwornHeartRate(at: now) : nil
    }

    private func reportActivity(_ report: (StoredEvent) -> Void) {
        guard now.secondsSince1970 >= 3600 else { return }
        let start = now.advanced(bySeconds: -3600)
        guard let day = days.last(where: { $0.date == start.date }) else { return }
        let first = Int(start.time.secondsSinceMidnight / slotLength)
        let count = Int(3600 / slotLength)
        guard day.activity[first..<first + count].contains(where: { !$0.isEmpty }) else { return }
        report(StoredEvent(time: now, content: .activity))
    }

    private mutating func store(_ sleep: SleepSpan, _ report: (StoredEvent) -> Void) {
        pending = nil
        guard let span = sleep.clipped(to: worn) else { return }
        for session in span.isNap ? [span] : anomalies.sessions(of: span) {
            keep(session)
            report(StoredEvent(time: now, content: span.isNap ? .nap : .night))
        }
    }

    private mutating func keep(_ span: SleepSpan) {
        let start = Int64(span.start.secondsSince1970) - wearerSecondsAhead
        let stored = SleepSpan(
            start: CivilDateTime(secondsSince1970: UInt32(clamping: start / 60 * 60)),
            stages: span.stages, isNap: span.isNap)
        sleeps.append(stored)
        let most = max(retention.sleepDays, 0)
        let sessions = anomalies.kinds.contains(.splitNights) ? 2 : 1
        let limit = span.isNap ? 2 * most : sessions * (most + 1)
        let alike = sleeps.indices.filter { sleeps[$0].isNap == span.isNap }
        if alike.count > limit, let oldest = alike.first { sleeps.remove(at: oldest) }
        let index = enter(stored.end.date)
        days[index].sleepMinutes += span.minutes - span.minutes(of: .awake)
    }

    /// The index of a day. A new day begins empty; beyond the limit, it replaces the farthest one.
    @discardableResult
    private mutating func enter(_ date: CivilDate) -> Int {
        if let index = days.lastIndex(where: { $0.date <= date }) {
            if days[index].date == date { return index }
        }
        let distance = { (day: StoredDay) in abs(day.date.daysAgo(from: date)) }
        while days.count >= retention.mostDays + 1 {
            let farthest = days.indices.max { distance(days[$0]) < distance(days[$1]) }
            days.remove(at: farthest ?? 0)
        }
        let index = days.firstIndex { $0.date > date } ?? days.count
        days.insert(StoredDay(date, retention.activityMinutes), at: index)
        return index
    }

    private mutating func wear(from start: Int64, to end: Int64) {
        if let last = worn.last, last.upperBound >= start {
            worn[worn.count - 1] = last.lowerBound..<max(end, last.upperBound)
        } else {
            worn.append(start..<end)
        }
        let old = end - 2 * 86_400
        if worn[0].upperBound < old || worn.count > 64 { worn.removeFirst() }
    }

    private func wearerSeconds(_ time: CivilDateTime) -> Int64 {
        Int64(time.secondsSince1970) + wearerSecondsAhead
    }

    /// The wearer's time when the ring's clock shows `time`.
    package func wearerTime(_ time: CivilDateTime) -> CivilDateTime {
        CivilDateTime(secondsSince1970: UInt32(clamping: wearerSeconds(time)))
    }

    private func ringTime(_ seconds: Int64) -> CivilDateTime? {
        UInt32(exactly: seconds - wearerSecondsAhead).map(CivilDateTime.init(secondsSince1970:))
    }

    /// The heart rates of a day in 288 slots, with 0 for no value; `nil` if the day is not kept.
    public func heartRates(of date: CivilDate) -> [UInt8]? {
        slots(.heartRate, of: date, days: retention.heartRateDays)
    }

    /// The stress of a day in 48 slots, with 0 for no value; `nil` if the day is not kept.
    public func stress(of date: CivilDate) -> [UInt8]? {
        slots(.stress, of: date, days: retention.stressDays)
    }

    /// The variability of a day in 48 slots, of which the even ones are used; `nil` if the day is
    /// not kept.
    public func heartRateVariability(of date: CivilDate) -> [UInt8]? {
        slots(.variability, of: date, days: retention.heartRateVariabilityDays)
    }

    /// The blood oxygen of each kept day that has values, in 24 slots, the oldest day first.
    public func bloodOxygen() -> [DaySlots] {
        keptDays(.bloodOxygen, days: retention.bloodOxygenDays)
    }

    /// The temperatures of each kept day that has values, in 48 slots, the oldest day first.
    public func temperatures() -> [DaySlots] {
        let isHidden = anomalies.hidesTemperatures(at: now.time)
        return keptDays(.temperature, days: retention.temperatureDays)
            .filter { !isHidden || $0.date != now.date }
    }

    /// The slots of a day with activity, in order, or `nil` if there are none.
    public func activity(of date: CivilDate) -> [ActivitySlot]? {
        guard let day = day(date, days: retention.activityDays) else { return nil }
        let slots = day.activity.filter { slot in
            !slot.isEmpty && (!omitsIdleHours || hasSteps(day, hour: Int(slot.slot) / 4))
        }
        return slots.isEmpty ? nil : slots
    }

    private var omitsIdleHours: Bool { anomalies.kinds.contains(.omittedIdleHours) }

    private func hasSteps(_ day: StoredDay, hour: Int) -> Bool {
        let count = 60 / retention.activityMinutes.rawValue
        return day.activity[hour * count..<(hour + 1) * count].contains { $0.steps > 0 }
    }

    /// The totals of a day, or `nil` if it is not kept.
    public func totals(of date: CivilDate) -> (movement: Movement, sleepMinutes: Int)? {
        day(date, days: retention.activityDays).map { ($0.totals, $0.sleepMinutes) }
    }

    /// The kept nights, the oldest first, each filed under the morning on which it ended.
    public var sleepPeriods: [SleepPeriod] { periods { !$0.isNap } }

    /// The kept naps, the oldest first.
    public var napPeriods: [SleepPeriod] { periods(\.isNap) }

    /// The manual heart rates of a day, in order.
    public func manualHeartRates(
        of date: CivilDate
    ) -> [(time: CivilTime, beatsPerMinute: UInt8)] {
        let daysAgo = date.daysAgo(from: now.date)
        guard 0..<max(retention.manualHeartRateDays, 0) ~= daysAgo else { return [] }
        return manual.filter { $0.time.date == date }.map { ($0.time.time, $0.beatsPerMinute) }
    }

    /// The sleeps filed under the days of their ends, except those in the future.
    private func periods(_ isWanted: (SleepSpan) -> Bool) -> [SleepPeriod] {
        sleeps.filter(isWanted).compactMap { sleep in
            let daysAgo = sleep.end.date.daysAgo(from: now.date)
            guard 0..<max(retention.sleepDays, 0) ~= daysAgo else { return nil }
            return try? SleepPeriod(
                daysAgo: UInt8(clamping: daysAgo), start: sleep.start.time, end: sleep.end.time,
                stages: sleep.stages.map { SleepPeriod.Stage($0.stage, minutes: $0.minutes) })
        }
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
        /// The day.
        public let date: CivilDate
        /// The number of days before the ring's today.
        public let daysAgo: UInt8
        /// The values, with 0 for no value.
        public let values: [UInt8]
    }

    /// An activity record of a day, in the units of the ring's log.
    public struct ActivitySlot: Hashable, Sendable {
        /// The index of its first quarter of an hour in the day.
        public let slot: UInt8
        /// The energy in tens of small calories.
        public private(set) var energy: UInt16 = 0
        /// The number of steps.
        public private(set) var steps: UInt16 = 0
        /// The distance in metres.
        public private(set) var metres: UInt16 = 0

        init(slot: Int) { self.slot = UInt8(clamping: slot) }

        var isEmpty: Bool { energy == 0 && steps == 0 && metres == 0 }

        mutating func clear() { (energy, steps, metres) = (0, 0, 0) }

        /// Adds the movement between two sums of the day. The sums are converted to whole units
        /// before the subtraction, so that small additions are not lost.
        mutating func add(from before: Movement, to after: Movement) {
            energy = UInt16(
                clamping: Int(energy) + after.smallCalories / 10 - before.smallCalories / 10)
            steps = UInt16(clamping: Int(steps) + after.steps - before.steps)
            metres = UInt16(clamping: Int(metres) + after.metres - before.metres)
        }
    }
}
