public import HaloDevices

extension RingHistory {
    /// Returns the history with the last value of each kind that is ``Freshness/State/current``,
    /// and without all others, so that nothing old is taken for a measurement of now.
    ///
    /// Of sleep it is the night that ended today, or else yesterday, with its parts joined; naps
    /// and workouts are left out.
    ///
    /// - Parameter logging: As of ``freshness(logging:)``.
    public func currentValues(logging: [HistoryKind: Bool] = [:]) -> RingHistory {
        let kinds = Set(freshness(logging: logging).filter { $0.state == .current }.map(\.kind))
        var current = self
        func keepLast(_ samples: some SampleList) {
            let readAt = kinds.contains(samples.kind) ? readAt : nil
            let last = readAt.flatMap { now in self[samples.log].last { $0.time <= now } }
            current[samples.log] = last.map { [$0] } ?? []
        }
        for samples in Self.sampleKinds { keepLast(samples) }
        // Of a single value, nothing else shows for how long it stands.
        if let last = current[.heartRate].last, let timed = self[.heartRate].withLoggedMinutes() {
            current[.heartRate] = timed.last { $0.time == last.time }.map { [$0] } ?? [last]
        }
        current[.sleep] = kinds.contains(.sleep) ? lastNight.map { [$0.joined] } ?? [] : []
        current[.workouts] = []
        if !kinds.contains(.totals) { current.totals = nil }
        return current
    }

    /// The night with most sleep of the last day on which one ended: today or yesterday.
    private var lastNight: Night? {
        let records = sleep.filter { !$0.isNap && Night.isPlausible($0) }
        let nights = Night.nights(of: records).filter { $0.end.date <= today }
        guard let day = nights.last?.end.date, day >= today.advanced(byDays: -1) ?? day else {
            return nil
        }
        return nights.filter { $0.end.date == day }
            .map { (night: $0, minutes: $0.asleepMinutes) }
            .max { $0.minutes < $1.minutes }?.night
    }
}

extension Night {
    fileprivate var joined: SleepRecord {
        SleepRecord(
            isNap: false, start: start, end: end, stages: records.flatMap(\.stages),
            secondsFromUTC: records[0].secondsFromUTC)
    }
}
