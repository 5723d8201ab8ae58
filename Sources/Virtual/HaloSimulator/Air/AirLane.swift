internal import HaloProtocol
internal import HaloTransport

/// The packets of a link that wait in one direction.
struct AirLane<Packet: AirPacket> {
    /// A packet, with the moment of queueing. `hasDrawnFaults` is `true` once random faults were
    /// drawn for it.
    private typealias Waiting = (packet: Packet, since: Moment, hasDrawnFaults: Bool)

    private var waiting = Queue<Waiting>()
    /// The end of the delay that a fault has caused.
    var heldUntil = Moment.origin

    var count: Int { waiting.count }

    /// The first packet, if no faults were drawn for it.
    var undecided: Packet? { waiting.first.flatMap { $0.hasDrawnFaults ? nil : $0.packet } }

    /// The moment after which the first packet travels; `nil` if none waits.
    var ready: Moment? { waiting.first.map { max($0.since, heldUntil) } }

    /// `true` if a packet travels now, in a connection event that has begun at a moment.
    func travels(at now: Moment, since start: Moment) -> Bool {
        guard let first = waiting.first else { return false }
        return first.since < start && now >= heldUntil
    }

    mutating func append(_ packet: Packet, at now: Moment) {
        waiting.append((packet, now, false))
    }

    mutating func popFirst() -> Packet? { waiting.popFirst()?.packet }

    /// Remembers that faults were drawn for the first packet.
    mutating func decide() { waiting.updateFirst { $0.hasDrawnFaults = true } }
}
