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

extension ActivityAmount: CustomStringConvertible {
    /// `532 steps, 403 m`, and the energy where it is known.
    public var description: String {
        let way = "\(steps) steps, \(metres) m"
        return kilocalories.map { "\(way), \($0) kcal" } ?? way
    }
}
