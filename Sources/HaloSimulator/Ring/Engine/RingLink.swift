internal import HaloProtocol
internal import HaloTransport

/// What a ring knows of the central that is connected to it.
struct RingLink: Sendable {
    /// Since when it is connected.
    let since: Moment
    /// How many bytes one notification can carry.
    var maximumLength: Int
    /// Which characteristics send values by themselves.
    var subscriptions: Set<AttributeID> = []
    /// When the ring will ask for a slower rhythm; nothing when it has, or never does.
    var slowsDownAt: Moment?
    /// Whether it has asked for a slower rhythm.
    var isSlow = false
    /// Joins what is written to the second service.
    var records = BigDataReassembler(maximumPayloadLength: RingLink.longestRequest)
    /// When something was written there last.
    var recordsWrittenAt: Moment?

    /// Far more than any request has.
    static let longestRequest = 2048
    /// What a notification can carry before the two ends agree on more.
    static let leastLength = 20

    init(since: Moment, slowsDownAt: Moment?) {
        self.since = since
        self.slowsDownAt = slowsDownAt
        maximumLength = Self.leastLength
    }
}

extension RingLink {
    /// For so long a ring waits for the rest of a request; how long real ones do is not known.
    static let patience: Duration = .seconds(4)
}
