internal import HaloProtocol

/// A packet in a queue, with the moment of queueing.
struct AirWaiting<Packet> {
    let packet: Packet
    let since: Moment
    /// `true` once random faults were drawn for it.
    var hasDrawnFaults = false
}
