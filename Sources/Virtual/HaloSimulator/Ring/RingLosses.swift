package struct RingLosses: Hashable, Sendable {
    /// Writes that are not a frame: a length other than sixteen, or a wrong checksum.
    package var brokenFrames = 0
    /// Writes to the second service that are not a frame, or have a wrong checksum.
    package var brokenRecords = 0
    /// Requests dropped because too many were waiting.
    package var droppedRequests = 0
    /// Notifications without a subscription.
    package var unsubscribed = 0
    package var droppedNotifications = 0
}
