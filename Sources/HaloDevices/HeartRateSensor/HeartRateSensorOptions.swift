/// How a heart-rate sensor is connected to and listened to. The defaults suit an app that shows a
/// heart rate.
public struct HeartRateSensorOptions: Hashable, Sendable {
    /// The longest time to listen for sensors, in sum.
    public var findTimeout: Duration = .seconds(20)
    /// The time to go on listening after the first sensor, so that a nearer one is preferred.
    /// Zero takes the first.
    public var findWindow: Duration = .milliseconds(1500)
    /// The longest time until the sensor can be asked. Where several devices are tried, it is that
    /// for the first one, and that for all others together.
    public var connectTimeout: Duration = .seconds(30)
    /// Whether a lost link is made again.
    public var reconnect = ReconnectPolicy.untilConnected
    /// After how long without a measurement a sensor that should measure has fallen silent; sensors
    /// send one a second or so. Nothing means that it is waited for without end.
    public var silenceLimit: Duration? = .seconds(30)
    /// How many elements a sequence holds for a loop that is slow, before it drops the oldest.
    public var bufferLimit = 256

    /// The defaults.
    public init() {}
}
