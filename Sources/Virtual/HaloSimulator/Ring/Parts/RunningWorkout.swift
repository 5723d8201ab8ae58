internal import HaloProtocol

struct RunningWorkout: Sendable {
    /// What is stored at the end: the start by the ring's clock, the seconds and the movement
    /// without pauses, and the heart rate of each second from the first known one.
    var record: RingWorkout
    /// The end of the current second.
    var next: Moment
    var isPaused = false
    var lastBeats: UInt8 = 0

    static let period: Duration = .seconds(1)
    /// The seconds without a heart rate at the start: 7 to 11 were seen.
    static let warmUp = 11
    /// The seconds after which a report is repeated.
    static let repeatEvery = 10
    /// The length in seconds from which a workout is stored: 20 s were not stored, 61 s were.
    static let leastStored = 60
    /// The length in seconds at which a workout ends: a choice, as the limit of real rings is not
    /// known.
    static let longest = 43_200

    var report: WorkoutProgress.Reply {
        let movement = record.movement
        return WorkoutProgress.Reply(
            record.sport, isPaused ? .paused : .running,
            elapsedSeconds: UInt16(clamping: record.seconds), beatsPerMinute: lastBeats,
            steps: UInt24(clamping: movement.steps), metres: UInt24(clamping: movement.metres),
            smallCalories: UInt24(clamping: movement.smallCalories))
    }

    /// Appends a heart rate. Zeros before the first heart rate are skipped.
    mutating func keep(_ beatsPerMinute: UInt8) {
        lastBeats = beatsPerMinute
        guard beatsPerMinute > 0 || !record.samples.isEmpty else { return }
        if record.samples.count < RingWorkout.mostSamples { record.samples.append(beatsPerMinute) }
    }
}
