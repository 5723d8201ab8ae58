/// The options of a heart-rate sensor's connection. The defaults suit an app that shows a heart
/// rate.
public struct HeartRateSensorOptions: Hashable, Sendable, Codable {
    /// The longest time for scanning: the sum of all scans.
    public var findTimeout: Duration = .seconds(20)
    /// The time for which the scan continues after the first sensor, to prefer a nearer one. Zero
    /// takes the first.
    public var findWindow: Duration = .milliseconds(1500)
    /// The timeout of connecting. If several devices are tried, the first has the whole timeout,
    /// and all others together have it once more.
    public var connectTimeout: Duration = .seconds(30)
    /// The policy for reconnecting.
    public var reconnect = ReconnectPolicy.untilConnected
    /// The time without a measurement after which loops throw ``DeviceError/Kind/silent``; sensors
    /// send one a second or so. After the app was suspended, it begins again. `nil` waits without
    /// end.
    public var silenceTimeout: Duration? = .seconds(30)
    /// The maximum number of elements that a sequence buffers for a slow loop, before it drops the
    /// oldest.
    public var bufferLimit = 256

    /// Creates the default options.
    public init() {}
}
