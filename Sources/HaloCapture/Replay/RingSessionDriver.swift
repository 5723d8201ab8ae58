import HaloProtocol

/// A session of a ring that asks what was recorded, one request at a time, on a time of its own.
///
/// Apps send the next request before the last is answered, and a session does not: so each one
/// gets what answers it at once, and waits for nothing but what did not come.
struct RingSessionDriver {
    /// What became of a recorded write.
    enum Asked {
        /// The session has sent it.
        case sent
        /// A piece of a record that is not whole.
        case piece
        /// Nothing that a session could send.
        case unknown
        /// Nothing for a ring.
        case nothing
    }

    private var session = RingSession()
    private var now = Moment.origin
    private var ticket: TicketNumber?
    private var completion: Completion?
    private var hasAnswers = false
    /// The beginning of a record that is written in pieces.
    private var pieces: [UInt8] = []
    private var events: [RingEvent] = []

    /// How often a session is woken for one request: more than it takes to give one up.
    private static let mostTicks = 256
    private static let step: Int64 = 1_000

    mutating func ask(_ bytes: [UInt8], on channel: CaptureChannel) -> Asked {
        ticket = nil
        completion = nil
        hasAnswers = false
        switch channel {
        case .uart:
            guard let frame = try? Frame(decoding: bytes) else { return .unknown }
            ticket = session.send(recorded: frame, at: now)
        case .bigData:
            let whole = pieces + bytes
            pieces = []
            if let record = try? BigDataFrame(decoding: whole) {
                ticket = session.send(recorded: record, at: now)
            } else if whole.first == BigDataFrame.marker,
                whole.count < BigDataFrame.headerLength + BigDataFrame.maximumPayloadLength
            {
                pieces = whole
                return .piece
            }
        default: return .nothing
        }
        guard ticket != nil else { return .unknown }
        var isWritten = drain()
        for _ in 0..<Self.mostTicks where !isWritten && completion == nil {
            guard let deadline = session.deadline else { break }
            now = max(now, deadline)
            session.tick(at: now)
            isWritten = drain() || isWritten
        }
        return .sent
    }

    /// Gives the session a value of the ring; gives back what it takes for unasked.
    mutating func feed(
        _ bytes: [UInt8], on channel: RingChannel, isAnswer: Bool
    ) -> [RingEvent] {
        now = now.advanced(byMicroseconds: Self.step)
        session.receive(bytes, on: channel, at: now)
        hasAnswers = hasAnswers || isAnswer
        _ = drain()
        defer { events = [] }
        return events
    }

    /// Waits until the request has ended; says how, and whether anything had come.
    mutating func end() -> (completion: Completion, hasAnswers: Bool)? {
        guard ticket != nil else { return nil }
        for _ in 0..<Self.mostTicks where completion == nil {
            guard let deadline = session.deadline else { break }
            now = max(now, deadline)
            session.tick(at: now)
            _ = drain()
        }
        events = []
        defer { ticket = nil }
        return completion.map { ($0, hasAnswers) }
    }

    /// Takes what the session wants done; says whether it has written something.
    private mutating func drain() -> Bool {
        var isWritten = false
        while let effect = session.nextEffect() {
            switch effect {
            case .write, .writeRecord: isWritten = true
            case .finished(let end) where end.number == ticket: completion = end
            case .event(let event): events.append(event)
            case .finished, .stream: break
            }
        }
        return isWritten
    }
}
