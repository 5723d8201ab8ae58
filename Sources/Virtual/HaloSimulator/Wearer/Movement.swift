/// The movement of a body in a span of time.
public struct Movement: Hashable, Sendable {
    /// The number of all steps.
    public var steps = 0
    /// The number of running steps, which are part of ``steps``.
    package var runningSteps = 0
    /// The energy of the movement in small calories.
    public var smallCalories = 0
    /// The distance in millimetres.
    package var millimetres: Int64 = 0
    /// The seconds spent walking, running or cycling.
    package var activeSeconds = 0

    /// No movement.
    package static let none = Movement()

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
