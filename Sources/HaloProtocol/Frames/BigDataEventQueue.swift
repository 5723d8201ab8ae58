/// Events that wait to be fetched: a bounded number of them.
///
/// When all places but one are taken, the last holds a fault that counts what had to be dropped.
/// Bytes that belong to no frame are joined to those before them.
struct BigDataEventQueue: Sendable {
    typealias Event = BigDataReassembler.Event

    private var events: [Event?] = []
    private var first = 0
    private let limit: Int

    /// The most bytes that one fault joins.
    private static let longestJoined = BigDataFrame.maximumPayloadLength

    init(limit: Int) {
        self.limit = max(limit, 2)
    }

    var count: Int { events.count - first }

    mutating func append(_ event: Event) {
        if let joined = joined(with: event) {
            events[events.count - 1] = .fault(joined)
        } else if count < limit - 1 {
            events.append(event)
        } else {
            events.append(.fault(BigDataFault(.overflow, droppedEvents: 1)))
        }
    }

    mutating func next() -> Event? {
        guard first < events.count else { return nil }
        let event = events[first].take()
        first += 1
        if first > events.count / 2 {
            events.removeFirst(first)
            first = 0
        }
        return event
    }

    /// The last fault with one more event in it, if that is how to note the event.
    private func joined(with event: Event) -> BigDataFault? {
        guard count > 0, case .fault(let last)?? = events.last else { return nil }
        if last.kind == .overflow, count >= limit - 1 {
            return BigDataFault(.overflow, droppedEvents: last.droppedEvents &+ 1)
        }
        guard case .fault(let fault) = event, fault.kind == .unexpectedBytes,
            last.kind == .unexpectedBytes,
            last.bytes.count + fault.bytes.count <= Self.longestJoined
        else { return nil }
        return BigDataFault(.unexpectedBytes, bytes: last.bytes + fault.bytes)
    }
}
