package import HaloProtocol

/// The state of a person at one moment, as ideal sensors would measure it.
package struct BodyState: Hashable, Sendable {
    /// The current activity.
    package let activity: BodyActivity
    /// The sleep stage, or `nil` while up; ``SleepStage/awake`` while awake in bed.
    package let sleepStage: SleepStage?
    /// The heart rate in beats per minute.
    package let beatsPerMinute: UInt8
    /// The time between two beats at the current heart rate in microseconds, without scatter.
    package let meanBeatMicroseconds: Int64
    /// The heart-rate variability in milliseconds: the root mean square of differences of
    /// successive beats.
    package let variabilityMilliseconds: UInt8
    /// The blood oxygen in percent.
    package let bloodOxygenPercent: UInt8
    /// The stress, 1 to 99.
    package let stress: UInt8
    /// The skin's temperature in tenths of a degree Celsius.
    package let skinTemperatureTenths: Int
    /// The current cadence in steps per minute; 0 without steps.
    package let stepsPerMinute: Int
}

/// The activity of a person.
package enum BodyActivity: UInt8, Hashable, Sendable {
    /// Lying in bed at night or for a nap.
    case asleep
    /// Sitting or standing.
    case resting
    /// Walking.
    case walking
    /// Running.
    case running
    /// Cycling: a high heart rate without steps.
    case cycling
}

/// The reading of an accelerometer on the hand, in thousandths of gravity.
package struct BodyAcceleration: Hashable, Sendable {
    /// The acceleration along the first axis.
    package let x: Int
    /// The acceleration along the second axis.
    package let y: Int
    /// The acceleration along the third axis.
    package let z: Int
}

/// The movement of a body in a span of time.
public struct Movement: Hashable, Sendable {
    /// The number of all steps.
    public var steps: Int
    /// The number of running steps, which are part of ``steps``.
    public var runningSteps: Int
    /// The energy of the movement in small calories.
    public var smallCalories: Int
    /// The distance in millimetres.
    public var millimetres: Int64
    /// The seconds spent walking, running or cycling.
    public var activeSeconds: Int

    /// No movement.
    public static let none = Movement()

    /// Creates a movement.
    public init(
        steps: Int = 0, runningSteps: Int = 0, smallCalories: Int = 0, millimetres: Int64 = 0,
        activeSeconds: Int = 0
    ) {
        self.steps = steps
        self.runningSteps = runningSteps
        self.smallCalories = smallCalories
        self.millimetres = millimetres
        self.activeSeconds = activeSeconds
    }

    /// The distance in whole metres.
    public var metres: Int { Int(clamping: millimetres / 1000) }

    /// The sum of two movements.
    public static func + (left: Movement, right: Movement) -> Movement {
        Movement(
            steps: left.steps &+ right.steps, runningSteps: left.runningSteps &+ right.runningSteps,
            smallCalories: left.smallCalories &+ right.smallCalories,
            millimetres: left.millimetres &+ right.millimetres,
            activeSeconds: left.activeSeconds &+ right.activeSeconds)
    }

    /// The difference of two movements.
    public static func - (left: Movement, right: Movement) -> Movement {
        Movement(
            steps: left.steps &- right.steps, runningSteps: left.runningSteps &- right.runningSteps,
            smallCalories: left.smallCalories &- right.smallCalories,
            millimetres: left.millimetres &- right.millimetres,
            activeSeconds: left.activeSeconds &- right.activeSeconds)
    }
}

/// A stretch of walking, running or cycling.
package struct Exertion: Hashable, Sendable {
    /// The kind of exertion.
    package let activity: BodyActivity
    /// The time of the start.
    package let start: CivilDateTime
    /// The length in minutes.
    package let minutes: Int

    /// The end.
    package var end: CivilDateTime { start.advanced(bySeconds: 60 * minutes) }
}

/// A night or a nap as a sequence of stages.
package struct SleepSpan: Hashable, Sendable {
    /// The beginning of sleep: a whole minute.
    package let start: CivilDateTime
    /// The stages in order; no two of the same kind follow each other.
    package let stages: [Stretch]

    /// The minutes from falling asleep to waking.
    package var minutes: Int { stages.reduce(0) { $0 + Int($1.minutes) } }

    /// The time of waking; a night is filed under this day.
    package var end: CivilDateTime { start.advanced(bySeconds: 60 * minutes) }

    /// Returns the minutes of one stage.
    package func minutes(of stage: SleepStage) -> Int {
        stages.reduce(0) { $1.stage == stage ? $0 + Int($1.minutes) : $0 }
    }

    /// A stretch of one stage.
    package struct Stretch: Hashable, Sendable {
        /// The sleep stage.
        package let stage: SleepStage
        /// The length in minutes.
        package let minutes: UInt8

        init(_ stage: SleepStage, minutes: Int) {
            self.stage = stage
            self.minutes = UInt8(clamping: minutes)
        }
    }
}
