/// A conversation with a ring: bytes and time go in, effects come out.
///
/// It has no clock, no task and no link. Give it what comes from the ring (``receive(_:on:at:)``)
/// and call ``tick(at:)`` when ``deadline`` has come; after each call, do what ``nextEffect()``
/// says until it says nothing. The rules:
///
/// 1. **One at a time.** Requests wait in line, and one is out at a time: rings mix up answers to
///    more. ``SessionRules/spacing`` lies between an answer, a late one too, and the next request.
///    A request that rings do not answer has ended when ``SessionRules/spacingAfterSilence`` has
///    passed.
/// 2. **What answers.** A frame of the request's opcode and of its kind: a reading answers no
///    write, a log must be of the day that was asked for; see ``RequestPacket/isAnswered(by:)``.
///    A ring's "no" is an answer too, and is looked for before anything else.
/// 3. **Patience.** A request waits ``SessionRules/answerWithin`` for the first frame and again for
///    each next one, and ``SessionRules/wholeAnswerWithin`` for all of them. One that only reads
///    is then sent again, up to ``SessionRules/attempts`` times; one that changes something never.
/// 4. **Long answers.** Frames are kept when a request is sent again: what is missing may come
///    with the next answer, once that has come to its end; unless it shows that what is stored has
///    changed meanwhile: then it counts alone. Frames that nothing tells from those of another
///    answer are not kept: ``ReplyAssembly/joinsAnswers``. If parts are missing when the last one
///    has come, it is sent again at once. Frames that come twice do no harm. What is missing in
///    the end makes the answer incomplete: the completion says so, and holds what came.
/// 5. **Late answers.** An answer that did not come in time may still come. Until it has, or
///    ``SessionRules/lateAnswersWithin`` has passed since it was asked for, no request of the same
///    command is sent, so that it answers nobody else; other commands overtake. It is an event
///    when it comes. Cancelled requests are waited out in the same way.
/// 6. **Unasked.** All else that comes, at any moment, is an event: notifications, strays, frames
///    with a wrong checksum. Nothing that a ring sends ends a session.
/// 7. **Records.** Before a request of the second service, and when the rest of a record is
///    overdue, what is half received is given up. Records that come in several frames of unknown
///    number (nights and naps, days of temperatures) are complete when none has come for
///    ``SessionRules/moreWithin``.
/// 8. **Streams.** One measurement, one workout and one stream of raw values can be open, beside
///    requests. Reports belong to a stream by their opcode and quantity or sport. A measurement
///    that falls silent is started again, unless it was to measure once; a silent workout has
///    ended. Of a workout that runs, a second that is reported twice is passed on once. Ending a
///    stream is sent again if the ring goes on all the same.
/// 9. **Bounds.** ``SessionRules/queueLimit`` requests wait at most, further ones end at once.
///    ``SessionRules/effectLimit`` events and reports are kept; more are counted in an event.
///    Ends of requests and streams are never dropped: there are no more of them than calls that
///    asked for something. An answer of more than 1,024 frames or a megabyte is not an answer.
/// 10. **Time** never goes back: an earlier moment is taken for the latest one seen. When a
///    deadline has passed by more than ``SessionRules/oversleeping``, the app has slept, and what
///    came meanwhile waits to be handed over: for ``SessionRules/wakingUp`` nothing is given up
///    and nothing sent. Between ``suspend(at:)`` and ``resume(at:)`` time stands still: the link
///    carries nothing then, and no request pays for that.
/// 11. **Failed writes.** What could not be written is not answered: ``writeFailed(_:at:)`` ends
///    the request or the stream that wrote it, at once, and the next one does not wait for a late
///    answer to it. That an earlier write has failed changes nothing for the request that is out.
public struct RingSession: Sendable {
    /// What a session wants done.
    public enum Effect: Hashable, Sendable {
        /// Write this to ``RingServices/uartWrite``.
        case write(Frame, WriteNumber)
        /// Write this to ``RingServices/bigDataWrite``, in pieces of what the link can carry.
        case writeRecord(BigDataFrame, WriteNumber)
        /// A request has ended.
        case finished(Completion)
        /// A stream has something to say.
        case stream(StreamNumber, StreamReport)
        /// The ring said something unasked.
        case event(RingEvent)
    }

    /// How patient it is.
    public let rules: SessionRules
    /// Whether the link still stands; a session ends with its link.
    public private(set) var isConnected = true

    var now = Moment(microseconds: .min)
    var effects: EffectQueue
    var line = RequestLine()
    var streams: [OpenStream] = []
    var reassembler = BigDataReassembler()
    /// When the rest of a record is overdue.
    var recordEnds: Moment?
    /// The app has slept, and nothing is decided before this.
    var heldUntil: Moment?
    /// The moment from which on time stands still, or `nil` while it passes.
    private var suspendedSince: Moment?
    /// How much shorter the session's own time is than that of its caller.
    private var suspendedMicroseconds: Int64 = 0
    private var lastNumber: UInt64 = 0

