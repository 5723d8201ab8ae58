/// How far a body has moved in some time.
public struct Movement: Hashable, Sendable {
    /// All steps.
    public var steps: Int
    /// Those of them that were run.
    public var runningSteps: Int
    /// The energy of moving in small calories.
    public var calories: Int
    /// The way gone in millimetres.
    public var millimetres: Int64
    /// How many seconds of walking, running or cycling.
    public var activeSeconds: Int

    /// No movement.
    public static let none = Movement()

    /// A movement.
    public init(
        steps: Int = 0, runningSteps: Int = 0, calories: Int = 0, millimetres: Int64 = 0,
        activeSeconds: Int = 0
    ) {
        self.steps = steps
        self.runningSteps = runningSteps
        self.calories = calories
        self.millimetres = millimetres
        self.activeSeconds = activeSeconds
    }

    /// The way gone in whole metres.
    public var metres: Int { Int(clamping: millimetres / 1000) }

    /// Both movements one after the other.
    public static func + (left: Movement, right: Movement) -> Movement {
        Movement(
            steps: left.steps &+ right.steps, runningSteps: left.runningSteps &+ right.runningSteps,
            calories: left.calories &+ right.calories,
            millimetres: left.millimetres &+ right.millimetres,
            activeSeconds: left.activeSeconds &+ right.activeSeconds)
    }

    /// What is left of a movement without its first part.
    public static func - (left: Movement, right: Movement) -> Movement {
        Movement(
            steps: left.steps &- right.steps, runningSteps: left.runningSteps &- right.runningSteps,
            calories: left.calories &- right.calories,
            millimetres: left.millimetres &- right.millimetres,
            activeSeconds: left.activeSeconds &- right.activeSeconds)
    }
}
