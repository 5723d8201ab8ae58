/// A heart rate that was measured just now.
public struct HeartRateReading: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The heart rate in beats per minute.
    public let beatsPerMinute: Int
    /// The latest interval between two beats, in whole milliseconds; `nil` if the ring does not
    /// report it.
    public let beatInterval: Duration?

    /// Creates a value, for previews and tests.
    public init(beatsPerMinute: Int, beatInterval: Duration? = nil) {
        self.beatsPerMinute = beatsPerMinute
        self.beatInterval = beatInterval
    }

    /// `64 bpm`.
    public var description: String { "\(beatsPerMinute) bpm" }
}
