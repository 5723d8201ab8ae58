/// The movement of a body in a span of time.
package struct Movement: Hashable, Sendable {
    /// The number of all steps.
    package var steps: Int
    /// The number of running steps, which are part of ``steps``.
    package var runningSteps: Int
    /// The energy of the movement in small calories.
    package var smallCalories: Int
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
    package var metres: Int { Int(clamping: millimetres / 1000) }

    /// The sum of two movements.
    package static func + (left: Movement, right: Movement) -> Movement {
        Movement(
            steps: left.steps &+ right.steps, runningSteps: left.runningSteps &+ right.runningSteps,
            smallCalories: left.smallCalories &+ right.smallCalories,
            millimetres: left.millimetres &+ right.millimetres,
            activeSeconds: left.activeSeconds &+ right.activeSeconds)
    }

    /// The difference of two movements.
    package static func - (left: Movement, right: Movement) -> Movement {
        Movement(
            steps: left.steps &- right.steps, runningSteps: left.runningSteps &- right.runningSteps,
            smallCalories: left.smallCalories &- right.smallCalories,
            millimetres: left.millimetres &- right.millimetres,
            activeSeconds: left.activeSeconds &- right.activeSeconds)
    }
}
