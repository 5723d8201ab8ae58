/// A stress that was measured just now.
public struct StressReading: Hashable, Sendable {
    /// From 1 to 100: what a ring makes of the beats, in its own way.
    public let score: Int
    /// The last time between two beats in milliseconds, where the ring says one.
    public let beatInterval: UInt16?

    /// A stress.
    public init(score: Int, beatInterval: UInt16? = nil) {
        self.score = score
        self.beatInterval = beatInterval
    }
}

extension StressReading: CustomStringConvertible {
    /// `stress 34`.
    public var description: String { "stress \(score)" }
}
