package import HaloProtocol

/// The state of a person at one moment, as ideal sensors would measure it.
package struct BodyState: Hashable, Sendable {
    /// The current activity.
    package let activity: BodyActivity
    /// The sleep stage, or `nil` while up; ``SleepStage/awake`` while awake in bed.
    package let sleepStage: SleepStage?
    /// The heart rate in beats per minute.
    package let beatsPerMinute: UInt8
    /// The time between two beats at the current heart rate in microseconds, without scatter.
    package let meanBeatMicroseconds: Int64
    /// The heart-rate variability in milliseconds: the root mean square of differences of
    /// successive beats.
    package let variabilityMilliseconds: UInt8
    package let bloodOxygenPercent: UInt8
    /// The stress, 1 to 99.
    package let stress: UInt8
    /// The skin's temperature in tenths of a degree Celsius.
    package let skinTemperatureTenths: Int
    /// The current cadence in steps per minute; 0 without steps.
    package let stepsPerMinute: Int
}
