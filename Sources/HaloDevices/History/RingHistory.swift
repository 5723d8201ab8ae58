public import HaloProtocol

/// What a ring has stored, on the calendar.
///
/// Each list begins with the earliest. Of today there is what lies before ``readAt``: rings were
/// seen to have old values in the slots of today that are still to come. What could not be read is
/// in ``failures``, and takes nothing away from the rest.
public struct RingHistory: Hashable, Sendable {
    /// The day that the ring took for today when the reading began, or is taken to have.
    public let today: CivilDate
    /// What the ring's clock showed when the reading began; nothing where nobody knows.
    public let readAt: CivilDateTime?
    /// How many seconds the ring's clock is ahead of UTC now; `nil` where nobody knows. Samples
    /// have their own: the clock may have been another one then.
    public let secondsFromUTC: Int?
    /// Heart beats in a minute.
    public var heartRates: [TimedSample<Int>] = []
    /// Scores of stress.
    public var stress: [TimedSample<Int>] = []
    /// Heart-rate variability in milliseconds.
    public var variability: [TimedSample<Int>] = []
    /// Steps, metres, energy; only slots in which there were any.
    public var activity: [TimedSample<ActivityAmount>] = []
    /// Blood oxygen in percent.
    public var bloodOxygen: [TimedSample<BloodOxygenRange>] = []
    /// Degrees Celsius.
    public var temperatures: [TimedSample<Double>] = []
    /// Nights and naps.
    public var sleep: [SleepRecord] = []
    /// Sleep of rings that store it in the older way, whose bytes nobody has described.
    public var undescribedSleep: [OldSleep.Reply] = []
    /// Workouts.
    public var workouts: [WorkoutRecord] = []
    /// What the ring counted today.
    public var totals: TodayTotals.Reply?
    /// What could not be read, and why.
    public var failures: [HistoryFailure] = []
    /// What the ring says that it does not support.
    public var unsupported: Set<HistoryKind> = []

    /// A history with nothing in it yet.
    public init(today: CivilDate, readAt: CivilDateTime?, secondsFromUTC: Int?) {
        self.today = today
        self.readAt = readAt
        self.secondsFromUTC = secondsFromUTC
    }

    /// Whether everything that was asked for came, or is not supported.
    public var isComplete: Bool { failures.isEmpty }
}

extension RingHistory: CustomStringConvertible {
    /// How much there is of what.
    var counts: [(HistoryKind, Int)] {
        [
            (.heartRate, heartRates.count), (.stress, stress.count),
            (.variability, variability.count), (.activity, activity.count),
            (.bloodOxygen, bloodOxygen.count), (.temperature, temperatures.count),
            (.sleep, sleep.count), (.workouts, workouts.count),
        ]
    }

    /// How much there is of what, what is not supported, and what could not be read.
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

/// A value that a ring has stored, with the time that its clock showed.
public struct TimedSample<Value: Sendable>: Sendable {
    /// When, or when the stretch of time began that the value is of, on the ring's clock.
    public let time: CivilDateTime
    /// How long that stretch is.
    public let minutes: Int
    /// How many seconds the clock was ahead of UTC that the ring had then; `nil` where that is not
    /// known, as of what was stored before the first of ``Ring/clocks``.
    public let secondsFromUTC: Int?
    /// The value.
    public let value: Value

    /// A sample.
    public init(time: CivilDateTime, minutes: Int, secondsFromUTC: Int?, value: Value) {
        self.time = time
        self.minutes = minutes
        self.secondsFromUTC = secondsFromUTC
        self.value = value
    }

    /// When in UTC, where it is known how the ring's clock stood to it.
    public var utc: CivilDateTime? {
        secondsFromUTC.map { time.advanced(bySeconds: $0 == .min ? .max : -$0) }
    }
}

extension TimedSample: Equatable where Value: Equatable {}
extension TimedSample: Hashable where Value: Hashable {}

extension TimedSample: CustomStringConvertible {
    /// `2026-01-05 09:00:00: 62`: the ring's time, and the value.
    public var description: String { "\(time): \(value)" }
}

/// What was walked in a slot of the day; most rings sum slots up by the hour.
public struct ActivityAmount: Hashable, Sendable {
    /// Steps.
    public let steps: Int
    /// The way gone, in metres.
    public let metres: Int
    /// The energy in the unit of food labels; nothing where the ring's unit is not known.
    public let kilocalories: Double?

    /// What was walked.
    public init(steps: Int, metres: Int, kilocalories: Double?) {
        self.steps = steps
        self.metres = metres
        self.kilocalories = kilocalories
    }
}

extension ActivityAmount: CustomStringConvertible {
    /// `532 steps, 403 m`, and the energy where it is known.
    public var description: String {
        let way = "\(steps) steps, \(metres) m"
        return kilocalories.map { "\(way), \($0) kcal" } ?? way
    }
}

/// The lowest and the highest blood oxygen of an hour; in every capture they were equal.
public struct BloodOxygenRange: Hashable, Sendable {
    /// The lowest, in percent.
    public let least: Int
    /// The highest, in percent.
    public let most: Int

