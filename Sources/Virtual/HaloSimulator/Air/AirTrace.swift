package import HaloProtocol

package struct AirTrace: Hashable, Sendable, CustomStringConvertible {
    package struct Entry: Hashable, Sendable {
        package let moment: Moment
        package let device: DeviceNumber
        package let text: String
    }

    package let limit: Int
    private var ring: [Entry] = []
    private var next = 0

    /// Creates a trace of at most `limit` entries; a negative limit counts as 0.
    init(limit: Int) {
        self.limit = max(limit, 0)
    }

    /// The entries, oldest first.
    package var entries: [Entry] { Array(ring[next...] + ring[..<next]) }

    mutating func append(_ moment: Moment, _ device: DeviceNumber, _ text: String) {
        let entry = Entry(moment: moment, device: device, text: text)
        if ring.count < limit {
            ring.append(entry)
        } else {
            ring[next] = entry
            next = (next + 1) % limit
        }
    }

    package var description: String {
        entries.map { "\($0.moment) \($0.device): \($0.text)" }.joined(separator: "\n")
    }
}
