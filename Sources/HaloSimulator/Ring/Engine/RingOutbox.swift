internal import HaloProtocol
internal import HaloTransport

/// What a ring is about to send, and when.
struct RingOutbox: Sendable {
    /// One notification.
    struct Entry: Sendable {
        let due: Moment
        let attribute: AttributeID
        let bytes: [UInt8]
    }

    /// More than the longest answers need; what comes on top is dropped, as by a full buffer.
    static let limit = 1024

    private var entries: [Entry] = []
    private var first = 0
    /// How many notifications were dropped because the buffer was full.
    private(set) var dropped = 0

    /// When the next one is due.
    var due: Moment? { first < entries.count ? entries[first].due : nil }

    var isEmpty: Bool { first == entries.count }

    /// Puts a notification behind all that are due no later.
    mutating func put(_ bytes: [UInt8], to attribute: AttributeID, at due: Moment) {
        guard entries.count - first < Self.limit else {
            dropped += 1
            return
        }
        var place = entries.count
        while place > first, entries[place - 1].due > due { place -= 1 }
        entries.insert(Entry(due: due, attribute: attribute, bytes: bytes), at: place)
    }

    /// The next notification that is due.
    mutating func take(at now: Moment) -> Entry? {
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
