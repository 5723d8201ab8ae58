internal import HaloProtocol

/// A workout that runs.
struct RunningWorkout: Sendable {
    let sport: Sport
    /// The start on the ring's clock.
    let start: CivilDateTime
    /// When the next second is over.
    var next: Moment
    /// Seconds since the start, without pauses.
    var elapsed: UInt16 = 0
    /// Whether it is interrupted.
    var isPaused = false
    /// A heart rate for each second, from the first one that was known, as many as are kept.
    var beats: [UInt8] = []
    /// The heart rate that was reported last.
    var lastBeats: UInt8 = 0
    /// How far the body has moved, without pauses.
    var movement = Movement.none

    init(sport: Sport, start: CivilDateTime, next: Moment) {
        self.sport = sport
        self.start = start
        self.next = next
    }

    static let period: Duration = .seconds(1)
    /// For so many seconds no heart rate is known: 7 to 11 were seen.
    static let warmUp: UInt16 = 11
    /// A report is repeated every so many seconds.
    static let repeatEvery: UInt16 = 10
    /// Shorter ones are not stored: 20 s were not, 61 s were.
    static let leastStored: UInt16 = 60
    /// A ring would not go on for ever; after how long it ends is not known.
    static let longest: UInt16 = 43_200

    func report(_ beats: UInt8) -> WorkoutProgress.Reply {
        WorkoutProgress.Reply(
            sport, isPaused ? .paused : .running, elapsedSeconds: elapsed, beatsPerMinute: beats,
            steps: UInt24(clamping: movement.steps), metres: UInt24(clamping: movement.metres),
            calories: UInt24(clamping: movement.calories))
    }

    /// Keeps a heart rate, if there was one before or it is the first.
    mutating func keep(_ beatsPerMinute: UInt8) {
        guard beatsPerMinute > 0 || !beats.isEmpty else { return }
        if beats.count < RingWorkout.mostSamples { beats.append(beatsPerMinute) }
    }

    /// As it is stored.
    var record: RingWorkout {
        RingWorkout(
            sport: sport, start: start, seconds: Int(elapsed), movement: movement,
            samples: beats)
    }
}
