internal import HaloProtocol

/// The goals of a day.
public struct DailyGoals: Hashable, Sendable, Codable {
    /// The number of steps.
    public var steps: Int
    /// The energy in the unit of food labels.
    public var kilocalories: Double
    /// The distance in metres.
    public var metres: Int
    /// The time of sport in whole minutes, or `nil` for no goal.
    public var sport: Duration?
    /// The time of sleep in whole minutes, or `nil` for no goal.
    public var sleep: Duration?

    /// The limits of steps, small calories and metres.
    package static let amounts: ClosedRange<UInt32> = 0...UInt24.max.value
    /// The limits of the times; 0 for `nil`.
    package static let timeMinutes: ClosedRange<UInt16> = 0 ... .max

    /// Creates all goals. ``Ring/change(_:_:)`` changes some and leaves the others as they are:
    /// `try await ring.change(.goals) { $0.set(\.steps, to: 8000) }`.
    public init(
        steps: Int, kilocalories: Double, metres: Int, sport: Duration? = nil,
        sleep: Duration? = nil
    ) {
        self.steps = steps
        self.kilocalories = kilocalories
        self.metres = metres
        self.sport = sport
        self.sleep = sleep
    }
}
