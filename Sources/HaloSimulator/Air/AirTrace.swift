public import HaloProtocol

/// The last things that happened on the links of an air.
public struct AirTrace: Hashable, Sendable {
    /// One of them.
    public struct Entry: Hashable, Sendable {
        /// When.
        public let moment: Moment
        /// With which device.
        public let device: DeviceNumber
        /// What, in words.
        public let text: String
    }

    /// How many are kept.
    public let limit: Int
    private var ring: [Entry] = []
    private var next = 0

    /// Keeps so many.
    init(limit: Int) {
        self.limit = max(limit, 0)
    }

    /// What happened, the earliest first.
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
}

extension AirTrace: CustomStringConvertible {
    /// A line for each entry.
    public var description: String {
        entries.map { "\($0.moment) \($0.device): \($0.text)" }.joined(separator: "\n")
    }
}
