internal import HaloProtocol

/// The activity that a ring has counted since its midnight.
public struct ActivityTotals: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The number of steps.
    public let steps: Int
    /// The number of steps that were run; 0 in every capture.
    public let runningSteps: Int
    /// The distance in metres.
    public let metres: Int
    /// The energy of moving, in the unit of food labels.
    public let kilocalories: Double
    /// The time of activity, in whole minutes.
    public let activeTime: Duration

    /// Creates a value, for previews and tests.
    public init(
        steps: Int, runningSteps: Int, metres: Int, kilocalories: Double, activeTime: Duration
    ) {
        self.steps = steps
        self.runningSteps = runningSteps
        self.metres = metres
        self.kilocalories = kilocalories
        self.activeTime = activeTime
    }

    /// `2061 steps, 1549 m, 119.538 kcal, active for 18 min`.
    public var description: String {
        "\(steps) steps, \(metres) m, \(kilocalories) kcal, "
            + "active for \(activeTime.wholeMinutes) min"
    }

    init(_ reply: TodayTotals.Reply) {
        self.init(
            steps: Int(reply.steps.value), runningSteps: Int(reply.runningSteps.value),
            metres: Int(reply.metres.value), kilocalories: reply.kilocalories,
            activeTime: .minutes(Int(reply.activeMinutes)))
    }
}
