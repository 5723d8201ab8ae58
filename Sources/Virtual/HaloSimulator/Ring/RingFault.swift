/// A fault of a ring: a behaviour other than that of its profile, for one kind of request.
public struct RingFault: Hashable, Sendable {
    /// A kind of request.
    public enum Request: Hashable, Sendable {
        /// The frames with an opcode.
        case command(UInt8)
        /// The records with an id.
        case record(UInt8)
    }

    /// The effect of a fault on a request.
    public enum Effect: Hashable, Sendable {
        /// The ring does not reply.
        case silence
        /// The ring refuses the request.
        case refusal
        /// The ring replies later. Until then, the requests after it wait, too.
        case delay(Duration)
        /// The ring does not reply, and closes the link.
        case disconnection

        /// The behaviour in place of that of the profile; `nil` if it stays the same.
        var behaviour: RingBehaviour? {
            switch self {
            case .silence, .disconnection: .silent
            case .refusal: .refuses
            case .delay: nil
            }
        }

        var delay: Duration {
            if case .delay(let duration) = self { max(duration, .zero) } else { .zero }
        }
    }

    /// The effect.
    package var effect: Effect
    /// The kind of request.
    package var request: Request
    /// The number of requests, from the first one on, that the fault affects; `nil` for all.
    package var count: Int?

    /// Creates a fault, by default of all requests of a kind.
    public init(_ effect: Effect, of request: Request, count: Int? = nil) {
        self.effect = effect
        self.request = request
        self.count = count
    }
}

struct RingFaults: Sendable {
    private var waiting: [RingFault]

    init(_ faults: [RingFault]) { waiting = faults.filter { $0.count.map { $0 > 0 } ?? true } }

    /// Returns the effect of the first fault for a request, and counts the request.
    mutating func next(for request: RingFault.Request) -> RingFault.Effect? {
        guard let index = waiting.firstIndex(where: { $0.request == request }) else { return nil }
        let fault = waiting[index]
        if let count = fault.count {
            if count > 1 { waiting[index].count = count - 1 } else { waiting.remove(at: index) }
        }
        return fault.effect
    }
}
