/// What a ring ignored or lost, for tests that want to know why it was silent.
public struct RingLosses: Hashable, Sendable {
    /// Writes that were no frame: of another length than sixteen, or with a wrong checksum.
    public var brokenFrames = 0
    /// Writes to the second service that were no frame, or had a wrong checksum.
    public var brokenRecords = 0
    /// Requests that came while too many were waiting.
    public var crowdedOut = 0
    /// Notifications that nobody had subscribed to.
    public var unheard = 0
    /// Notifications for which there was no room.
    public var overflowed = 0

    /// Nothing was lost.
    public init() {}
}
