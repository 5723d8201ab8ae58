public import HaloProtocol

/// A heart rate and a blood pressure that were measured together just now.
public struct HealthCheckReading: Hashable, Sendable {
    /// Heart beats in a minute.
    public let bpm: Int
    /// The blood pressure, once there is one: what the ring makes of light alone, without a cuff.
    public let pressure: RealtimeMeasurement.Pressure?
    /// The last time between two beats in milliseconds, where the ring says one.
    public let beatInterval: UInt16?

    /// Both.
    public init(
        bpm: Int, pressure: RealtimeMeasurement.Pressure? = nil, beatInterval: UInt16? = nil
    ) {
        self.bpm = bpm
        self.pressure = pressure
        self.beatInterval = beatInterval
    }
}
