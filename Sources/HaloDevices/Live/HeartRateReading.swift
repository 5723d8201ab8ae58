/// A heart rate that was measured just now.
public struct HeartRateReading: Hashable, Sendable {
    /// Heart beats in a minute.
    public let bpm: Int
    /// The last time between two beats in milliseconds, where the ring says one.
    public let beatInterval: UInt16?

    /// A heart rate.
    public init(bpm: Int, beatInterval: UInt16? = nil) {
        self.bpm = bpm
        self.beatInterval = beatInterval
    }
}

extension HeartRateReading: CustomStringConvertible {
    /// `64 bpm`.
    public var description: String { "\(bpm) bpm" }
}
