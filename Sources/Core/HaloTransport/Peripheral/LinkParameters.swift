/// The connection parameters of a link.
public struct LinkParameters: Hashable, Sendable {
    /// The connection interval.
    public var interval: Duration
    /// Peripheral latency: the number of connection events the device may skip.
    public var latency: Int
    /// The supervision timeout: the time without a packet after which the link is lost.
    public var supervisionTimeout: Duration

    /// Creates connection parameters.
    public init(interval: Duration, latency: Int, supervisionTimeout: Duration) {
        self.interval = interval
        self.latency = latency
        self.supervisionTimeout = supervisionTimeout
    }
}
