public import HaloProtocol

/// Something that has happened on a link, and when.
public struct ReceivedEvent: Hashable, Sendable {
    /// What has happened.
    public let event: LinkEvent
    /// When the transport's timeline had it.
    public let moment: Moment
    /// How many events before it had to be dropped, because nobody took them in time.
    public let lostBefore: Int

    /// An event that was received.
    public init(_ event: LinkEvent, moment: Moment, lostBefore: Int = 0) {
        self.event = event
        self.moment = moment
        self.lostBefore = lostBefore
    }
}
