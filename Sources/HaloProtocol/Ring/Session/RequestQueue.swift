/// A request in the queue: the bytes to write, the sender, and the collector of its reply.
struct QueuedRequest: Sendable {
    /// The sender of a request.
    enum Purpose: Hashable, Sendable {
        case app(RequestNumber)
        case stream(StreamNumber, StreamStep)
    }

    /// The channel and the code of a request, by which late replies are matched to commands.
    struct Key: Hashable, Sendable {
        let channel: RingChannel
        let code: UInt8
    }

    let purpose: Purpose
    let packet: ChannelFrame
    /// `true` if the request may be sent again.
    let repeats: Bool
    /// The collector of the reply, or `nil` for a request without a reply.
    let collector: Collector?
    /// `true` if the request is sent even while a late reply to the same command may come.
    var overtakesLateReplies = false
    /// `true` if a late reply delays later requests; `false` if it is a report of a stream.
    var leavesLateReply = true

    var key: Key {
        switch packet {
        case .frame(let frame): Key(channel: .uart, code: frame.opcode)
        case .record(let record): Key(channel: .bigData, code: record.id)
        }
    }

    /// The number of a request from the app, or `nil` for a request of a stream.
    var number: RequestNumber? {
        if case .app(let number) = purpose { number } else { nil }
    }

    func belongs(to stream: StreamNumber) -> Bool {
        if case .stream(stream, _) = purpose { true } else { false }
    }

    fileprivate var isRecord: Bool {
        if case .record = packet { true } else { false }
    }

    fileprivate func effect(_ write: WriteNumber) -> RingSession.Effect {
        switch packet {
        case .frame(let frame): .write(frame, write)
        case .record(let record): .writeRecord(record, write)
        }
    }
}

/// A request that has ended, and its outcome.
struct EndedRequest: Sendable {
    let request: QueuedRequest
    let completion: Completion
}

/// The requests of a session: the waiting ones, the active one, and late replies that may come.
///
/// Rules 1 to 5 and 11 of ``RingSession``. At most one request is active. Its phases:
///
/// | phase | ends with | then |
/// |---|---|---|
/// | `ready` | the moment `at` | it is written: `reply`, or `unanswered` if it has no reply |
/// | `reply` | the last frame | the request ends with its reply |
/// | `reply` | a record after which others may follow | `furtherRecords` |
/// | `reply` | a timeout, or a missing frame | `ready` again, or the request ends with an error |
/// | `ready` | a record, or the last frame, of the attempt before | as in `reply` |
/// | `furtherRecords` | a timeout, or the last record | the request ends with its reply |
/// | `unanswered` | the moment `ends` | the request ends as sent |
struct RequestQueue: Sendable {
    private var waiting: [QueuedRequest] = []
    private var active: ActiveRequest?
    private var lateReplies: [LateReply] = []
    /// The moment from which the next request may be sent.
    private var freeAt = Moment(microseconds: .min)
    /// The last frame of a late reply, and the end of the time in which an equal one is a
    /// duplicate.
    private var lastLate: (incoming: ChannelFrame, ends: Moment)?

    /// The time in which an equal frame is a duplicate by the link.
    private static let duplicateMicroseconds: Int64 = 100_000

    var deadline: Moment? {
        if let active { return active.deadline }
        if waiting.isEmpty { return nil }
        if sendableIndex != nil { return freeAt }
        return lateReplies.map { $0.expires }.min().map { max($0, freeAt) } ?? freeAt
    }

    /// The index of the first waiting request that no late reply delays.
    private var sendableIndex: Int? {
        waiting.firstIndex { request in
            request.overtakesLateReplies || !lateReplies.contains { $0.key == request.key }
        }
    }

    /// The number of waiting requests from the app.
    private var waitingCount: Int { waiting.count { $0.number != nil } }

    /// The number of requests from the app that have not ended.
    var openCount: Int { waitingCount + (active?.request.number == nil ? 0 : 1) }

    /// Returns `true` if no further request of the app may wait.
    func isFull(_ rules: SessionRules) -> Bool { waitingCount >= max(rules.queueLimit, 1) }

