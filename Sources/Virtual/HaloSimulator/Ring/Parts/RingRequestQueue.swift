internal import HaloProtocol

/// A queue of the requests to one service, answered one at a time.
///
/// Requests beyond ``limit`` are lost, as overlapping requests are on real rings. The limit of real
/// rings is not known.
struct RingRequestQueue<Request: Sendable>: Sendable {
    static var limit: Int { 8 }

    private var waiting: [Request] = []
    private(set) var due: Moment?
    /// The end of the last reply.
    private(set) var freeAt = Moment(microseconds: .min)
    private(set) var dropped = 0

    mutating func append(_ request: Request, at now: Moment, after delay: Duration) {
        guard waiting.count < Self.limit else {
            dropped += 1
            return
        }
        waiting.append(request)
        if due == nil { due = max(now, freeAt) + delay }
    }

    mutating func popFirst(dueBy now: Moment) -> Request? {
        guard let due, due <= now, !waiting.isEmpty else { return nil }
        self.due = nil
        return waiting.removeFirst()
    }

    /// Notes the end of a reply, and schedules the next one after a delay.
    mutating func answered(until end: Moment, nextAfter delay: Duration) {
        freeAt = end
        due = waiting.isEmpty ? nil : end + delay
    }

    /// Postpones replies until a moment, while the other service replies.
    mutating func wait(until moment: Moment) {
        freeAt = max(freeAt, moment)
        if let due { self.due = max(due, moment) }
    }

    mutating func removeAll() {
        waiting.removeAll()
        due = nil
        freeAt = Moment(microseconds: .min)
    }
}
