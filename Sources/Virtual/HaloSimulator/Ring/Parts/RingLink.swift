internal import HaloProtocol
internal import HaloTransport

/// The state of the connected central.
struct RingLink: Sendable {
    /// The maximum length of a notification in bytes.
    var maximumLength: Int
    /// The subscribed characteristics.
    var subscriptions: Set<AttributeID> = []
    /// The moment at which the ring requests a slower connection; `nil` if it has done so or never
    /// does.
    var slowsDownAt: Moment?
    /// `true` once it has requested a slower connection.
    var isSlow = false
    /// The reassembler of frames written to the second service.
    var records = BigDataReassembler(maximumPayloadLength: RingLink.longestRequest)
    /// The moment of the last write to the second service.
    var recordsWrittenAt: Moment?

    /// The maximum payload length of a request in bytes, far above any real one.
    static let longestRequest = 2048
    /// The maximum length of a value at the default MTU, in bytes.
    static let leastLength = 20

    init(slowsDownAt: Moment?) {
        self.slowsDownAt = slowsDownAt
        maximumLength = Self.leastLength
    }

    /// The timeout for the rest of a request: a choice, as that of real rings is not known.
    static let recordTimeout: Duration = .seconds(4)
}
