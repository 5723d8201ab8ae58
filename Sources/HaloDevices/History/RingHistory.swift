public import HaloProtocol

/// The stored values of a ring, on the calendar.
///
/// Each list begins with the earliest value. Values of today end at ``readAt``: rings were seen to
/// have old values in later slots. Parts that could not be read are in ``failures``; the rest is
/// complete all the same. ``coverage`` has the days that were read.
///
/// A night or a nap belongs to the day on which it ends, a workout to the day on which it begins.
public struct RingHistory: Hashable, Sendable, Codable {
    /// The ring's today when the read began, or the assumed day.
    public let today: CivilDate
    /// The time that the ring's clock showed when the read began; `nil` if not known.
    public let readAt: CivilDateTime?
    /// The seconds by which the ring's clock is ahead of UTC now; `nil` if not known. Samples have
    /// offsets of their own: the clock may have been another one then.
    public let secondsFromUTC: Int?
    /// The heart rates in beats per minute.
    public var heartRates: [TimedSample<Int>] = []
    /// The stress scores, from 1 to 100.
    public var stress: [TimedSample<Int>] = []
    /// The heart-rate variability in milliseconds.
    public var variability: [TimedSample<Int>] = []
    /// Steps, distance and energy, without empty slots.
    public var activity: [TimedSample<ActivityAmount>] = []
    /// The blood oxygen in percent.
    public var bloodOxygen: [TimedSample<BloodOxygenRange>] = []
    /// The temperatures of the skin in degrees Celsius.
    public var temperatures: [TimedSample<Double>] = []
    /// The nights and naps.
    public var sleep: [SleepRecord] = []
    /// Sleep of rings that store it in the older way, in a layout that is not described.
    public var undescribedSleep: [UndescribedSleep] = []
    /// The workouts.
    public var workouts: [WorkoutRecord] = []
    /// The activity since the ring's midnight.
    public var totals: ActivityTotals?
    /// The parts that could not be read, with the errors.
    public var failures: [HistoryFailure] = []
    /// The kinds that the ring does not support.
    public var unsupported: Set<HistoryKind> = []
    /// The outcome for each kind and day: read, not stored, not supported, or failed.
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

    /// Creates an empty history.
    public init(today: CivilDate, readAt: CivilDateTime?, secondsFromUTC: Int?) {
        self.today = today
        self.readAt = readAt
        self.secondsFromUTC = secondsFromUTC
    }

    /// `true` if no request has failed: all that the ring holds of the wanted days was read. That
    /// may be less than all days; see ``coverage``.
    public var isComplete: Bool { failures.isEmpty }
}

extension RingHistory {
    /// Returns the history with all dates and times some days later, or earlier if `days` is
    /// negative, and without offsets from UTC.
    ///
    /// With the days of its ``clockShift``, the values of a clock that was wrong by whole days have
    /// the right dates. ``WorkoutRecord/key`` stays that of the ring.
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
        history.variability = variability.map { $0.moved(bySeconds: shift) }
        history.activity = activity.map { $0.moved(bySeconds: shift) }
        history.bloodOxygen = bloodOxygen.map { $0.moved(bySeconds: shift) }
        history.temperatures = temperatures.map { $0.moved(bySeconds: shift) }
        history.sleep = sleep.map { $0.moved(bySeconds: shift) }
        history.undescribedSleep = undescribedSleep
        history.workouts = workouts.map { $0.moved(bySeconds: shift) }
        history.totals = totals
        history.failures = failures
        history.unsupported = unsupported
        for day in coverage.days {
            history.coverage[day.kind, moved(day.date)] = day.outcome
        }
        return history
    }
}

extension TimedSample {
    fileprivate func moved(bySeconds seconds: Int) -> TimedSample {
        TimedSample(
            time: time.advanced(bySeconds: seconds), minutes: minutes, secondsFromUTC: nil,
            value: value)
    }
}

