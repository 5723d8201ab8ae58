/// Steps, distance and energy of a slot of the day; most rings sum slots up by the hour.
public struct ActivityAmount: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The number of steps.
    public let steps: Int
    /// The distance in metres.
    public let metres: Int
    /// The energy in the unit of food labels; `nil` if the ring's unit is not known.
    public let kilocalories: Double?

    /// Creates a value, for previews and tests.
    public init(steps: Int, metres: Int, kilocalories: Double? = nil) {
        self.steps = steps
        self.metres = metres
        self.kilocalories = kilocalories
    }

    /// `532 steps, 403 m`, and the energy where it is known.
    public var description: String {
        let distance = "\(steps) steps, \(metres) m"
        return kilocalories.map { "\(distance), \($0) kcal" } ?? distance
    }
}
