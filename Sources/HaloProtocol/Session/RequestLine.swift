/// The requests of a session: those that wait, the one that is out, and what rings still owe.
struct RequestLine: Sendable {
    var waiting: [SessionRequest] = []
    var active: ActiveRequest?
    var owed: [OwedAnswer] = []
    /// When the next request may be sent.
    var freeAt = Moment(microseconds: .min)
    /// The last frame of an answer that was owed, and until when the same one is a repeat of it.
    private var lastNoted: (incoming: Incoming, ends: Moment)?

    /// When something of it is due.
    var deadline: Moment? {
        if let active { return active.deadline }
        if waiting.isEmpty { return nil }
        if sendableIndex != nil { return freeAt }
        return owed.map { $0.expires }.min().map { max($0, freeAt) } ?? freeAt
    }

    /// Which of the waiting requests goes next: the first for which no late answer is waited out.
    var sendableIndex: Int? {
        waiting.firstIndex { request in
            request.overtakesLateAnswers || !owed.contains { $0.key == request.key }
        }
    }

    /// How many requests wait that were sent by an app.
    var waitingTicketCount: Int { waiting.count { $0.ticket != nil } }

    /// How many requests of an app have not ended.
    var ticketCount: Int { waitingTicketCount + (active?.request.ticket == nil ? 0 : 1) }

    /// Takes a request of an app out of the line.
    mutating func removeWaiting(_ number: TicketNumber) -> SessionRequest? {
        guard let index = waiting.firstIndex(where: { $0.ticket == number }) else { return nil }
        return waiting.remove(at: index)
    }

    /// Everything has ended, for the same reason; but what nothing answers is done once written.
    mutating func end(_ kind: SessionError.Kind, isAllWritten: Bool) -> [Completion] {
        var completions: [Completion] = []
        if let active, let number = active.request.ticket {
            let isDone = active.phase == .silence && isAllWritten
            let error = isDone ? nil : SessionError(kind, received: active.received)
            completions.append(
                Completion(
                    number: number, received: active.received, error: error,
                    attempts: active.attempts, lastWrite: active.write))
        }
        for number in waiting.compactMap({ $0.ticket }) {
            completions.append(
                Completion(number: number, error: SessionError(kind), attempts: 0))
        }
        waiting = []
        active = nil
        owed = []
        return completions
    }

    /// Notes that a frame is a part of an answer that is owed, if it is of any.
    ///
    /// A ring answers in order: where the first frame comes of the next answer to the same
    /// request, the rest of the one before is lost. A frame that comes twice at once is taken for
    /// one that the link has doubled, and not for two answers.
    mutating func note(_ incoming: Incoming, at now: Moment) -> Bool {
        if owed.isEmpty { return false }
        if let lastNoted, lastNoted.incoming == incoming, now < lastNoted.ends { return true }
        guard advanceOwed(incoming) else { return false }
        lastNoted = (incoming, now.advanced(byMicroseconds: Self.repeatWithin))
        return true
    }

    private static let repeatWithin: Int64 = 100_000

    private mutating func advanceOwed(_ incoming: Incoming) -> Bool {
        for index in owed.indices {
            let (step, next) = owed[index].collector.receive(incoming)
            if let next { owed[index].collector = next }
            switch step {
            case .foreign:
                continue
            case .part(let isFirst):
                let purpose = owed[index].purpose
                let isOver = isFirst && owed[index].hasBegun
                if isOver, owed[(index + 1)...].contains(where: { $0.purpose == purpose }) {
                    owed.remove(at: index)
                    return advanceOwed(incoming)
                }
                owed[index].hasBegun = true
            case .broken:
                owed[index].hasBegun = true
            case .complete, .enough, .missing:
                owed.remove(at: index)
            }
            return true
        }
        return false
    }
}

/// A request that is out.
struct ActiveRequest: Sendable {
    /// What is waited for.
    enum Phase: Hashable, Sendable {
        /// The next frame of the answer.
        case answer
        /// More of an answer that may be complete.
        case more
        /// The moment to send the request again.
        case nextAttempt
        /// The time that passes after a request that nothing answers.
        case silence
    }

    let request: SessionRequest
    var collector: Collector?
    var received = ReceivedAnswer()
    var attempts = 0
    /// The last write of the request, or `nil` before the first.
    var write: WriteNumber?
    var phase = Phase.nextAttempt
    /// When the phase is over.
    var phaseEnds: Moment
    /// When the attempt is over, whatever comes.
    var attemptEnds = Moment.distantFuture
    /// What was wrong with the last frame, or what is missing.
    var fault: PacketError?
    private var takenCount = 0
    private var takenLength = 0

    private static let mostFrames = 1024
    private static let mostBytes = 1 << 20

    init(_ request: SessionRequest, at now: Moment) {
        self.request = request
        collector = request.collector
        phaseEnds = now
    }

    var deadline: Moment {
        switch phase {
        case .answer, .more: min(phaseEnds, attemptEnds)
        case .nextAttempt, .silence: phaseEnds
        }
    }

    /// Whether more has come than an answer can have.
    var isFlooded: Bool { takenCount > Self.mostFrames || takenLength > Self.mostBytes }

    /// Why there is no answer, when nothing more is done for one.
    var failure: SessionError.Kind {
        received.count > 0 ? .incomplete : fault != nil ? .malformed : .timedOut
    }

    /// Counts a frame that belongs to the answer.
    mutating func count(_ incoming: Incoming) {
        takenCount += 1
        takenLength += incoming.length
    }
}

/// An answer that a ring may still send.
struct OwedAnswer: Sendable {
    let purpose: SessionRequest.Purpose
    let key: SessionRequest.Key
    let write: WriteNumber
    var collector: Collector
    /// Whether a part of it has come.
    var hasBegun = false
    /// When it is no longer waited for.
    let expires: Moment
}
