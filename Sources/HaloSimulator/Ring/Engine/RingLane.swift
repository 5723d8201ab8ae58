internal import HaloProtocol

/// The requests of one service, answered one after the other.
///
/// A ring has little room: what comes on top of ``limit`` is lost, as overlapping requests are on
/// real rings. How much room they have is not known.
struct RingLane<Request: Sendable>: Sendable {
    /// How many requests wait at most.
    static var limit: Int { 8 }

    private var waiting: [Request] = []
    /// When the first one is answered.
    private(set) var due: Moment?
    /// When the answer before has been sent.
    private(set) var freeAt = Moment(microseconds: .min)
    /// How many requests were lost because too many waited.
    private(set) var dropped = 0

    /// Takes in a request that will be answered after a while.
    mutating func put(_ request: Request, at now: Moment, after delay: Duration) {
        guard waiting.count < Self.limit else {
            dropped += 1
            return
        }
        waiting.append(request)
        if due == nil { due = max(now, freeAt) + delay }
    }

    /// The request whose time has come.
    mutating func take(at now: Moment) -> Request? {
        guard let due, due <= now, !waiting.isEmpty else { return nil }
        self.due = nil
        return waiting.removeFirst()
    }

    /// The answer will have been sent at a moment; then the next request has its turn.
    mutating func answered(until end: Moment, nextAfter delay: Duration) {
        freeAt = end
        due = waiting.isEmpty ? nil : end + delay
    }

    /// The other service has its turn until a moment.
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
