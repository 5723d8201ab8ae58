public import HaloProtocol

/// The latest events on the links of an air.
public struct AirTrace: Hashable, Sendable, CustomStringConvertible {
    /// One event.
    public struct Entry: Hashable, Sendable {
        /// The moment in the air's time.
        public let moment: Moment
        /// The affected device.
        public let device: DeviceNumber
        /// The description of the event.
        public let text: String
    }

    /// The maximum number of entries.
    public let limit: Int
    private var ring: [Entry] = []
    private var next = 0

    /// Creates a trace of at most `limit` entries; a negative limit counts as 0.
    init(limit: Int) {
        self.limit = max(limit, 0)
    }

    /// The entries, oldest first.
    public var entries: [Entry] { Array(ring[next...] + ring[..<next]) }

    mutating func append(_ moment: Moment, _ device: DeviceNumber, _ text: String) {
        let entry = Entry(moment: moment, device: device, text: text)
        if ring.count < limit {
            ring.append(entry)
        } else {
            ring[next] = entry
            next = (next + 1) % limit
        }
    }

    /// A line for each entry.
    public var description: String {
        entries.map { "\($0.moment) \($0.device): \($0.text)" }.joined(separator: "\n")
    }
}
