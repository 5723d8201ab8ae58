public import HaloProtocol

/// The stored values of a ring, on the calendar.
///
/// ``subscript(_:)`` has the entries of each log, the earliest first: `history[.heartRate]`. Values
/// of today end at ``readAt``: rings were seen to have old values in later slots. Parts that could
/// not be read are in ``failures``; the rest is still complete. ``coverage`` has the days that were
/// read.
///
/// A night or a nap belongs to the day on which it ends, a workout to the day on which it begins.
public struct RingHistory: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The ring's today when the read began, or the assumed day.
    public package(set) var today: CivilDate
    /// The time that the ring's clock showed when the read began; `nil` if not known.
    public package(set) var readAt: CivilDateTime?
    /// The seconds by which the ring's clock is ahead of UTC now; `nil` if not known. Samples have
    /// offsets of their own: the clock may have been another one then.
    public package(set) var secondsFromUTC: Int?
    // The entries of the logs, under the names that they are encoded with.
    package var heartRates: [TimedSample<Int>] = []
    package var stress: [TimedSample<Int>] = []
    package var heartRateVariability: [TimedSample<Int>] = []
    package var activity: [TimedSample<ActivityAmount>] = []
    package var bloodOxygen: [TimedSample<BloodOxygenRange>] = []
    package var temperatures: [TimedSample<Double>] = []
    package var sleep: [SleepRecord] = []
    package var workouts: [WorkoutRecord] = []
    /// The activity since the ring's midnight.
    public var totals: ActivityTotals?
    /// The parts that could not be read, with the errors.
    public var failures: [HistoryFailure] = []
    /// The kinds that the ring does not support.
    public var unsupported: Set<HistoryKind> = []
    /// The outcome for each kind and day.
    public var coverage = HistoryCoverage()
    /// The difference between the ring's clock and the clock that it should have shown, if they
    /// showed different days; otherwise `nil`.
    ///
    /// All dates and times are then those of the wrong clock: see ``moved(byDays:)``.
    public var clockShift: ClockShift?
    /// The times that two clocks of the ring have shown, of which one showed a wrong day. Values of
    /// these times have no ``TimedSample/utc``, and may be of another day if the ring has stored no
    /// newer ones over them.
    public var uncertainTimes: [Range<CivilDateTime>] = []

    /// All known clocks of the ring: a value without an offset may be of any of them.
    package var clocks: [RingClock] = []

    /// Creates an empty history, for previews and tests.
    public init(today: CivilDate, readAt: CivilDateTime? = nil, secondsFromUTC: Int? = nil) {
        self.today = today
        self.readAt = readAt
        self.secondsFromUTC = secondsFromUTC
    }

    /// The entries of a log, the earliest first.
    public subscript<Entry>(log: RingLog<Entry>) -> [Entry] {
        get { self[keyPath: log.entries] }
        _modify { yield &self[keyPath: log.entries] }
    }

    /// `true` if no request has failed: all that the ring holds of the wanted days was read. That
    /// may be less than all days; see ``coverage``.
    public var isComplete: Bool { failures.isEmpty }

    var counts: [(HistoryKind, Int)] {
        [
            (.heartRate, heartRates.count), (.stress, stress.count),
            (.heartRateVariability, heartRateVariability.count), (.activity, activity.count),
            (.bloodOxygen, bloodOxygen.count), (.temperature, temperatures.count),
            (.sleep, sleep.count), (.workouts, workouts.count),
        ]
    }

    /// The number of values of each kind, the kinds that are not supported, and the failures.
    public var description: String {
        var parts = ["today \(today)"]
        parts += counts.filter { $0.1 > 0 }.map { "\($0.1) of \($0.0)" }
        let missing = HistoryKind.allCases.filter(unsupported.contains)
        if !missing.isEmpty {
            parts.append("not supported: \(missing.map(\.description).joined(separator: ", "))")
        }
        parts += failures.map { "failed: \($0)" }
        return parts.joined(separator: "; ")
    }

    /// Returns the history with all dates and times some days later, or earlier if `days` is
    /// negative, and without offsets from UTC.
    ///
    /// With the days of its ``clockShift``, the values of a clock that was wrong by whole days have
    /// the right dates; values that the ring stored while its clock was right do not, which
    /// ``limited(to:)`` leaves out. ``WorkoutRecord/key`` stays that of the ring.
    public func moved(byDays days: Int) -> RingHistory {
        let seconds = days.multipliedReportingOverflow(by: 86_400)
        let shift = seconds.overflow ? (days < 0 ? Int.min : .max) : seconds.partialValue
        func moved(_ date: CivilDate) -> CivilDate {
            CivilDateTime(date).advanced(bySeconds: shift).date
        }
        var history = RingHistory(
            today: moved(today), readAt: readAt?.advanced(bySeconds: shift), secondsFromUTC: nil)
        history.heartRates = heartRates.map { $0.moved(bySeconds: shift) }
        history.stress = stress.map { $0.moved(bySeconds: shift) }
        history.heartRateVariability = heartRateVariability.map { $0.moved(bySeconds: shift) }
        history.activity = activity.map { $0.moved(bySeconds: shift) }
        history.bloodOxygen = bloodOxygen.map { $0.moved(bySeconds: shift) }
        history.temperatures = temperatures.map { $0.moved(bySeconds: shift) }
        history.sleep = sleep.map { $0.moved(bySeconds: shift) }
        history.workouts = workouts.map { $0.moved(bySeconds: shift) }
        history.totals = totals
        history.failures = failures
        history.unsupported = unsupported
        history.coverage = coverage.moved(bySeconds: shift)
        return history
    }

    /// Returns the history without values of other times: of samples and workouts their beginning
    /// counts, of nights and naps their end.
    ///
    /// Of the values that ``moved(byDays:)`` returns, only those stored by the wrong clock are
    /// right: those after the last read with a right clock, and not of times that are still to
    /// come, which are old values in later slots.
    public func limited(to times: ClosedRange<CivilDateTime>) -> RingHistory {
        func limited<Value>(_ samples: [TimedSample<Value>]) -> [TimedSample<Value>] {
            samples.filter { times.contains($0.time) }
        }
        var history = self
        history.heartRates = limited(heartRates)
        history.stress = limited(stress)
        history.heartRateVariability = limited(heartRateVariability)
        history.activity = limited(activity)
        history.bloodOxygen = limited(bloodOxygen)
        history.temperatures = limited(temperatures)
        history.sleep = sleep.filter { times.contains($0.end) }
        history.workouts = workouts.filter { $0.start.map(times.contains) ?? false }
        return history
    }
}

extension RingHistory {
    /// Returns the seconds of a day that the ring's clock had shown at the time of the read; `nil`
    /// if that is not known. A clock that was set ahead, as on a journey to the east, has left out
    /// some of them.
    package func secondsShown(of date: CivilDate) -> Int? {
        guard let readAt else { return nil }
        let start = CivilDateTime(date)
        let end = max(min(readAt, start.advanced(bySeconds: 86_400)), start)
        return RingClockLog(clocks).skippedTimes.reduce(into: end.seconds(since: start)) {
            let (first, last) = (max($1.lowerBound, start), min($1.upperBound, end))
            if first < last { $0 -= last.seconds(since: first) }
        }
    }
}

extension CivilDateTime {
    fileprivate func seconds(since other: CivilDateTime) -> Int {
        Int(secondsSince1970) - Int(other.secondsSince1970)
    }
}

extension TimedSample {
    func moved(bySeconds seconds: Int) -> TimedSample {
        TimedSample(
            time: time.advanced(bySeconds: seconds), minutes: minutes, secondsFromUTC: nil,
            value: value)
    }
}
