/// How a heart-rate sensor is connected to and listened to. The defaults suit an app that shows a
/// heart rate.
public struct HeartRateSensorOptions: Hashable, Sendable {
    /// How long a sensor is looked for.
    public var findTimeout: Duration = .seconds(20)
    /// How long it may take until the sensor can be asked.
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
