/// A stress score that was measured just now.
public struct StressReading: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The score from 1 to 100. The formula of rings is not known.
    public let score: Int
    /// The latest interval between two beats, in whole milliseconds; `nil` if the ring does not
    /// report it.
    public let beatInterval: Duration?

    /// Creates a value, for previews and tests.
    public init(score: Int, beatInterval: Duration? = nil) {
        self.score = score
        self.beatInterval = beatInterval
    }

    /// `stress 34`.
    public var description: String { "stress \(score)" }
}
