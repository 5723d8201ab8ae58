/// The rhythm of a link.
public struct LinkParameters: Hashable, Sendable {
    /// How long it is from one meeting of the two radios to the next.
    public var interval: Duration
    /// How many meetings the device may miss when it has nothing to say.
    public var latency: Int
    /// After how long without a meeting the link is lost.
    public var supervisionTimeout: Duration

    /// A rhythm.
    public init(interval: Duration, latency: Int, supervisionTimeout: Duration) {
        self.interval = interval
        self.latency = latency
        self.supervisionTimeout = supervisionTimeout
    }
}
