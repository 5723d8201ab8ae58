package import HaloProtocol

package struct AirTrace: Hashable, Sendable, CustomStringConvertible {
    package struct Entry: Hashable, Sendable {
        package let moment: Moment
        package let device: DeviceNumber
        package let text: String
    }

    package let limit: Int
    /// The entries, oldest first.
    package private(set) var entries: [Entry] = []

    /// Creates a trace of at most `limit` entries; a negative limit counts as 0.
    init(limit: Int) {
        self.limit = max(limit, 0)
    }

    mutating func append(_ moment: Moment, _ device: DeviceNumber, _ text: String) {
        if entries.count >= limit { entries.removeFirst() }
        entries.append(Entry(moment: moment, device: device, text: text))
    }

    package var description: String {
        entries.map { "\($0.moment) \($0.device): \($0.text)" }.joined(separator: "\n")
    }
}
