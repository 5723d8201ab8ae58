import HaloProtocol

/// A driver of a ring session, which sends recorded requests one at a time, on a time of its own.
///
/// An app may send the next request before the previous one is answered, but a session does not. So
/// the driver hands the recorded answers of a request to the session at once, and waits only for
/// missing ones.
struct RingSessionDriver {
    private var session = RingSession()
    private var now = Moment.origin
    private var request: RequestNumber?
    private var completion: Completion?
    private var hasAnswers = false
    /// The beginning of a record that is written in pieces.
    private var pieces: [UInt8] = []
    private var events: [RingSession.Event] = []

    /// The maximum number of ticks for one request: more than a session needs to give up a request.
    private static let mostTicks = 256
    private static let step: Int64 = 1_000

    /// Sends a recorded write; returns `false` for a piece of a record, and for bytes that a
    /// session cannot send.
    mutating func ask(_ bytes: [UInt8], on channel: CaptureChannel) -> Bool {
        request = nil
        completion = nil
        hasAnswers = false
        switch channel {
        case .uart:
            guard let frame = try? Frame(decoding: bytes) else { return false }
            request = session.send(recorded: frame, at: now)
        case .bigData:
            // A whole record ends one that was never written to its end.
            let isRecord = (try? BigDataFrame(decoding: bytes)) != nil
            let whole = isRecord ? bytes : pieces + bytes
            pieces = []
            if let record = try? BigDataFrame(decoding: whole) {
                request = session.send(recorded: record, at: now)
            } else if whole.first == BigDataFrame.marker,
                whole.count < BigDataFrame.headerLength + BigDataFrame.maximumPayloadLength
            {
                pieces = whole
            }
        default: break
        }
        guard request != nil else { return false }
        wait(untilWritten: true)
        return true
    }

    /// Hands a value of the ring to the session; returns its events.
    mutating func feed(
        _ bytes: [UInt8], on channel: RingChannel, isAnswer: Bool
    ) -> [RingSession.Event] {
        now = now.advanced(byMicroseconds: Self.step)
        session.receive(bytes, on: channel, at: now)
        hasAnswers = hasAnswers || isAnswer
        _ = drain()
        defer { events = [] }
        return events
    }

    /// Waits for the end of the request. Returns its completion, and `true` if there were answers;
    /// `nil` without a request.
    mutating func end() -> (completion: Completion, hasAnswers: Bool)? {
        guard request != nil else { return nil }
        wait(untilWritten: false)
        events = []
        defer { request = nil }
        return completion.map { ($0, hasAnswers) }
    }

    private mutating func wait(untilWritten: Bool) {
        var isWritten = drain()
        for _ in 0..<Self.mostTicks {
            if completion != nil || untilWritten && isWritten { return }
            guard let deadline = session.deadline else { return }
            now = max(now, deadline)
            session.tick(at: now)
            isWritten = drain() || isWritten
        }
    }

    /// Drains the effects of the session; returns `true` if it has written.
    private mutating func drain() -> Bool {
        var isWritten = false
        while let effect = session.nextEffect() {
            switch effect {
            case .write, .writeRecord: isWritten = true
            case .finished(let end) where end.number == request: completion = end
            case .event(let event): events.append(event)
            case .finished, .stream: break
            }
        }
        return isWritten
    }
}
