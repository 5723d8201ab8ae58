public import HaloProtocol

/// What a ring has stored, by its own clock.
///
/// A ring knows no time zone: days and slots count from the midnight of the clock that it was
/// given. The wearer lives by another clock; the memory remembers how far the two are apart. It
/// grows as time passes, a second or a month at once, and then says what was stored and when:
/// heart rates in slots of five minutes, stress and temperature by the half hour, variability and
/// blood oxygen by the hour, activity by the hour or its quarter, nights and naps half an hour
/// after waking (how long rings take was not observed). A ring that is not worn stores zeros and
/// counts nothing; of a night in which it was worn at times it knows the part from the first to
/// the last such minute, and takes the gaps for waking.
///
/// Reading erases nothing. What is older than ``RingRetention`` says is not shown any more.
public struct RingMemory: Sendable {
    /// How long things are kept.
    public let retention: RingRetention
    /// What the ring's clock shows.
    public private(set) var now: CivilDateTime
    /// How many seconds the wearer's clock is ahead of the ring's.
    public private(set) var wearerSecondsAhead: Int64
    /// The stored workouts, the newest first.
    public private(set) var workouts: [RingWorkout] = []

    /// The oldest first; there may be days to come if the clock was set back.
    var days: [StoredDay] = []
    var nights: [StoredSleep] = []
    var naps: [StoredSleep] = []
    var manual: [(time: CivilDateTime, beatsPerMinute: UInt8)] = []
    /// When the ring was worn, in seconds of the wearer's clock, the last day or two.
    private var worn: [Range<Int64>] = []
    /// The sleep that is stored next and when, in seconds of the wearer's clock.
    private var pending: PendingSleep?

    private static let mostManual = 64

    /// An empty memory, of a ring whose clock shows `now` while its wearer's shows `wearerTime`.
    public init(
        retention: RingRetention = RingRetention(), now: CivilDateTime, wearerTime: CivilDateTime
    ) {
        self.retention = retention
        self.now = now
        wearerSecondsAhead = Int64(wearerTime.secondsSince1970) - Int64(now.secondsSince1970)
        enter(now.date)
    }

    /// Lets time pass until the ring's clock shows `time`, and says what was stored meanwhile.
    ///
    /// `worn` and `settings` hold for the whole time: where they change, time passes up to there
    /// first. Nothing happens if `time` is not later than ``now``. Of a very long time only the end
    /// counts, as far as anything is kept of it.
    public mutating func advance(
        to time: CivilDateTime, body: inout BodyClock, worn isWorn: Bool = true,
        settings: AutomaticMeasurements = .all
    ) -> [StoredEvent] {
        var events: [StoredEvent] = []
        advance(to: time, body: &body, worn: isWorn, settings: settings) { events.append($0) }
        return events
    }

    /// The same, for whoever needs no list.
    public mutating func advance(
        to time: CivilDateTime, body: inout BodyClock, worn isWorn: Bool,
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
            case .slot(let series): store(series, &body, worn: isWorn, report)
            case .sleep(let sleep): store(sleep, report)
            }
        }
        count(to: time, &body, worn: isWorn)
    }

    /// When something is stored next, if nothing changes: then ``advance(to:body:worn:settings:)``
    /// has something to say.
    public mutating func nextStoreTime(
        body: inout BodyClock, settings: AutomaticMeasurements
    ) -> CivilDateTime {
        next(settings, &body)?.time ?? now.advanced(bySeconds: 86_400)
    }

    /// Sets the ring's clock; the wearer's goes on.
    ///
    /// What is stored keeps the day and the slot that it had. Where the clock goes through the same
    /// slots again, they are stored anew; where it goes through a midnight again, so is what is
    /// counted by the day.
    public mutating func setClock(to time: CivilDateTime) {
        guard time != now else { return }
        wearerSecondsAhead += Int64(now.secondsSince1970) - Int64(time.secondsSince1970)
        arrive(at: time)
    }

    /// Stores a heart rate that the wearer has measured by hand.
    public mutating func storeManualHeartRate(_ beatsPerMinute: UInt8) {
        manual.append((now, beatsPerMinute))
        if manual.count > Self.mostManual { manual.removeFirst() }
    }

    /// Stores a workout; the oldest goes if there are too many.
    public mutating func store(_ workout: RingWorkout) {
        workouts.insert(workout, at: 0)
        let most = max(retention.workouts, 0)
        if workouts.count > most { workouts.removeLast(workouts.count - most) }
    }
}

