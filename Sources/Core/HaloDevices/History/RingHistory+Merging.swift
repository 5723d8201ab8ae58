internal import HaloProtocol
internal import HaloTransport

extension RingHistory {
    /// Adds another history of the same ring, of which one may be years long.
    ///
    /// Of two values with the same key, that of the later read counts: rings correct values, and a
    /// night grows while it lasts. Values that the ring no longer holds stay. Merging the same
    /// history twice changes nothing.
    ///
    /// The key of a sample is its kind and the beginning of its slot on the ring's clock; also the
    /// beginning in UTC, if both samples have it: an hour that comes twice when daylight saving
    /// ends has two values. The key of a night or a nap is its time: two that overlap are the same
    /// one. The key of a workout is ``WorkoutRecord/key``, or else its beginning; workouts without
    /// either are the same if all their values are.
    ///
    /// ``failures`` are those of the later read, and the earlier ones of which it has not read the
    /// kind and day. A day that was read once is ``HistoryCoverage/Outcome/read``, but the rest of
    /// one that was today can still fail, or stay ``HistoryCoverage/Outcome/unfinished``. A history
    /// with a ``clockShift`` has other dates: merge what ``moved(byDays:)`` returns.
    public mutating func merge(_ other: RingHistory) {
        guard !other.isEarlier(than: self) else {
            let later = self
            self = other
            return merge(later)
        }
        heartRates.merge(other.heartRates)
        stress.merge(other.stress)
        heartRateVariability.merge(other.heartRateVariability)
        activity.merge(other.activity)
        bloodOxygen.merge(other.bloodOxygen)
        temperatures.merge(other.temperatures)
        sleep.merge(other.sleep)
        workouts.merge(other.workouts)
        if other.totals != nil || other.today != today { totals = other.totals }
        failures = failures.compactMap { $0.moved(from: today, to: other) } + other.failures
        let isAsked = Set(other.coverage.days.map(\.kind))
        unsupported = unsupported.subtracting(isAsked).union(other.unsupported)
        // Of a read at an unknown time, the days before it are over.
        coverage.merge(
            other.coverage, today: (today, other.today),
            readAt: (readAt ?? CivilDateTime(today), other.readAt ?? CivilDateTime(other.today)))
        clockShift = other.clockShift
        if !other.clocks.isEmpty { clocks = other.clocks }
        uncertainTimes += other.uncertainTimes.filter { !uncertainTimes.contains($0) }
        (today, readAt, secondsFromUTC) = (other.today, other.readAt, other.secondsFromUTC)
    }

    /// Returns `true` if the read began before another one. A journey can set the clock back, so
    /// times in UTC count where both are known.
    private func isEarlier(than other: RingHistory) -> Bool {
        if let utc, let otherUTC = other.utc { return utc < otherUTC }
        guard today == other.today, let readAt, let later = other.readAt else {
            return today < other.today
        }
        return readAt < later
    }

    private var utc: CivilDateTime? {
        guard let readAt, let secondsFromUTC else { return nil }
        return WallClock(local: readAt, secondsFromUTC: secondsFromUTC).utc
    }
}

extension HistoryFailure {
    /// Returns the failure as seen from the today of a later history; `nil` if that one has read
    /// what had failed, or has failed at it as well.
    fileprivate func moved(from today: CivilDate, to later: RingHistory) -> HistoryFailure? {
        // A number of days that was read from a file may be any.
        let daysAgo = daysAgo.map { $0 &+ today.daysAgo(from: later.today) }
        let isAskedAgain = later.coverage.days.contains { day in
            guard day.kind == kind, day.outcome != .notRequested else { return false }
            return daysAgo.map { day.date.daysAgo(from: later.today) == $0 } ?? true
        }
        return isAskedAgain ? nil : HistoryFailure(kind: kind, daysAgo: daysAgo, error: error)
    }
}

extension Array {
    /// Adds later samples, in the order of time.
    fileprivate mutating func merge<Value>(_ later: [TimedSample<Value>])
    where Element == TimedSample<Value> {
        guard let first = later.first else { return }
        // A long history has few samples that a later one can replace.
        let start = firstIndex { $0.time >= first.time } ?? endIndex
        let times = Dictionary(grouping: later, by: \.time)
        let kept = self[start...].filter { sample in
            times[sample.time]?.contains { $0.hasKey(of: sample) } != true
        }
        replaceSubrange(start..., with: kept + later)
        self[start...].sort { ($0.time, $0.utc ?? $0.time) < ($1.time, $1.utc ?? $1.time) }
    }
}

extension TimedSample {
    /// Returns `true` if a sample of the same kind and time has the same key.
    fileprivate func hasKey(of other: TimedSample) -> Bool {
        guard let utc, let otherUTC = other.utc else { return true }
        return utc == otherUTC
    }
}

extension Array<SleepRecord> {
    fileprivate mutating func merge(_ later: [SleepRecord]) {
        removeAll { record in
            later.contains { $0.start < record.end && record.start < $0.end || $0 == record }
        }
        self += later
        sort { $0.start < $1.start }
    }
}

extension Array<WorkoutRecord> {
    fileprivate mutating func merge(_ later: [WorkoutRecord]) {
        removeAll { record in
            let key = record.key ?? record.start
            return later.contains { key == nil ? $0 == record : ($0.key ?? $0.start) == key }
        }
        self += later
        let earliest = CivilDateTime(secondsSince1970: 0)
        sort { ($0.start ?? earliest) < ($1.start ?? earliest) }
    }
}
