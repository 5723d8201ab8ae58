public import HaloProtocol

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
