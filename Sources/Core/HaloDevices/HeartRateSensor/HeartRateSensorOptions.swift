/// The options of a heart-rate sensor's connection. The defaults suit an app that shows a heart
/// rate.
public struct HeartRateSensorOptions: Hashable, Sendable, Codable {
    /// The longest time for scanning: the sum of all scans.
    public var findTimeout: Duration
    /// The time for which the scan continues after the first sensor, to prefer a nearer one. Zero
    /// takes the first.
    public var findWindow: Duration
    /// The timeout of connecting. If several devices are tried, the first has the whole timeout,
    /// and all others together have it once more.
    public var connectTimeout: Duration
    /// The policy for reconnecting.
    public var reconnect: ReconnectPolicy
    /// The time without a measurement after which loops throw ``DeviceError/Kind/silent``; sensors
    /// send one a second or so. After the app was suspended, it begins again. `nil` waits without
    /// end.
    public var silenceTimeout: Duration?
    /// The maximum number of elements that a sequence buffers for a slow loop, before it drops the
    /// oldest.
    public var bufferLimit: Int

    /// Creates options. What is left out has the default.
    public init(
        findTimeout: Duration = .seconds(20), findWindow: Duration = .milliseconds(1500),
        connectTimeout: Duration = .seconds(30), reconnect: ReconnectPolicy = .untilConnected,
        silenceTimeout: Duration? = .seconds(30), bufferLimit: Int = 256
    ) {
        self.findTimeout = findTimeout
        self.findWindow = findWindow
        self.connectTimeout = connectTimeout
        self.reconnect = reconnect
        self.silenceTimeout = silenceTimeout
        self.bufferLimit = bufferLimit
    }
}