    /// Adds a request to the end of the queue, or before all others.
    mutating func append(_ request: QueuedRequest, first: Bool = false) {
        if first { waiting.insert(request, at: 0) } else { waiting.append(request) }
    }

    func hasWaiting(of stream: StreamNumber) -> Bool {
        waiting.contains { $0.belongs(to: stream) }
    }

    mutating func removeWaiting(where predicate: (QueuedRequest) -> Bool) {
        waiting.removeAll(where: predicate)
    }

    /// Removes all requests of a stream, including the active one.
    mutating func withdraw(_ stream: StreamNumber, _ clock: SessionClock) {
        waiting.removeAll { $0.belongs(to: stream) }
        if active?.request.belongs(to: stream) == true {
            active = nil
            freeAt = clock.after(clock.rules.spacing)
        }
    }

    /// Ends all requests for the same reason.
    ///
    /// A request without a reply succeeds if it was written and `isAllWritten`.
    mutating func endAll(_ kind: SessionError.Kind, isAllWritten: Bool) -> [Completion] {
        var completions: [Completion] = []
        if let active, let number = active.request.number {
            let isSent = if case .unanswered = active.phase { isAllWritten } else { false }
            completions.append(
                Completion(
                    number: number, received: active.received,
                    error: isSent ? nil : SessionError(kind, received: active.received),
                    attempts: active.attempts, lastWrite: active.write))
        }
        for number in waiting.compactMap({ $0.number }) {
            completions.append(
                Completion(number: number, error: SessionError(kind), attempts: 0))
        }
        waiting = []
        active = nil
        lateReplies = []
        return completions
    }
}

/// Sending requests.
extension RequestQueue {
    /// Activates the next request, if one may be sent now. Returns `false` if none may.
    mutating func activateNext(at now: Moment) -> Bool {
        guard active == nil, freeAt <= now, let index = sendableIndex else { return false }
        active = ActiveRequest(waiting.remove(at: index), at: now)
        return true
    }

    /// `true` if the active request is on the big-data channel.
    var isRecordActive: Bool { active?.request.isRecord == true }

    /// `true` if the active request waits to be written.
    var isReady: Bool {
        if case .ready? = active?.phase { true } else { false }
    }

    /// Writes the active request, for the first time or again. Returns its sender.
    mutating func transmit(
        _ write: WriteNumber, into effects: inout EffectQueue<RingSession.Effect>,
        _ clock: SessionClock
    ) -> QueuedRequest.Purpose? {
        guard var active = active else { return nil }
        let request = active.request
        active.attempts += 1
        active.write = write
        if active.attempts > 1, let collector = active.collector {
            active.collector = collector.receive(nil).next ?? collector
            if !collector.joinsAnswers { active.received = ReceivedAnswer() }
        }
        if let collector = request.collector {
            active.phase = .reply(
                frameEnds: clock.after(clock.rules.frameTimeout),
                replyEnds: clock.after(clock.rules.replyTimeout))
            if request.leavesLateReply {
                lateReplies.append(
                    LateReply(
                        purpose: request.purpose, key: request.key, write: write,
                        collector: collector,
                        expires: clock.after(clock.rules.lateReplyTimeout)))
            }
        } else {
            active.phase = .unanswered(ends: clock.after(clock.rules.spacingWithoutReply))
        }
        self.active = active
        effects.append(request.effect(write))
        return request.purpose
    }

    /// The work that is due for the active request.
    enum DueWork {
        /// The request must be written.
        case transmit
        /// The request ends without an error.
        case finish
        /// The reply, or the rest of it, is overdue.
        case timeout
    }

    func dueWork(at now: Moment) -> DueWork? {
        guard let active, active.deadline <= now else { return nil }
        return switch active.phase {
        case .ready: .transmit
        case .reply: .timeout
        case .furtherRecords, .unanswered: .finish
        }
    }

    /// Schedules the next attempt of the active request, or ends the request after the last one.
    mutating func failAttempt(_ clock: SessionClock) -> EndedRequest? {
        guard let active else { return nil }
        guard active.request.repeats, active.attempts < max(clock.rules.attempts, 1) else {
            return endActive(active.failure, clock)
        }
        self.active?.phase = .ready(at: clock.after(clock.rules.spacing))
        return nil
    }

