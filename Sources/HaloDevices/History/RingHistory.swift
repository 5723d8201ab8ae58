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