    /// A range.
    public init(least: Int, most: Int) {
        self.least = least
        self.most = most
    }
}

extension BloodOxygenRange: CustomStringConvertible {
    /// `97 %`, or `95–97 %`.
    public var description: String { least == most ? "\(most) %" : "\(least)–\(most) %" }
}

/// A night or a nap, on the calendar.
public struct SleepRecord: Hashable, Sendable {
    /// Whether it was by day.
    public let isNap: Bool
    /// When it began, on the ring's clock.
    public let start: CivilDateTime
    /// When it ended, on the ring's clock.
    public let end: CivilDateTime
    /// The stages in order, each with its beginning.
    public let stages: [TimedSample<Reported<SleepStage>>]
    /// How many seconds the ring's clock was ahead of UTC; nothing where nobody knows.
    public let secondsFromUTC: Int?
    /// The record as the ring has it.
    public let period: SleepPeriod

    /// A record of a ring whose today is known; nothing if it names minutes that no day has.
    public init?(_ period: SleepPeriod, isNap: Bool, today: CivilDate, secondsFromUTC: Int?) {
        guard let start = period.startTime(today: today), let end = period.endTime(today: today)
        else { return nil }
        self.isNap = isNap
        self.start = start
        self.end = end
        self.secondsFromUTC = secondsFromUTC
        self.period = period
        var time = start
        stages = period.stages.map { stage in
            defer { time = time.advanced(bySeconds: Int(stage.minutes) * 60) }
            return TimedSample(
                time: time, minutes: Int(stage.minutes), secondsFromUTC: secondsFromUTC,
                value: stage.stage)
        }
    }
}

extension SleepRecord: CustomStringConvertible {
    /// `night from 2026-01-04 23:10:00 to 2026-01-05 07:02:00`.
    public var description: String { "\(isNap ? "nap" : "night") from \(start) to \(end)" }
}

/// A workout that a ring has stored, with its beginning on the ring's clock where that is known.
public struct WorkoutRecord: Hashable, Sendable {
    /// The record as the ring has it; its start is the key by which samples are asked for.
    public let workout: StoredWorkout
    /// When it began on the ring's clock; nothing where it is not known how far the key is from it.
    ///
    /// The firmware of the board RT03CR writes keys eight hours behind its clock. For other
    /// boards the key is taken as it is.
    public let start: CivilDateTime?
    /// How many seconds the ring's clock was ahead of UTC; nothing where nobody knows.
    public let secondsFromUTC: Int?

    /// A record of a ring that speaks a dialect.
    public init(_ workout: StoredWorkout, dialect: Dialect, secondsFromUTC: Int?) {
        self.workout = workout
        let hours = dialect.workoutHoursBehind.value ?? 0
        start = workout.start?.advanced(bySeconds: hours * 3600)
        self.secondsFromUTC = secondsFromUTC
    }

    /// A record of a ring that has had some clocks; none are given where nobody knows.
    init(_ workout: StoredWorkout, dialect: Dialect, clocks: RingClockLog?) {
        let record = WorkoutRecord(workout, dialect: dialect, secondsFromUTC: nil)
        let seconds = Int(clamping: workout.seconds ?? 0)
        self.init(
            workout, dialect: dialect,
            secondsFromUTC: record.start.flatMap {
                clocks?.secondsFromUTC(from: $0, seconds: seconds)
            })
    }
}

extension WorkoutRecord: CustomStringConvertible {
    /// `run at 2026-01-04 17:30:00`.
    public var description: String {
        start.map { "\(workout.sport) at \($0)" } ?? "\(workout.sport)"
    }
}

/// What a ring stores.
public enum HistoryKind: Hashable, Sendable, CaseIterable {
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
    /// The totals of today.
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

    /// The kind, and the day where it is one of some day.
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
    /// What was asked for.
    public let kind: HistoryKind
    /// The day that was asked for, where it was one.
    public let daysAgo: Int?
    /// Why it did not come.
    public let error: DeviceError

    /// A part that did not come.
    public init(kind: HistoryKind, daysAgo: Int? = nil, error: DeviceError) {
        self.kind = kind
        self.daysAgo = daysAgo
        self.error = error
    }
}

extension HistoryFailure: CustomStringConvertible {
    /// What was asked for, and why it did not come.
    public var description: String { "\(kind.words(daysAgo: daysAgo)): \(error)" }
}

/// How far a long read has come.
public struct HistoryProgress: Hashable, Sendable {
    /// How many requests have ended, in an answer or not.
    public let step: Int
    /// How many there are in all.
    public let count: Int
    /// What the last of them was about.
    public let kind: HistoryKind
    /// The day that it was about, where it was about one.
    public let daysAgo: Int?

    /// A step of a read.
    public init(step: Int, count: Int, kind: HistoryKind, daysAgo: Int? = nil) {
        self.step = step
        self.count = count
        self.kind = kind
        self.daysAgo = daysAgo
    }

    /// From 0 to 1.
    public var fraction: Double { count == 0 ? 1 : Double(step) / Double(count) }
}

extension HistoryProgress: CustomStringConvertible {
    /// `3 of 32: heart rate, 2 days ago`.
    public var description: String { "\(step) of \(count): \(kind.words(daysAgo: daysAgo))" }
}
