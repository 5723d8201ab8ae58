/// The counts of requests and notifications dropped by a ring, for tests.
public struct RingLosses: Hashable, Sendable {
    /// Writes that are not a frame: a length other than sixteen, or a wrong checksum.
    public var brokenFrames = 0
    /// Writes to the second service that are not a frame, or have a wrong checksum.
    public var brokenRecords = 0
    /// Requests dropped because too many were waiting.
    public var droppedRequests = 0
    /// Notifications without a subscription.
    public var unsubscribed = 0
    /// Notifications dropped because the queue was full.
    public var droppedNotifications = 0

    /// Creates counts of zero.
    public init() {}
}
