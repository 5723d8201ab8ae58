import HaloProtocol
import HaloSimulator

/// A session that wraps a correct one, and makes one mistake.
protocol MisbehavingSession: SessionUnderTest {
    var session: RingSession { get set }
}

extension MisbehavingSession {
    var deadline: Moment? { session.deadline }
    mutating func nextEffect() -> RingSession.Effect? { session.nextEffect() }
    mutating func receive(_ bytes: [UInt8], on channel: RingChannel, at now: Moment) {
        session.receive(bytes, on: channel, at: now)
    }
    mutating func tick(at now: Moment) { session.tick(at: now) }
    mutating func disconnect(at now: Moment) { session.disconnect(at: now) }
    mutating func cancel(_ number: RequestNumber, at now: Moment) {
        session.cancel(number, at: now)
    }
    mutating func ask<Result>(_ body: (inout RingSession) -> Result) -> Result { body(&session) }
}

/// A session that accepts frames with a wrong checksum.
struct ChecksumIgnored: MisbehavingSession {
    var session: RingSession

    init(_ rules: SessionRules) { session = RingSession(rules) }

    mutating func receive(_ bytes: [UInt8], on channel: RingChannel, at now: Moment) {
        var bytes = bytes
        if channel == .uart, bytes.count == Frame.length {
            bytes[Frame.length - 1] = bytes.dropLast().reduce(0, &+)
        }
        session.receive(bytes, on: channel, at: now)
    }
}

/// A session that accepts a late reply for the next request of the command.
struct StaleReplyAccepted: MisbehavingSession {
    var session: RingSession
    private var late: [Frame] = []
    private var now = Moment.origin

    init(_ rules: SessionRules) { session = RingSession(rules) }

    mutating func receive(_ bytes: [UInt8], on channel: RingChannel, at now: Moment) {
        self.now = now
        session.receive(bytes, on: channel, at: now)
    }

    mutating func tick(at now: Moment) {
        self.now = now
        session.tick(at: now)
    }

    mutating func nextEffect() -> RingSession.Effect? {
        let effect = session.nextEffect()
        switch effect {
        case .event(.late(let frame)):
            late.append(frame)
        case .write(let request, _):
            for frame in late where frame.opcode == request.opcode {
                session.receive(frame.bytes, on: .uart, at: now)
            }
            late.removeAll { $0.opcode == request.opcode }
        default: break
        }
        return effect
    }
}

/// A session that repeats every write without a reply.
struct EveryWriteRetried: MisbehavingSession {
    var session: RingSession
    private var unanswered: (write: RingSession.Effect, opcode: UInt8, until: Moment)?
    private var again: RingSession.Effect?
    private var now = Moment.origin

    init(_ rules: SessionRules) { session = RingSession(rules) }

    var deadline: Moment? {
        [session.deadline, unanswered?.until].compactMap { $0 }.min()
    }

    mutating func receive(_ bytes: [UInt8], on channel: RingChannel, at now: Moment) {
        self.now = now
        if bytes.first == unanswered?.opcode { unanswered = nil }
        session.receive(bytes, on: channel, at: now)
    }

    mutating func tick(at now: Moment) {
        self.now = now
        if let (write, _, until) = unanswered, until <= now {
            again = write
            unanswered = nil
        }
        session.tick(at: now)
    }

    mutating func disconnect(at now: Moment) {
        unanswered = nil
        again = nil
        session.disconnect(at: now)
    }

    mutating func nextEffect() -> RingSession.Effect? {
        if let write = again {
            again = nil
            return write
        }
        let effect = session.nextEffect()
        if let effect, case .write(let frame, _) = effect {
            unanswered = (effect, frame.opcode, now + .milliseconds(2500))
        }
        return effect
    }
}

/// A session that at times drops the end of a request.
struct CompletionLost: MisbehavingSession {
    var session: RingSession
    private var completions = 0

    init(_ rules: SessionRules) { session = RingSession(rules) }

    mutating func nextEffect() -> RingSession.Effect? {
        let effect = session.nextEffect()
        guard case .finished(let completion) = effect, completion.error != nil else {
            return effect
        }
        completions += 1
        return completions.isMultiple(of: 5) ? session.nextEffect() : effect
    }
}

/// A session that ends a repeated request twice.
struct AnswerGivenTwice: MisbehavingSession {
    var session: RingSession
    private var again: RingSession.Effect?

    init(_ rules: SessionRules) { session = RingSession(rules) }

    mutating func nextEffect() -> RingSession.Effect? {
        if let effect = again {
            again = nil
            return effect
        }
        let effect = session.nextEffect()
        if case .finished(let completion) = effect, completion.attempts > 1 { again = effect }
        return effect
    }
}

/// A session that waits for a reply without a deadline.
struct DeadlineForgotten: MisbehavingSession {
    var session: RingSession

    init(_ rules: SessionRules) { session = RingSession(rules) }

    var deadline: Moment? { session.openRequestCount > 1 ? nil : session.deadline }
}

/// A session whose deadline is always due after an error.
struct NeverSatisfied: MisbehavingSession {
    var session: RingSession
    private var isRestless = false

    init(_ rules: SessionRules) { session = RingSession(rules) }

    var deadline: Moment? { isRestless ? .origin : session.deadline }

    mutating func nextEffect() -> RingSession.Effect? {
        let effect = session.nextEffect()
        if case .event(.brokenFrame) = effect { isRestless = true }
        return effect
    }
}

/// A session that ends a stream twice.
struct StreamEndedTwice: MisbehavingSession {
    var session: RingSession
    private var again: RingSession.Effect?

    init(_ rules: SessionRules) { session = RingSession(rules) }

    mutating func nextEffect() -> RingSession.Effect? {
        if let effect = again {
            again = nil
            return effect
        }
        let effect = session.nextEffect()
        if case .stream(_, .ended) = effect { again = effect }
        return effect
    }
}

/// A session whose queues have no limit.
struct NothingDropped: MisbehavingSession {
    var session: RingSession

    init(_ rules: SessionRules) {
        var rules = rules
        rules.effectLimit = 1 << 20
        session = RingSession(rules)
    }
}