extension RingMemory {
    /// What comes next.
    private enum Due {
        case slot(SlotSeries)
        case sleep(PendingSleep)
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
        // Where clocks end, in 2106, nothing more is stored.
        let slot = best.flatMap { best in
            UInt32(exactly: Int64(now.secondsSince1970) + Int64(best.second - second)).map {
                (time: CivilDateTime(secondsSince1970: $0), what: Due.slot(best.series))
            }
        }
        // Of two at the same second the slot comes first: its time does not come again.
        guard let sleep = upcomingSleep(&body), let time = ringTime(sleep.due), time >= now,
            slot.map({ time < $0.time }) ?? true
        else { return slot }
        return (time, .sleep(sleep))
    }

    private mutating func upcomingSleep(_ body: inout BodyClock) -> PendingSleep? {
        if let pending { return pending }
        pending = body.nextSleep(after: wearerSeconds(now))
        return pending
    }

    /// Counts movement until a later moment, slot by slot.
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

    /// Seconds of a slot of activity.
    private var slotLength: UInt32 { UInt32(retention.activityMinutes.rawValue * 60) }

    /// The clock shows a time. Where a slot or a day begins with it, that begins empty: the clock
    /// may have been there before.
    private mutating func arrive(at time: CivilDateTime) {
        now = time
        let index = enter(time.date)
        let second = time.secondsSince1970 % 86_400
        guard second % slotLength == 0 else { return }
        days[index].activity[Int(second / slotLength)] = StoredActivity()
        guard second == 0 else { return }
        days[index].totals = .none
        days[index].sleepMinutes = 0
    }

    private mutating func store(
        _ series: SlotSeries, _ body: inout BodyClock, worn isWorn: Bool,
        _ report: (StoredEvent) -> Void
    ) {
        let second = Int(now.secondsSince1970 % 86_400)
        if series == .hourEnd { return reportActivity(report) }
        let slot = (second - series.delay) / series.slotSeconds
        let index = enter(now.date)
        let place = series.range.lowerBound + slot
        guard isWorn else {
            days[index].slots[place] = 0
            return
        }
        let state = body.state(at: wearerTime(now))
        let (value, content) = series.value(of: state)
        days[index].slots[place] = value
        report(StoredEvent(now, content))
    }

    private func reportActivity(_ report: (StoredEvent) -> Void) {
        guard now.secondsSince1970 >= 3600 else { return }
        let start = now.advanced(bySeconds: -3600)
        guard let day = days.last(where: { $0.date == start.date }) else { return }
        let first = Int(start.time.secondsSinceMidnight / slotLength)
        let count = Int(3600 / slotLength)
        guard day.activity[first..<first + count].contains(where: { !$0.isEmpty }) else { return }
        report(StoredEvent(now, .activity))
    }

    private mutating func store(_ sleep: PendingSleep, _ report: (StoredEvent) -> Void) {
        pending = nil
        guard let span = sleep.clipped(to: worn) else { return }
        let start = Int64(span.start.secondsSince1970) - wearerSecondsAhead
        let ringStart = CivilDateTime(secondsSince1970: UInt32(clamping: start / 60 * 60))
        let stored = StoredSleep(
            start: ringStart, end: ringStart.advanced(bySeconds: 60 * span.minutes),
            stages: span.stages)
        let most = max(retention.sleepDays, 0)
        if sleep.isNap {
            naps.append(stored)
            if naps.count > 2 * most { naps.removeFirst() }
        } else {
            nights.append(stored)
            if nights.count > most + 1 { nights.removeFirst() }
        }
        let index = enter(stored.end.date)
        days[index].sleepMinutes += span.minutes - span.minutes(of: .awake)
        report(StoredEvent(now, sleep.isNap ? .nap : .night))
    }

    /// The place of a day, which begins empty if it is new; the least useful day makes room.
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

    /// What the wearer's clock shows when the ring's shows `time`.
    public func wearerTime(_ time: CivilDateTime) -> CivilDateTime {
        CivilDateTime(secondsSince1970: UInt32(clamping: wearerSeconds(time)))
    }

    private func ringTime(_ seconds: Int64) -> CivilDateTime? {
        UInt32(exactly: seconds - wearerSecondsAhead).map(CivilDateTime.init(secondsSince1970:))
    }
}
