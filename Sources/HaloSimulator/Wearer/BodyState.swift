public import HaloProtocol

/// How a person is at one moment, as sensors without error would say it.
public struct BodyState: Hashable, Sendable {
    /// What the person does.
    public let activity: BodyActivity
    /// How deep the person sleeps; nothing while up, ``SleepStage/awake`` while awake in bed.
    public let sleepStage: SleepStage?
    /// The heart rate.
    public let beatsPerMinute: UInt8
    /// The time between two beats as the heart rate has it, in microseconds, without scatter.
    public let meanBeatMicroseconds: Int64
    /// The heart-rate variability: the root mean square of differences of successive beats.
    public let variabilityMilliseconds: UInt8
    /// The blood oxygen in percent.
    public let bloodOxygenPercent: UInt8
    /// How stressed the person is, 1 to 99.
    public let stress: UInt8
    /// The skin's temperature in tenths of a degree Celsius.
    public let skinTemperatureTenths: Int
    /// How many steps a minute the person takes at the moment.
    public let stepsPerMinute: Int
}
