public import HaloProtocol

/// A workout that a ring has stored. Values that the ring does not report are `nil`.
public struct WorkoutRecord: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The sport, or `nil` for one that is not described.
    public let sport: Sport?
    /// The key under which the ring has stored it, for a `WorkoutList.Request`.
    ///
    /// The firmware of the board RT03CR writes keys eight hours behind its clock.
    public let key: CivilDateTime?
    /// The beginning on the ring's clock: the key, corrected for boards whose offset is known.
    public private(set) var start: CivilDateTime?
    /// The seconds by which the ring's clock was ahead of UTC, or `nil` where that is not known.
    public private(set) var secondsFromUTC: Int?
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

    /// Creates a value, for previews and tests.
    public init(
        sport: Sport? = nil, key: CivilDateTime? = nil, start: CivilDateTime? = nil,
        secondsFromUTC: Int? = nil, duration: Duration? = nil, metres: Int? = nil,
        kilocalories: Double? = nil, steps: Int? = nil, averageBeatsPerMinute: Int? = nil,
        lowestBeatsPerMinute: Int? = nil, highestBeatsPerMinute: Int? = nil
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

    /// `run at 2026-01-04 17:30:00`.
    public var description: String {
        let sport = sport.map { "\($0.label)" } ?? "unknown sport"
        return start.map { "\(sport) at \($0)" } ?? sport
    }

    func moved(bySeconds seconds: Int) -> WorkoutRecord {
        var record = self
        record.start = start?.advanced(bySeconds: seconds)
        record.secondsFromUTC = nil
        return record
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
            sport: workout.sport.known, key: workout.start, start: start, secondsFromUTC: offset,
            duration: seconds.map { .seconds($0) },
            metres: workout.metres.map { Int(clamping: $0) },
            kilocalories: workout.kilocalories, steps: workout.steps.map { Int(clamping: $0) },
            averageBeatsPerMinute: heartRate(workout.averageBeatsPerMinute),
            lowestBeatsPerMinute: heartRate(workout.lowestBeatsPerMinute),
            highestBeatsPerMinute: heartRate(workout.highestBeatsPerMinute))
    }
}
