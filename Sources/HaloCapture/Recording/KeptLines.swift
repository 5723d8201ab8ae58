import HaloProtocol
import HaloTransport

/// The newest lines of a recording, as many as its limits allow.
struct KeptLines {
    let limits: RecordingLimits
    /// The program's own remarks.
    private var notes = RecordedLane()
    private var cost = 0
    private var count: UInt64 = 0
    private var droppedCount: UInt64 = 0
    private var newest: UInt64 = 0
    /// Whose each line is, the oldest first; of those that are gone, some may still be there.
    private var order = FIFO<(identity: PeripheralIdentity?, number: UInt64)>()

    init(_ limits: RecordingLimits) {
        self.limits = limits
    }

    mutating func append(
        _ line: RecordedLine, at offset: UInt64, of identity: PeripheralIdentity?,
        to lane: inout RecordedLane
    ) {
        count += 1
        order.append((identity, count))
        cost += line.cost
        newest = offset
        lane.append(RecordedLane.Entry(offset: offset, number: count, line: line))
    }

    mutating func note(_ text: CaptureText, at offset: UInt64) {
        var lane = notes
        notes = RecordedLane()
        append(.comment(text), at: offset, of: nil, to: &lane)
        notes = lane
    }

    /// Forgets the oldest exchanges until what is left is within the limits.
    mutating func trim(_ links: inout RecordedLinks) {
        while let first = oldest(links), isTooMuch(first.entry) {
            let dropped: (count: Int, cost: Int)
            if let identity = first.identity {
                dropped = links.change(identity) { $0.lane.dropExchange() } ?? (0, 0)
            } else {
                dropped = notes.dropExchange()
            }
            guard dropped.count > 0 else { return }
            droppedCount += UInt64(dropped.count)
            cost -= dropped.cost
        }
    }

    private func isTooMuch(_ oldest: RecordedLane.Entry) -> Bool {
        if cost > limits.byteCount { return true }
        guard let age = limits.age else { return false }
        return newest - oldest.offset > UInt64(clamping: age.wholeMicroseconds)
    }

    private mutating func oldest(
        _ links: RecordedLinks
    ) -> (identity: PeripheralIdentity?, entry: RecordedLane.Entry)? {
        while let (identity, number) = order.first {
            let lane = identity.map { links.links[$0]?.lane } ?? notes
            if let entry = lane?.first, entry.number <= number { return (identity, entry) }
            _ = order.popFirst()
        }
        return nil
    }
}

extension KeptLines {
    /// What is kept as a capture, with what has to be known at its beginning.
    func capture(
        _ links: RecordedLinks, _ header: RecordingHeader, at now: UInt64
    ) -> Capture {
        let links = links.links.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value)
        var entries = notes.all.map { (entry: $0, link: CaptureName?.none) }
        for link in links {
            entries += link.lane.all.map { (entry: $0, link: link.name) }
        }
        entries.sort { $0.entry.number < $1.entry.number }

        let begin = entries.first?.entry.offset ?? now
        var capture = Capture()
        for line in header.lines(at: begin) { _ = capture.admit(line) }
        let told = links.filter { $0.lane.first != nil || !$0.lane.conditions.events.isEmpty }
        for tag in told.flatMap(\.tags) { _ = capture.admit(.comment(tag)) }
        if droppedCount > 0 {
            let text = "\(droppedCount) lines before were dropped; this is how things stood."
            _ = capture.admit(.comment(CaptureText(text)))
        }
        for link in told {
            for event in link.lane.conditions.events {
                _ = capture.admit(.event(event, link: link.name))
            }
        }
        var offset = begin
        for (entry, link) in entries {
            if entry.offset > offset {
                _ = capture.admit(.elapsed(microseconds: entry.offset - offset))
                offset = entry.offset
            }
            _ = capture.admit(entry.line.line(link))
        }
        return capture
    }
}
