/// The options of an LED strip's connection.
public struct LEDStripOptions: Hashable, Sendable, Codable {
    /// The longest time for scanning: the sum of all scans.
    public var findTimeout: Duration = .seconds(20)
    /// The time for which the scan continues after the first strip, to prefer a nearer one. Zero
    /// takes the first.
    public var findWindow: Duration = .milliseconds(1500)
    /// The timeout of connecting. If several devices are tried, the first has the whole timeout,
    /// and all others together have it once more.
    public var connectTimeout: Duration = .seconds(30)
    /// The policy for reconnecting.
    public var reconnect = ReconnectPolicy.untilConnected
    /// The least time between two lights, from 40 ms, which is 25 a second, to a second.
    public var frameInterval: Duration = .milliseconds(40)
    /// The time for a reply to a request for the status.
    public var replyTimeout: Duration = .seconds(5)
    /// The time between requests for the status during loops over ``LEDStrip/states``, at least
    /// 200 ms; `nil` for requests only at the beginning and after commands.
    public var statusInterval: Duration? = .seconds(10)
    /// The maximum number of elements that a sequence buffers for a slow loop, before it drops the
    /// oldest.
    public var bufferLimit = 256

    /// Creates the default options.
    public init() {}

    var limitedFrameInterval: Duration {
        min(max(frameInterval, .milliseconds(40)), .seconds(1))
    }

    var limitedStatusInterval: Duration? { statusInterval.map { max($0, .milliseconds(200)) } }
}
