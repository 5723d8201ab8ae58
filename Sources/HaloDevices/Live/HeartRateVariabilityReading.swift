/// A heart-rate variability that was measured just now.
public struct HeartRateVariabilityReading: Hashable, Sendable {
    /// How far the times between beats scatter; by which formula is not known.
    public let milliseconds: Int
    /// The last time between two beats in milliseconds, where the ring says one.
    public let beatInterval: UInt16?

    /// A variability.
    public init(milliseconds: Int, beatInterval: UInt16? = nil) {
        self.milliseconds = milliseconds
        self.beatInterval = beatInterval
    }
}

extension HeartRateVariabilityReading: CustomStringConvertible {
    /// `42 ms`.
    public var description: String { "\(milliseconds) ms" }
}
