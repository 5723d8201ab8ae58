/// The movement of a body in a span of time.
public struct Movement: Hashable, Sendable {
    /// The number of all steps.
    public var steps: Int
    /// The number of running steps, which are part of ``steps``.
    package var runningSteps: Int
    /// The energy of the movement in small calories.
    public var smallCalories: Int
    /// The distance in millimetres.
    package var millimetres: Int64
    /// The seconds spent walking, running or cycling.
    package var activeSeconds: Int

    /// No movement.
    package static let none = Movement()

    /// Creates a movement.
    package init(
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

    package static func + (left: Movement, right: Movement) -> Movement {
        Movement(
            steps: left.steps &+ right.steps, runningSteps: left.runningSteps &+ right.runningSteps,
            smallCalories: left.smallCalories &+ right.smallCalories,
            millimetres: left.millimetres &+ right.millimetres,
            activeSeconds: left.activeSeconds &+ right.activeSeconds)
    }

    package static func - (left: Movement, right: Movement) -> Movement {
        Movement(
            steps: left.steps &- right.steps, runningSteps: left.runningSteps &- right.runningSteps,
            smallCalories: left.smallCalories &- right.smallCalories,
            millimetres: left.millimetres &- right.millimetres,
            activeSeconds: left.activeSeconds &- right.activeSeconds)
    }
}
