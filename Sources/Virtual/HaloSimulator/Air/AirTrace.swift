package import HaloProtocol
internal import HaloTransport

package struct AirTrace: Equatable, Sendable, CustomStringConvertible {
    package struct Entry: Hashable, Sendable {
        package let moment: Moment
        package let device: DeviceNumber
        package let text: String
    }

    package let limit: Int
    private var kept = Queue<Entry>()

    /// Creates a trace of at most `limit` entries; a negative limit counts as 0.
    init(limit: Int) {
        self.limit = max(limit, 0)
    }

    /// The entries, oldest first.
    package var entries: [Entry] { kept.all }

    mutating func append(_ moment: Moment, _ device: DeviceNumber, _ text: String) {
        kept.append(Entry(moment: moment, device: device, text: text))
        if kept.count > limit { _ = kept.popFirst() }
    }

    package var description: String {
        entries.map { "\($0.moment) \($0.device): \($0.text)" }.joined(separator: "\n")
    }
}
