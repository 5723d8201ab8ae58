/// A heart-rate variability that was measured just now.
public struct HeartRateVariabilityReading: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The variability of the intervals between beats, in milliseconds. The formula of rings is not
    /// known.
    public let milliseconds: Int
    /// The latest interval between two beats, in whole milliseconds; `nil` if the ring does not
    /// report it.
    public let beatInterval: Duration?

    /// Creates a value, for previews and tests.
    public init(milliseconds: Int, beatInterval: Duration? = nil) {
        self.milliseconds = milliseconds
        self.beatInterval = beatInterval
    }

    /// `42 ms`.
    public var description: String { "\(milliseconds) ms" }
}
