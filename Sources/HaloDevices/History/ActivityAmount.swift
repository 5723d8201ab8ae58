/// What was walked in a slot of the day; most rings sum slots up by the hour.
public struct ActivityAmount: Hashable, Sendable {
    /// Steps.
    public let steps: Int
    /// The way gone, in metres.
    public let metres: Int
    /// The energy in the unit of food labels; nothing where the ring's unit is not known.
    public let kilocalories: Double?

    /// What was walked.
    public init(steps: Int, metres: Int, kilocalories: Double?) {
        self.steps = steps
        self.metres = metres
        self.kilocalories = kilocalories
    }
}
