/// A heart beat from the RR intervals of a sensor.
public struct SensedBeat: Hashable, Sendable {
    /// The 1-based number of the beat within its session.
    public let number: UInt64
    /// The number of its series; beats may be missing between two series.
    public let series: UInt64
    /// The time since the previous beat in 1024ths of a second.
    public let intervalTicks: UInt16
    /// The time since the start of its series in 1024ths of a second.
    public let ticks: UInt64

    /// The time since the previous beat in milliseconds.
    public var intervalMilliseconds: Double { HeartRateMeasurement.milliseconds(intervalTicks) }
}