extension SleepRecord {
    fileprivate func moved(bySeconds seconds: Int) -> SleepRecord {
        SleepRecord(
            isNap: isNap, start: start.advanced(bySeconds: seconds),
            end: end.advanced(bySeconds: seconds),
            stages: stages.map { $0.moved(bySeconds: seconds) }, secondsFromUTC: nil)
    }
}

extension WorkoutRecord {
    fileprivate func moved(bySeconds seconds: Int) -> WorkoutRecord {
        WorkoutRecord(
            sport, key: key, start: start?.advanced(bySeconds: seconds), secondsFromUTC: nil,
            duration: duration, metres: metres, kilocalories: kilocalories, steps: steps,
            averageBeatsPerMinute: averageBeatsPerMinute,
            lowestBeatsPerMinute: lowestBeatsPerMinute,
            highestBeatsPerMinute: highestBeatsPerMinute)
    }
}

extension RingHistory: CustomStringConvertible {
    /// The number of values of each kind.
    var counts: [(HistoryKind, Int)] {
        [
            (.heartRate, heartRates.count), (.stress, stress.count),
            (.variability, variability.count), (.activity, activity.count),
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
}

/// A night or a nap, on the calendar.
public struct SleepRecord: Hashable, Sendable, Codable {
    /// `true` for a nap, which is sleep by day.
    public let isNap: Bool
    /// The beginning on the ring's clock.
    public let start: CivilDateTime
    /// The end on the ring's clock.
    public let end: CivilDateTime
    /// The stages in order, each with its beginning.
    public let stages: [TimedSample<Stage>]
    /// The seconds by which the ring's clock was ahead of UTC, or `nil` where that is not known.
    public let secondsFromUTC: Int?

    /// A stage of sleep, as rings classify it.
    public enum Stage: String, Hashable, Sendable, Codable, CaseIterable {
        /// Awake in between.
        case awake
        /// Sleep with rapid eye movements.
        case rem
        /// Light sleep.
        case light
        /// Deep sleep.
        case deep
        /// A stage that the ring could not tell, or that is not described.
        case unclassified
    }

    /// Creates a record.
    public init(
        isNap: Bool, start: CivilDateTime, end: CivilDateTime, stages: [TimedSample<Stage>],
        secondsFromUTC: Int?
    ) {
        self.isNap = isNap
        self.start = start
        self.end = end
        self.stages = stages
        self.secondsFromUTC = secondsFromUTC
    }

    /// Creates a record from a stored period; `nil` if a minute of the period is of no day.
    init?(_ period: SleepPeriod, isNap: Bool, today: CivilDate, secondsFromUTC: Int?) {
        guard let start = period.startTime(today: today), let end = period.endTime(today: today)
        else { return nil }
        var time = start
        let stages = period.stages.map { stage in
            defer { time = time.advanced(bySeconds: Int(stage.minutes) * 60) }
            return TimedSample(
                time: time, minutes: Int(stage.minutes), secondsFromUTC: secondsFromUTC,
                value: Stage(stage.stage))
        }
        self.init(
            isNap: isNap, start: start, end: end, stages: stages, secondsFromUTC: secondsFromUTC)
    }
}

extension SleepRecord.Stage {
    fileprivate init(_ stage: Reported<SleepStage>) {
        self =
            switch stage.known {
            case .awake: .awake
            case .rem: .rem
            case .light: .light
            case .deep: .deep
            case .error, .some(.none), nil: .unclassified
            }
    }
}

extension SleepRecord.Stage: CustomStringConvertible {
    /// The stage in words.
    public var description: String { self == .rem ? "REM" : rawValue }
}

extension SleepRecord: CustomStringConvertible {
    /// `night from 2026-01-04 23:10:00 to 2026-01-05 07:02:00`.
    public var description: String { "\(isNap ? "nap" : "night") from \(start) to \(end)" }
}

/// A day of sleep in the older way, in a layout that is not described.
public struct UndescribedSleep: Hashable, Sendable, Codable {
    /// The days between the day of sleep and the ring's today.
    public let daysAgo: Int
    /// The bytes of each record, without trailing zeros.
    public let records: [[UInt8]]

    /// Creates a day of sleep.
    public init(daysAgo: Int, records: [[UInt8]]) {
        self.daysAgo = daysAgo
        self.records = records
    }
}

/// A workout that a ring has stored. Values that the ring does not report are `nil`.
public struct WorkoutRecord: Hashable, Sendable, Codable {
    /// The sport, or `nil` for one that is not described.
    public let sport: Sport?
    /// The key under which the ring has stored it, for ``Ring/workouts(after:)``.
    ///
    /// The firmware of the board RT03CR writes keys eight hours behind its clock.
    public let key: CivilDateTime?
    /// The beginning on the ring's clock: the key, corrected for boards whose offset is known.
    public let start: CivilDateTime?
    /// The seconds by which the ring's clock was ahead of UTC, or `nil` where that is not known.
    public let secondsFromUTC: Int?
    /// The duration of the workout.
    public let duration: Duration?
    /// The distance in metres.
    public let metres: Int?
    /// The energy in the unit of food labels.
    public let kilocalories: Double?
    /// The number of steps.
    public let steps: Int?
    /// The average heart rate.
    public let averageBeatsPerMinute: Int?
    /// The lowest heart rate.
    public let lowestBeatsPerMinute: Int?
    /// The highest heart rate.
    public let highestBeatsPerMinute: Int?

    /// Creates a record.
    public init(
        _ sport: Sport?, key: CivilDateTime?, start: CivilDateTime?, secondsFromUTC: Int?,
        duration: Duration? = nil, metres: Int? = nil, kilocalories: Double? = nil,
        steps: Int? = nil, averageBeatsPerMinute: Int? = nil, lowestBeatsPerMinute: Int? = nil,
        highestBeatsPerMinute: Int? = nil
    ) {
        self.sport = sport
        self.key = key
        self.start = start
        self.secondsFromUTC = secondsFromUTC
        self.duration = duration
        self.metres = metres
        self.kilocalories = kilocalories
        self.steps = steps
        self.averageBeatsPerMinute = averageBeatsPerMinute
        self.lowestBeatsPerMinute = lowestBeatsPerMinute
        self.highestBeatsPerMinute = highestBeatsPerMinute
    }

    /// Creates a record from a stored workout. `clocks` are the clocks that the ring has had; `nil`
    /// if not known.
    init(_ workout: StoredWorkout, dialect: Dialect, clocks: RingClockLog?) {
        let hours = dialect.workoutHoursBehind.value ?? 0
        let start = workout.start?.advanced(bySeconds: hours * 3600)
        let seconds = workout.durationSeconds.map { Int(clamping: $0) }
        let offset = start.flatMap { clocks?.secondsFromUTC(from: $0, seconds: seconds ?? 0) }
        func heartRate(_ value: UInt32?) -> Int? {
            value.flatMap { $0 == 0 ? nil : Int(clamping: $0) }
        }
        self.init(
            workout.sport.known, key: workout.start, start: start, secondsFromUTC: offset,
            duration: seconds.map { .seconds($0) },
            metres: workout.metres.map { Int(clamping: $0) },
            kilocalories: workout.kilocalories, steps: workout.steps.map { Int(clamping: $0) },
            averageBeatsPerMinute: heartRate(workout.averageBeatsPerMinute),
            lowestBeatsPerMinute: heartRate(workout.lowestBeatsPerMinute),
            highestBeatsPerMinute: heartRate(workout.highestBeatsPerMinute))
    }
}

extension WorkoutRecord: CustomStringConvertible {
    /// `run at 2026-01-04 17:30:00`.
    public var description: String {
        let sport = sport.map { "\($0.label)" } ?? "unknown sport"
        return start.map { "\(sport) at \($0)" } ?? sport
    }
}

/// The kinds of values that a ring stores.
public enum HistoryKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// Heart rates, every five minutes.
    case heartRate
    /// Stress, every half hour.
    case stress
    /// Heart-rate variability, every hour.
    case variability
    /// Steps, metres and energy, by the quarter of an hour or by the hour.
    case activity
    /// Blood oxygen, every hour.
    case bloodOxygen
    /// The temperature of the skin, every half hour.
    case temperature
    /// Nights and naps.
    case sleep
    /// Workouts.
    case workouts
    /// The activity since the ring's midnight.
    case totals
}

extension HistoryKind: CustomStringConvertible {
    /// The kind in words.
    public var description: String {
        switch self {
        case .heartRate: "heart rate"
        case .stress: "stress"
        case .variability: "heart-rate variability"
        case .activity: "activity"
        case .bloodOxygen: "blood oxygen"
        case .temperature: "temperature"
        case .sleep: "sleep"
        case .workouts: "workouts"
        case .totals: "totals of today"
        }
    }