    /// Ends the active request with its reply, or with an error if `kind` is not `nil`.
    mutating func endActive(_ kind: SessionError.Kind?, _ clock: SessionClock) -> EndedRequest? {
        guard let active else { return nil }
        let error = kind.map {
            let isFault = $0 == .incomplete || $0 == .malformed
            return SessionError(
                $0, packetError: isFault ? active.fault : nil, received: active.received)
        }
        self.active = nil
        let rules = clock.rules
        freeAt = clock.after(kind == .cancelled ? rules.spacingWithoutReply : rules.spacing)
        return EndedRequest(
            request: active.request,
            completion: Completion(
                number: active.request.number ?? RequestNumber(0), received: active.received,
                error: error, attempts: active.attempts, lastWrite: active.write))
    }

    /// Ends a request of the app as cancelled. Returns `nil` if it has ended already.
    mutating func cancel(_ number: RequestNumber, _ clock: SessionClock) -> EndedRequest? {
        if let index = waiting.firstIndex(where: { $0.number == number }) {
            return EndedRequest(
                request: waiting.remove(at: index),
                completion: Completion(
                    number: number, error: SessionError(.cancelled), attempts: 0))
        }
        return active?.request.number == number ? endActive(.cancelled, clock) : nil
    }

    /// Ends the request whose last write has failed; no late reply to that write is expected.
    mutating func writeFailed(_ write: WriteNumber, _ clock: SessionClock) -> EndedRequest? {
        lateReplies.removeAll { $0.write == write }
        return active?.write == write ? endActive(.writeFailed, clock) : nil
    }
}

/// Receiving frames.
extension RequestQueue {
    /// The effect of a frame on the active request.
    struct Reception {
        /// `true` if the frame belongs to the reply.
        var isReply = false
        /// The fault of a frame that has the reply's command and cannot be decoded.
        var fault: PacketError?
        /// The active request if the frame has ended it, else `nil`.
        var ended: EndedRequest?
    }

    /// Passes a frame to the active request.
    mutating func receive(_ incoming: ChannelFrame, _ clock: SessionClock) -> Reception {
        guard let collector = active?.collector else { return Reception() }
        let (step, next) = collector.receive(incoming)
        if let next { active?.collector = next }
        if case .foreign = step { return Reception() }
        active?.count(incoming)
        active?.extendFrameTimeout(until: clock.after(clock.rules.frameTimeout))
        _ = advanceLateReply(incoming, at: clock.now)
        var reception = Reception(isReply: true)
        switch step {
        case .foreign:
            break
        case .part:
            active?.received.insert(incoming)
        case .enough:
            active?.received.insert(incoming)
            active?.awaitFurtherRecords(until: clock.after(clock.rules.furtherRecordTimeout))
        case .complete(let answer):
            active?.received = answer
            reception.ended = endActive(nil, clock)
        case .missing(let fault):
            active?.received.insert(incoming)
            active?.fault = fault
            reception.ended = failAttempt(clock)
        case .broken(let fault):
            active?.fault = fault
            reception.fault = fault
        }
        if active?.isFlooded == true { reception.ended = endActive(.tooLong, clock) }
        return reception
    }

    /// Extends the frame timeout of the active request while a record arrives in pieces.
    mutating func extendRecord(_ clock: SessionClock) {
        guard isRecordActive else { return }
        active?.extendFrameTimeout(until: clock.after(clock.rules.frameTimeout))
    }

    /// Passes a frame to the late replies, and delays the next request if it belongs to one.
    mutating func receiveLate(_ incoming: ChannelFrame, _ clock: SessionClock) -> Bool {
        guard advanceLateReply(incoming, at: clock.now) else { return false }
        freeAt = max(freeAt, clock.after(clock.rules.spacing))
        return true
    }

    mutating func removeExpiredLateReplies(at now: Moment) {
        lateReplies.removeAll { $0.expires <= now }
    }

