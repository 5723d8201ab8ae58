/// A heart rate and a blood pressure that were measured together just now.
public struct HealthCheckReading: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The heart rate in beats per minute.
    public let beatsPerMinute: Int
    /// The blood pressure, estimated from light alone, without a cuff; `nil` at first.
    public let bloodPressure: BloodPressure?
    /// The latest interval between two beats, in whole milliseconds; `nil` if the ring does not
    /// report it.
    public let beatInterval: Duration?

    /// Creates a value, for previews and tests.
    public init(
        beatsPerMinute: Int, bloodPressure: BloodPressure? = nil, beatInterval: Duration? = nil
    ) {
        self.beatsPerMinute = beatsPerMinute
        self.bloodPressure = bloodPressure
        self.beatInterval = beatInterval
    }

    /// `64 bpm, 120/80 mmHg`.
    public var description: String {
        bloodPressure.map { "\(beatsPerMinute) bpm, \($0)" } ?? "\(beatsPerMinute) bpm"
    }
}