    /// Returns the kind in words, with the day if the request was of one day.
    func words(daysAgo: Int?) -> String {
        switch daysAgo {
        case nil: description
        case 0: "\(self), today"
        case 1: "\(self), 1 day ago"
        case let days?: "\(self), \(days) days ago"
        }
    }
}

/// A part of a history that could not be read.
public struct HistoryFailure: Hashable, Sendable {
    /// The requested kind of values.
    public let kind: HistoryKind
    /// The requested day, in days before today; `nil` if the request was not of one day.
    public let daysAgo: Int?
    /// The reason.
    public let error: DeviceError

    /// Creates a failure.
    public init(kind: HistoryKind, daysAgo: Int? = nil, error: DeviceError) {
        self.kind = kind
        self.daysAgo = daysAgo
        self.error = error
    }
}

/// A coding of the error as its kind, without its causes.
extension HistoryFailure: Codable {
    private enum CodingKeys: CodingKey {
        case kind, daysAgo, error
    }

    /// Decodes a failure. Its error has only the kind.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            kind: try values.decode(HistoryKind.self, forKey: .kind),
            daysAgo: try values.decodeIfPresent(Int.self, forKey: .daysAgo),
            error: DeviceError(try values.decode(DeviceError.Kind.self, forKey: .error)))
    }

    /// Encodes a failure with the kind of its error.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(kind, forKey: .kind)
        try values.encodeIfPresent(daysAgo, forKey: .daysAgo)
        try values.encode(error.kind, forKey: .error)
    }
}

extension HistoryFailure: CustomStringConvertible {
    /// The part and the error: `stress, 1 day ago: the device did not answer.`
    public var description: String { "\(kind.words(daysAgo: daysAgo)): \(error)" }
}

/// The progress of ``Ring/history(days:progress:)``.
public struct HistoryProgress: Hashable, Sendable, Codable {
    /// The number of requests that have ended, with a reply or without.
    public let step: Int
    /// The number of all requests.
    public let count: Int
    /// The kind of values that the last request was for.
    public let kind: HistoryKind
    /// The day of the last request, in days before today; `nil` if it was not of one day.
    public let daysAgo: Int?

    /// Creates a step of a read.
    public init(step: Int, count: Int, kind: HistoryKind, daysAgo: Int? = nil) {
        self.step = step
        self.count = count
        self.kind = kind
        self.daysAgo = daysAgo
    }

    /// The completed fraction of the read, from 0 to 1.
    public var fraction: Double { count == 0 ? 1 : Double(step) / Double(count) }
}

extension HistoryProgress: CustomStringConvertible {
    /// `3 of 32: heart rate, 2 days ago`.
    public var description: String { "\(step) of \(count): \(kind.words(daysAgo: daysAgo))" }
}
