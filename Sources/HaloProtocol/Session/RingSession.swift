/// A conversation with a ring: bytes and time go in, effects come out.
public struct RingSession: Sendable {
    /// What a session wants done.
    public enum Effect: Hashable, Sendable {
        /// Write this to ``RingServices/uartWrite``.
        case write(Frame)
        /// Write this to ``RingServices/bigDataWrite``, in pieces of what the link can carry.
        case writeRecord(BigDataFrame)
        /// A request has ended.
        case finished(Completion)
        /// A stream has something to say.
        case stream(StreamNumber, StreamReport)
        /// The ring said something unasked.
        case event(RingEvent)
    }

    /// How patient it is.
    public let rules: SessionRules

    /// A session of a link that has just been made.
    public init(_ rules: SessionRules = SessionRules()) {
        self.rules = rules
    }

    /// When ``tick(at:)`` wants to be called; nothing if nothing is waited for.
    public var deadline: Moment? { nil }

    /// The next thing to be done.
    public mutating func nextEffect() -> Effect? { nil }

    /// Takes in a notification.
    public mutating func receive(
        _ bytes: some Sequence<UInt8>, on channel: RingChannel, at now: Moment
    ) {}

    /// The time has come, or perhaps not yet.
    public mutating func tick(at now: Moment) {}

    /// The link has ended: so does all that waits.
    public mutating func disconnect(at now: Moment) {}

    /// Takes a request back; it ends as cancelled, unless it has ended already.
    public mutating func cancel(_ number: TicketNumber, at now: Moment) {}
}
