/// The options of an LED strip's connection.
public struct LEDStripOptions: Hashable, Sendable, Codable {
    /// The longest time for scanning: the sum of all scans.
    public var findTimeout: Duration
    /// The time for which the scan continues after the first strip, to prefer a nearer one. Zero
    /// takes the first.
    public var findWindow: Duration
    /// The timeout of connecting. If several devices are tried, the first has the whole timeout,
    /// and all others together have it once more.
    public var connectTimeout: Duration
    /// The policy for reconnecting.
    public var reconnect: ReconnectPolicy
    /// The least time between two lights, from 40 ms, which is 25 a second, to a second.
    public var frameInterval: Duration
    /// The time for a reply to a request for the status.
    public var replyTimeout: Duration
    /// The time between requests for the status during loops over ``LEDStrip/states``, at least
    /// 200 ms; `nil` for requests only at the beginning and after commands.
    public var statusInterval: Duration?
    /// The maximum number of elements that a sequence buffers for a slow loop, before it drops the
    /// oldest.
    public var bufferLimit: Int

    /// Creates options. What is left out has the default.
    public init(
        findTimeout: Duration = .seconds(20), findWindow: Duration = .milliseconds(1500),
        connectTimeout: Duration = .seconds(30), reconnect: ReconnectPolicy = .untilConnected,
        frameInterval: Duration = .milliseconds(40), replyTimeout: Duration = .seconds(5),
        statusInterval: Duration? = .seconds(10), bufferLimit: Int = 256
    ) {
        self.findTimeout = findTimeout
        self.findWindow = findWindow
        self.connectTimeout = connectTimeout
        self.reconnect = reconnect
        self.frameInterval = frameInterval
        self.replyTimeout = replyTimeout
        self.statusInterval = statusInterval
        self.bufferLimit = bufferLimit
    }

    var limitedFrameInterval: Duration {
        min(max(frameInterval, .milliseconds(40)), .seconds(1))
    }

    var limitedStatusInterval: Duration? { statusInterval.map { max($0, .milliseconds(200)) } }
}
