internal import HaloProtocol
internal import HaloTransport

/// A queue of the requests to one service, answered one at a time.
///
/// Requests beyond ``limit`` are lost, as overlapping requests are on real rings. The limit of real
/// rings is not known.
struct RingRequestQueue<Request: Sendable>: Sendable {
    /// The maximum number of waiting requests.
    static var limit: Int { 8 }

    private var waiting: [Request] = []
    /// The moment of the next reply.
    private(set) var due: Moment?
    /// The end of the last reply.
    private(set) var freeAt = Moment(microseconds: .min)
    /// The number of dropped requests.
    private(set) var dropped = 0

    /// Queues a request that is answered after a delay.
    mutating func append(_ request: Request, at now: Moment, after delay: Duration) {
        guard waiting.count < Self.limit else {
            dropped += 1
            return
        }
        waiting.append(request)
        if due == nil { due = max(now, freeAt) + delay }
    }

    /// Removes and returns the first request, if its reply is due.
    mutating func popFirst(dueBy now: Moment) -> Request? {
        guard let due, due <= now, !waiting.isEmpty else { return nil }
        self.due = nil
        return waiting.removeFirst()
    }

    /// Notes the end of a reply, and schedules the next one after a delay.
    mutating func answered(until end: Moment, nextAfter delay: Duration) {
        freeAt = end
        due = waiting.isEmpty ? nil : end + delay
    }

    /// Postpones replies until a moment, while the other service replies.
    mutating func wait(until moment: Moment) {
        freeAt = max(freeAt, moment)
        if let due { self.due = max(due, moment) }
    }

    mutating func removeAll() {
        waiting.removeAll()
        due = nil
        freeAt = Moment(microseconds: .min)
    }
}

/// The scheduled notifications of a ring, ordered by moment.
struct NotificationQueue: Sendable {
    /// One notification.
    struct Entry: Sendable {
        let due: Moment
        let attribute: AttributeID
        let bytes: [UInt8]
    }

    /// The maximum number of queued notifications, larger than the longest reply needs. Further
    /// ones are dropped.
    static let limit = 1024

    private var entries: [Entry] = []
    private var first = 0
    /// The number of dropped notifications.
    private(set) var dropped = 0

    /// The moment of the next notification.
    var due: Moment? { first < entries.count ? entries[first].due : nil }

    var isEmpty: Bool { first == entries.count }

    /// Queues a notification after all that are due at the same moment or earlier.
    mutating func append(_ bytes: [UInt8], to attribute: AttributeID, at due: Moment) {
        guard entries.count - first < Self.limit else {
            dropped += 1
            return
        }
        var place = entries.count
        while place > first, entries[place - 1].due > due { place -= 1 }
        entries.insert(Entry(due: due, attribute: attribute, bytes: bytes), at: place)
    }

    /// Removes and returns the next notification, if it is due.
    mutating func popFirst(dueBy now: Moment) -> Entry? {
        guard first < entries.count, entries[first].due <= now else { return nil }
        let entry = entries[first]
        first += 1
        if first == entries.count { removeAll() }
        return entry
    }

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        first = 0
    }
}

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
