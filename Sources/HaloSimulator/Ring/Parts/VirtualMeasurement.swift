internal import HaloProtocol

/// A running realtime measurement.
struct VirtualMeasurement: Sendable {
    typealias Quantity = RealtimeMeasurement.Quantity

    /// The measured quantity.
    let quantity: Reported<Quantity>
    /// The moment of the start.
    let startedAt: Moment
    /// The moment of the next report.
    var next: Moment
    /// The moment of its automatic end.
    var endsAt: Moment
    /// `true` while it is paused.
    var isPaused = false
    /// The number of reported values.
    var valueCount = 0
    /// The last reported value.
    var lastValue: UInt8 = 0

    /// The time between two reports: half a second, as on an R12.
    static let period: Duration = .milliseconds(500)
    /// The number of values after which firmware with ``RingQuirks/endsAfterTenValues`` stops.
    static let valueLimit = 10

    init(_ quantity: Reported<Quantity>, at now: Moment) {
        self.quantity = quantity
        startedAt = now
        next = now
        endsAt = now + Self.pace(of: quantity.known).budget
    }

    var pace: Pace { Self.pace(of: quantity.known) }

    /// The timing of a measurement.
    struct Pace: Sendable {
        /// The delay of the first RR interval, or `nil` without RR intervals.
        let firstInterval: Duration?
        /// The delay of the first value, or `nil` if there is none.
        let firstValue: Duration?
        /// The time from the start to the automatic end.
        var budget: Duration = .seconds(60)
    }

    /// The timing as seen on an R12, except where noted.
    ///
    /// No R12 ended a measurement before the app stopped it after 30 or 62 seconds. The limits are
    /// choices: within the reports of R02, and for the stream as noted on R11CR.
    static func pace(of quantity: Quantity?) -> Pace {
        switch quantity {
        case .heartRate:
            Pace(firstInterval: .seconds(16), firstValue: .seconds(26))
        case .heartRateStream:
            Pace(firstInterval: .seconds(10), firstValue: .seconds(10), budget: .seconds(40))
        case .bloodOxygen:
            Pace(firstInterval: nil, firstValue: .seconds(26))
        case .stress:
            Pace(firstInterval: .milliseconds(300), firstValue: .seconds(26))
        case .heartRateVariability:
            Pace(firstInterval: .seconds(16), firstValue: .seconds(60), budget: .seconds(90))
        case .healthCheck:
            // One report of a finished check was captured, without its duration.
            Pace(firstInterval: .seconds(16), firstValue: .seconds(26))
        case .temperature:
            // One source has a value; its delay is a guess.
            Pace(firstInterval: nil, firstValue: .seconds(10))
        case .bloodPressure, .fatigue, .electrocardiogram, .bloodSugar, nil:
            Pace(firstInterval: nil, firstValue: nil)
        }
    }

    /// Resumes after a pause, and restarts the full time.
    ///
    /// Notes on R11CR firmware let a stream be continued ten seconds after its start at the
    /// earliest; before that, the request has no effect.
    mutating func resume(at now: Moment) {
        if isPaused {
            isPaused = false
            next = now
        }
        if now.duration(since: startedAt) >= .seconds(10) { endsAt = now + pace.budget }
    }
}

/// The heart rate stream of old firmware, one frame each second.
struct LegacyStream: Sendable {
    /// The moment of the next frame.
    var next: Moment
    /// The end, unless an app continues it.
    private(set) var endsAt: Moment

    static let period: Duration = .seconds(1)
    private static let budget: Duration = .seconds(60)

    init(at now: Moment) {
        next = now + Self.period
        endsAt = now + Self.budget
    }

    mutating func goOn(at now: Moment) {
        endsAt = now + Self.budget
    }
}

/// A running workout.
struct RunningWorkout: Sendable {
    let sport: Sport
    /// The start by the ring's clock.
    let start: CivilDateTime
    /// The end of the current second.
    var next: Moment
    /// The seconds since the start, without pauses.
    var elapsed: UInt16 = 0
    /// `true` while it is paused.
    var isPaused = false
    /// The heart rate of each second from the first known one, at most ``RingWorkout/mostSamples``.
    var beats: [UInt8] = []
    /// The last reported heart rate.
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

    /// The stored form.
    var record: RingWorkout {
        RingWorkout(
            sport: sport, start: start, seconds: Int(elapsed), movement: movement,
            samples: beats)
    }
}