    /// Advances the late reply that a frame belongs to. Returns `false` if there is none.
    ///
    /// A ring replies in order: the first frame of the next reply to the same request ends the
    /// previous reply, whose rest is lost. An equal frame within 100 ms is a duplicate by the link.
    private mutating func advanceLateReply(_ incoming: ChannelFrame, at now: Moment) -> Bool {
        if lateReplies.isEmpty { return false }
        if let lastLate, lastLate.incoming == incoming, now < lastLate.ends { return true }
        guard advanceLateReply(incoming) else { return false }
        lastLate = (incoming, now.advanced(byMicroseconds: Self.duplicateMicroseconds))
        return true
    }

    private mutating func advanceLateReply(_ incoming: ChannelFrame) -> Bool {
        for index in lateReplies.indices {
            let (step, next) = lateReplies[index].collector.receive(incoming)
            if let next { lateReplies[index].collector = next }
            switch step {
            case .foreign:
                continue
            case .part(let isFirst):
                let purpose = lateReplies[index].purpose
                let isOver = isFirst && lateReplies[index].hasBegun
                if isOver, lateReplies[(index + 1)...].contains(where: { $0.purpose == purpose }) {
                    lateReplies.remove(at: index)
                    return advanceLateReply(incoming)
                }
                lateReplies[index].hasBegun = true
            case .broken:
                lateReplies[index].hasBegun = true
            case .complete, .enough, .missing:
                lateReplies.remove(at: index)
            }
            return true
        }
        return false
    }
}

/// The active request, which was taken out of the queue and has not ended.
private struct ActiveRequest: Sendable {
    enum Phase: Hashable, Sendable {
        /// The request will be written at this moment.
        case ready(at: Moment)
        /// The reply is expected: the next frame until `frameEnds`, the whole until `replyEnds`.
        case reply(frameEnds: Moment, replyEnds: Moment)
        /// The reply is complete, unless further records come.
        case furtherRecords(ends: Moment, replyEnds: Moment)
        /// The request has no reply, and ends at this moment.
        case unanswered(ends: Moment)
    }

    let request: QueuedRequest
    var collector: Collector?
    var received = ReceivedAnswer()
    var attempts = 0
    /// The last write of the request, or `nil` before the first.
    var write: WriteNumber?
    var phase: Phase
    /// The fault of the last frame that could not be decoded, or the missing frame.
    var fault: PacketError?
    private var frameCount = 0
    private var byteCount = 0

    private static let maximumFrames = 1024
    private static let maximumBytes = 1 << 20

    init(_ request: QueuedRequest, at now: Moment) {
        self.request = request
        collector = request.collector
        phase = .ready(at: now)
    }

    var deadline: Moment {
        switch phase {
        case .ready(let moment), .unanswered(let moment): moment
        case .reply(let ends, let replyEnds), .furtherRecords(let ends, let replyEnds):
            min(ends, replyEnds)
        }
    }

    /// `true` if more frames or bytes have come than a reply can have.
    var isFlooded: Bool { frameCount > Self.maximumFrames || byteCount > Self.maximumBytes }

    /// The reason for the missing reply after the last attempt.
    var failure: SessionError.Kind {
        received.count > 0 ? .incomplete : fault != nil ? .malformed : .timedOut
    }

    mutating func count(_ incoming: ChannelFrame) {
        frameCount += 1
        byteCount += incoming.length
    }

    mutating func extendFrameTimeout(until moment: Moment) {
        if case .reply(_, let replyEnds) = phase {
            phase = .reply(frameEnds: moment, replyEnds: replyEnds)
        }
    }

    mutating func awaitFurtherRecords(until moment: Moment) {
        switch phase {
        case .reply(_, let replyEnds), .furtherRecords(_, let replyEnds):
            phase = .furtherRecords(ends: moment, replyEnds: replyEnds)
        case .ready:
            phase = .furtherRecords(ends: moment, replyEnds: moment)
        case .unanswered:
            break
        }
    }
}

/// A reply that may still come after its request has ended or was sent again.
private struct LateReply: Sendable {
    let purpose: QueuedRequest.Purpose
    let key: QueuedRequest.Key
    let write: WriteNumber
    var collector: Collector
    /// `true` once a frame of the late reply has come.
    var hasBegun = false
    let expires: Moment
}
