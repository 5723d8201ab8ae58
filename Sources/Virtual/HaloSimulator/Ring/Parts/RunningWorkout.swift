internal import HaloProtocol

struct RunningWorkout: Sendable {
    let sport: Sport
    /// The start by the ring's clock.
    let start: CivilDateTime
    /// The end of the current second.
    var next: Moment
    /// The seconds since the start, without pauses.
    var elapsed: UInt16 = 0
    var isPaused = false
    /// The heart rate of each second from the first known one, at most ``RingWorkout/mostSamples``.
    var beats: [UInt8] = []
    var lastBeats: UInt8 = 0
    /// The movement, without pauses.
    var movement = Movement.none

    static let period: Duration = .seconds(1)
    /// The seconds without a heart rate at the start: 7 to 11 were seen.
    static let warmUp: UInt16 = 11
    /// The seconds after which a report is repeated.
    static let repeatEvery: UInt16 = 10
    /// The length in seconds from which a workout is stored: 20 s were not stored, 61 s were.
    static let leastStored: UInt16 = 60
    /// The length in seconds at which a workout ends: a choice, as the limit of real rings is not
    /// known.
    static let longest: UInt16 = 43_200

    func report(_ beats: UInt8) -> WorkoutProgress.Reply {
        WorkoutProgress.Reply(
            sport, isPaused ? .paused : .running, elapsedSeconds: elapsed, beatsPerMinute: beats,
            steps: UInt24(clamping: movement.steps), metres: UInt24(clamping: movement.metres),
            smallCalories: UInt24(clamping: movement.smallCalories))
    }

    /// Appends a heart rate. Zeros before the first heart rate are skipped.
    mutating func keep(_ beatsPerMinute: UInt8) {
        guard beatsPerMinute > 0 || !beats.isEmpty else { return }
        if beats.count < RingWorkout.mostSamples { beats.append(beatsPerMinute) }
    }

    var record: RingWorkout {
        RingWorkout(
            sport: sport, start: start, seconds: Int(elapsed), movement: movement,
            samples: beats)
    }
}