    /// A session of a link that has just been made.
    public init(_ rules: SessionRules = SessionRules()) {
        self.rules = rules
        effects = EffectQueue(limit: rules.effectLimit)
    }

    /// When ``tick(at:)`` wants to be called; nothing if nothing is waited for, or time stands
    /// still.
    public var deadline: Moment? {
        isSuspended ? nil : dueTime?.advanced(byMicroseconds: suspendedMicroseconds)
    }

    /// The deadline, in the session's own time.
    private var dueTime: Moment? {
        guard isConnected else { return nil }
        if let heldUntil { return heldUntil }
        var earliest = Moment.earlier(line.deadline, recordEnds)
        for stream in streams { earliest = Moment.earlier(earliest, stream.deadline) }
        return earliest
    }

    /// How many requests have not ended.
    public var openRequestCount: Int { line.ticketCount }

    /// The streams that have not ended, in the order in which they were started.
    public var openStreams: [StreamNumber] { streams.map { $0.number } }

    /// The next thing to be done.
    public mutating func nextEffect() -> Effect? { effects.next() }

    /// Takes in a notification.
    public mutating func receive(
        _ bytes: some Sequence<UInt8>, on channel: RingChannel, at now: Moment
    ) {
        guard isConnected else { return }
        move(to: now)
        switch channel {
        case .uart: receiveFrame(bytes)
        case .bigData: receiveRecord(bytes)
        }
        settle()
    }

    /// The time has come, or perhaps not yet.
    public mutating func tick(at now: Moment) {
        guard isConnected else { return }
        move(to: now)
        settle()
    }

    /// The link has ended: so does all that waits.
    public mutating func disconnect(at now: Moment) {
        guard isConnected else { return }
        move(to: now)
        giveUpRecord()
        let isAllWritten = effects.removeWrites()
        for completion in line.end(.disconnected, isAllWritten: isAllWritten) {
            effects.append(.finished(completion))
        }
        for stream in streams { effects.append(.stream(stream.number, .ended(.disconnected))) }
        streams = []
        recordEnds = nil
        isConnected = false
    }

    /// Takes a request back; it ends as cancelled, unless it has ended already.
    public mutating func cancel(_ number: TicketNumber, at now: Moment) {
        guard isConnected else { return }
        move(to: now)
        if let waiting = line.removeWaiting(number) {
            let error = SessionError(.cancelled)
            finish(waiting, Completion(number: number, error: error, attempts: 0))
        } else if line.active?.request.ticket == number {
            finishActive(.cancelled)
        }
        settle()
    }

    /// What an effect said could not be written: the ring has not got it, and will not answer.
    ///
    /// The request or the stream that wrote it ends with ``SessionError/Kind/writeFailed`` or
    /// ``StreamEnd/writeFailed``, if it has not ended already.
    public mutating func writeFailed(_ number: WriteNumber, at now: Moment) {
        guard isConnected else { return }
        move(to: now)
        line.owed.removeAll { $0.write == number }
        if line.active?.write == number { finishActive(.writeFailed) }
        settle()
    }

    /// Lets time stand still: nothing is sent and nothing given up until ``resume(at:)``.
    ///
    /// It is meant for a link whose services are found anew: nothing reaches the ring meanwhile.
    public mutating func suspend(at now: Moment) {
        guard isConnected, !isSuspended else { return }
        move(to: now)
        suspendedSince = self.now.advanced(byMicroseconds: suspendedMicroseconds)
    }

    /// Lets time pass again; each wait goes on with what was left of it.
    public mutating func resume(at now: Moment) {
        guard let since = suspendedSince else { return }
        suspendedSince = nil
        let passed = max(now.microseconds(since: since), 0)
        suspendedMicroseconds = suspendedMicroseconds.addingWithoutOverflow(passed)
        if isConnected { settle() }
    }

    /// `true` while time stands still.
    var isSuspended: Bool { suspendedSince != nil }

    /// A number that has not been used.
    mutating func nextNumber() -> UInt64 {
        lastNumber &+= 1
        return lastNumber
    }

    mutating func move(to moment: Moment) {
        guard !isSuspended else { return }
        let due = dueTime
        now = now.moved(
            to: moment.advanced(byMicroseconds: -suspendedMicroseconds), deadline: due)
        guard let due, due <= now else { return }
        if heldUntil != nil {
            heldUntil = nil
        } else if now.microseconds(since: due) > rules.oversleeping.asWait {
            heldUntil = after(rules.wakingUp)
        }
    }
}

/// The number of one write of a session, by which its failure can be told.
public struct WriteNumber: Hashable, Sendable {
    /// The session's number for it; numbers are not used twice.
    public let rawValue: UInt64

    init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

extension Int64 {
    /// The sum of two numbers that are not negative, or the largest number.
    fileprivate func addingWithoutOverflow(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
