public import HaloProtocol
internal import HaloTransport

/// A thing that happens between an app and a ring, for logs.
public struct RingObservation: Hashable, Sendable {
    /// What happened.
    public enum Content: Hashable, Sendable {
        /// The connection is another than before.
        case state(ConnectionState)
        /// Bytes were written to the ring.
        case written(RingChannel, [UInt8])
        /// Bytes came from the ring.
        case received(RingChannel, [UInt8])
        /// A request has ended.
        case finished(TicketNumber, SessionError?, attempts: Int)
        /// The ring said something unasked.
        case event(RingEvent)
    }

    /// When, on the transport's timeline.
    public let time: Moment
    /// What happened.
    public let content: Content
}
