internal import HaloProtocol
internal import HaloTransport

/// The scheduled notifications of a ring, ordered by moment.
struct NotificationQueue: Sendable {
    struct Entry: Sendable {
        let due: Moment
        let attribute: AttributeID
        let bytes: [UInt8]
    }

    /// The maximum number of queued notifications, larger than the longest reply needs. Further
    /// ones are dropped.
    static let limit = 1024

    private var entries: [Entry] = []
    private(set) var dropped = 0

    var due: Moment? { entries.first?.due }

    /// Queues a notification after all that are due at the same moment or earlier.
    mutating func append(_ bytes: [UInt8], to attribute: AttributeID, at due: Moment) {
        guard entries.count < Self.limit else {
            dropped += 1
            return
        }
        var place = entries.count
        while place > 0, entries[place - 1].due > due { place -= 1 }
        entries.insert(Entry(due: due, attribute: attribute, bytes: bytes), at: place)
    }

    mutating func popFirst(dueBy now: Moment) -> Entry? {
        guard let due, due <= now else { return nil }
        return entries.removeFirst()
    }

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
    }
}
