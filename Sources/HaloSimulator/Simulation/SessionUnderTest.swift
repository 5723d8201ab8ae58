public import HaloProtocol

/// A session that a simulation drives: ``RingSession``, or one that is made to misbehave.
///
/// It has the verbs of ``RingSession``. Requests are typed, and there are many kinds of them, so
/// they are not repeated here: whoever asks is let at the session itself.
public protocol SessionUnderTest {
    /// A session of a link that has just been made.
    init(_ rules: SessionRules)

    /// When it wants to be told the time; nothing if it waits for nothing.
    var deadline: Moment? { get }

    /// The next thing to be done.
    mutating func nextEffect() -> RingSession.Effect?

    /// Takes in a notification.
    mutating func receive(_ bytes: [UInt8], on channel: RingChannel, at now: Moment)

    /// The time has come, or perhaps not yet.
    mutating func tick(at now: Moment)

    /// The link has ended.
    mutating func disconnect(at now: Moment)

    /// Takes a request back.
    mutating func cancel(_ number: TicketNumber, at now: Moment)

    /// Lets somebody ask the session that this one is, or wraps.
    mutating func ask<Result>(_ body: (inout RingSession) -> Result) -> Result
}

extension RingSession: SessionUnderTest {
    /// Takes in a notification.
    public mutating func receive(_ bytes: [UInt8], on channel: RingChannel, at now: Moment) {
        receive(bytes[...], on: channel, at: now)
    }

    /// Lets somebody ask this session.
    public mutating func ask<Result>(_ body: (inout RingSession) -> Result) -> Result {
        body(&self)
    }
}
