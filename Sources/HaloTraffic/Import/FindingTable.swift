/// Counts what looks wrong, and remembers where it was seen first.
struct FindingTable: Sendable {
    private var findings: [TrafficFinding] = []

    mutating func take(_ oddity: TrafficOddity, at place: RecordPlace) {
        if let index = findings.firstIndex(where: { $0.oddity == oddity }) {
            findings[index].count += 1
        } else {
            findings.append(
                TrafficFinding(
                    oddity: oddity, count: 1, firstRecord: place.number,
                    firstOffset: place.offset))
        }
    }

    /// All of them, the most frequent first.
    var all: [TrafficFinding] {
        findings.sorted { ($1.count, $0.firstRecord) < ($0.count, $1.firstRecord) }
    }
}
