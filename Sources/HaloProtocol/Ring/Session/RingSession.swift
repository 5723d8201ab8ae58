/// The conversation with a ring as a value: bytes and time go in, effects come out.
///
/// A session has no clock, no task and no link. Its caller hands in notifications with
/// ``receive(_:on:at:)``, calls ``tick(at:)`` when ``deadline`` has come, and after each call
/// carries out the effects that ``nextEffect()`` returns, until it returns `nil`. The rules:
///
/// 1. **One request at a time.** Requests wait in a queue, and one is active at a time: rings mix
///    up the replies to more. ``SessionRules/spacing`` lies between a reply, a late one included,
///    and the next request. A request without reply ends after
///    ``SessionRules/spacingWithoutReply``.
/// 2. **Matching.** A reply has the request's opcode and its kind: a reading is no reply to a
///    write, a log must be of the requested day; see ``RequestPacket/isAnswered(by:)``. A ring's
///    refusal is a reply too, and is checked before anything else.
/// 3. **Timeouts.** A request waits ``SessionRules/frameTimeout`` for its first frame and again for
///    each further one, and ``SessionRules/replyTimeout`` for all of them. A request that only
///    reads is then sent again, up to ``SessionRules/attempts`` times; one that changes something
///    is not.
/// 4. **Long replies.** Frames are kept when a request is sent again: missing ones may come with
///    the next reply, once that is complete. If that reply shows that the stored data has changed
///    meanwhile, it counts alone. Frames that cannot be distinguished from those of another reply
///    are not kept: ``ReplyAssembly/joinsAnswers``. A request is sent again at once when the last
///    frame has come and others are missing. Duplicate frames do no harm. If frames are missing in
///    the end, the reply is incomplete: the completion has that error, and the received frames.
/// 5. **Late replies.** A reply may come after its timeout. Until then, or for
///    ``SessionRules/lateReplyTimeout`` after its request, no request of the same command is sent,
///    so that no late reply is mistaken for that of a later request. Other commands overtake. A
///    late reply is an event. The reply to a cancelled request is late, too.
/// 6. **Unsolicited frames.** All other frames are events, at any moment: notifications, strays,
///    frames with a wrong checksum. No input from a ring ends a session.
/// 7. **Records.** A partly received record is abandoned before a request on the big-data channel,
///    and when its rest is overdue. A reply of several records whose number is unknown (nights and
///    naps, days of temperatures) is complete when no record has come for
///    ``SessionRules/furtherRecordTimeout``.
/// 8. **Streams.** One measurement, one workout and one stream of raw values can be open beside
///    requests. Reports belong to a stream by their opcode and quantity or sport. A silent
///    measurement is started again, unless it was to measure once; a silent workout has ended. A
///    second of a running workout that is reported twice is passed on once. The request to stop a
///    stream is sent again if the ring continues nevertheless.
/// 9. **Bounds.** ``SessionRules/queueLimit`` requests wait at most, further ones end at once.
///    ``SessionRules/effectLimit`` events and reports are kept; an event counts those that were
///    dropped. Ends of requests and streams are never dropped: there are no more of them than
///    calls. A reply of more than 1,024 frames or a megabyte is an error.
/// 10. **Time** never goes back: an earlier moment counts as the latest one seen. A tick that is
///     late by more than ``SessionRules/lateTickThreshold`` shows that the app was suspended, and
///     that received input may still be waiting for the session: for ``SessionRules/gracePeriod``
///     no timeout ends and no request is sent. Between ``suspend(at:)`` and ``resume(at:)`` time
///     stands still, because the link carries no data then.
/// 11. **Failed writes.** ``writeFailed(_:at:)`` ends the request or the stream of that write at
///    once, and no late reply to it is expected. The failure of an earlier write changes nothing
///    for the active request.
public struct RingSession: Sendable {
    /// An action for the caller to carry out.
    public enum Effect: Hashable, Sendable {
        /// Write the frame to ``RingServices/uartWrite``.
        case write(Frame, WriteNumber)
        /// Write the record to ``RingServices/bigDataWrite``, in pieces that fit the link.
        case writeRecord(BigDataFrame, WriteNumber)
        /// A request has ended, with its completion.
        case finished(Completion)
        /// A report of a stream.
        case stream(StreamNumber, StreamReport)
        /// A frame from the ring that is no reply.
        case event(RingEvent)
    }

    /// `false` once the link has ended; a session ends with its link.
    public private(set) var isConnected = true

    private var clock: SessionClock
    private var effects: EffectQueue<Effect>
    private var queue = RequestQueue()
    private var streams = StreamTable()
    private var reassembler = BigDataReassembler()
    /// The deadline for the rest of a record, or `nil` without a partial record.
    private var recordEnds: Moment?
    private var lastNumber: UInt64 = 0

    /// The maximum number of bytes that are reported of a broken frame: no value on a link is
    /// longer.
    private static var longestReport: Int { 512 }

    /// Creates a session for a new link.
    public init(_ rules: SessionRules = SessionRules()) {
        clock = SessionClock(rules)
        effects = EffectQueue(limit: rules.effectLimit)
    }

    /// The timeouts and limits.
    public var rules: SessionRules { clock.rules }

    /// The moment for the next ``tick(at:)``, or `nil` if none is due or time is suspended.
    public var deadline: Moment? { clock.callerTime(dueTime) }

    /// The deadline in the session's own time.
    private var dueTime: Moment? {
        guard isConnected else { return nil }
        if let graceEnds = clock.graceEnds { return graceEnds }
        return Moment.earlier(Moment.earlier(queue.deadline, recordEnds), streams.deadline)
    }

    /// The number of requests that have not ended.
    public var openRequestCount: Int { queue.openCount }

    /// The streams that have not ended, in the order in which they were started.
    public var openStreams: [StreamNumber] { streams.numbers }

    /// Returns the next effect, or `nil` if there is none.
    public mutating func nextEffect() -> Effect? { effects.next() }

    /// Handles a notification of one of the ring's services.
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

    /// Handles the timeouts that are due; a call before ``deadline`` does no harm.
    public mutating func tick(at now: Moment) {
        guard isConnected else { return }
        move(to: now)
        settle()
    }

    /// Ends the session, and all requests and streams, when the link has ended.
    public mutating func disconnect(at now: Moment) {
        guard isConnected else { return }
        move(to: now)
        abandonRecord()
        let isAllWritten = effects.removeAll { $0.isWrite }
        for completion in queue.endAll(.disconnected, isAllWritten: isAllWritten) {
            effects.append(.finished(completion))
        }
        streams.disconnect(&effects)
        recordEnds = nil
        isConnected = false
    }

    /// Cancels a request, unless it has ended already.
    public mutating func cancel(_ number: RequestNumber, at now: Moment) {
        guard isConnected else { return }
        move(to: now)
        finish(queue.cancel(number, clock))
        settle()
    }

    /// Ends the request or the stream whose write has failed, unless it has ended already.
    ///
    /// The error is ``SessionError/Kind/writeFailed``, a stream's end ``StreamEnd/writeFailed``.
    public mutating func writeFailed(_ number: WriteNumber, at now: Moment) {
        guard isConnected else { return }
        move(to: now)
        finish(queue.writeFailed(number, clock))
        settle()
    }

    /// Suspends time: no request is sent and no timeout ends until ``resume(at:)``.
    ///
    /// Call it while the services of the link are discovered again: the link carries no data then.
    public mutating func suspend(at now: Moment) {
        guard isConnected, !clock.isSuspended else { return }
        move(to: now)
        clock.suspend()
    }

    /// Resumes time; each wait continues with its remaining time.
    public mutating func resume(at now: Moment) {
        if clock.resume(at: now), isConnected { settle() }
    }

    private mutating func move(to moment: Moment) {
        clock.move(to: moment, deadline: dueTime)
    }

    /// Returns a number that was not used before.
    private mutating func nextNumber() -> UInt64 {
        lastNumber &+= 1
        return lastNumber
    }

    private mutating func report(_ event: RingEvent) { effects.append(.event(event)) }
}

/// A frame or record from a ring that is no reply to an active request.
public enum RingEvent: Hashable, Sendable {
    /// A notification of command 73: new data, the battery, totals of today.
    case notification(RingNotification.Reply)
    /// An unsolicited packet of the catalogue, such as a gesture or a search for the phone.
    case unsolicited(Frame)
    /// An unsolicited record.
    case unsolicitedRecord(BigDataFrame)
    /// A frame of a late reply.
    case late(Frame)
    /// A record of a late reply.
    case lateRecord(BigDataFrame)
    /// A frame of an opcode that is not in the catalogue.
    case unknown(Frame)
    /// Bytes on the UART channel that are no frame, with the reason.
    case brokenFrame([UInt8], FrameError)
    /// A frame of a reply or a stream that cannot be decoded.
    case brokenPacket(Frame, PacketError)
    /// Bytes on the big-data channel that are no record.
    case brokenRecord(BigDataFault)
    /// The number of events that were dropped because too many were waiting.
    case dropped(Int)
}

extension RingSession.Effect: SessionEffect {
    var mayBeDropped: Bool {
        switch self {
        case .write, .writeRecord, .finished, .event(.dropped): false
        case .stream(_, .started), .stream(_, .ended): false
        case .stream, .event: true
        }
    }

    var droppedCount: Int? {
        if case .event(.dropped(let count)) = self { count } else { nil }
    }

    static func dropped(_ count: Int) -> RingSession.Effect { .event(.dropped(count)) }

    fileprivate var isWrite: Bool {
        switch self {
        case .write, .writeRecord: true
        case .finished, .stream, .event: false
        }
    }
}

/// The number of one write of a session; ``RingSession/writeFailed(_:at:)`` refers to it.
public struct WriteNumber: Hashable, Sendable {
    /// The number; it is not used again in the same session.
    package let rawValue: UInt64

    init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

/// Functions for streams: rule 8.
extension RingSession {
    /// Starts a stream; an open stream of the same kind ends.
    ///
    /// A measurement with `once` ends when the ring ends it; any other measurement is then started
    /// again.
    public mutating func start(
        _ stream: RingStream, once: Bool = false, at now: Moment
    ) -> StreamNumber {
        let number = StreamNumber(nextNumber())
        guard isConnected else {
            effects.append(.stream(number, .ended(.disconnected)))
            return number
        }
        move(to: now)
        let open = OpenStream(number, stream, isOnce: once)
        streams.start(open, &queue, &effects, clock)
        settle()
        return number
    }

    /// Stops a stream; the stream ends with the ring's reply, or with the timeout for a reply.
    public mutating func stop(_ number: StreamNumber, at now: Moment) {
        guard streams.contains(number) else { return }
        move(to: now)
        streams.stop(number, &queue, &effects, clock)
        settle()
    }

    /// Pauses a workout; other streams cannot be paused.
    public mutating func pause(_ number: StreamNumber, at now: Moment) {
        control(.pause, number, at: now)
    }

    /// Resumes a paused workout.
    public mutating func resume(_ number: StreamNumber, at now: Moment) {
        control(.resume, number, at: now)
    }

    private mutating func control(
        _ step: StreamStep, _ number: StreamNumber, at now: Moment
    ) {
        guard streams.isWorkout(number) else { return }
        move(to: now)
        streams.control(step, number, &queue)
        settle()
    }
}

/// Sending and timeouts: rules 1, 3, 4 and 5.
extension RingSession {
    /// Adds a request of an app to the queue, or ends it at once if the queue is full.
    mutating func submit(
        _ packet: ChannelFrame, repeats: Bool, _ collector: Collector?, at now: Moment
    ) -> RequestNumber {
        let number = RequestNumber(nextNumber())
        guard isConnected, !queue.isFull(rules) else {
            let error = SessionError(isConnected ? .overloaded : .disconnected)
            effects.append(.finished(Completion(number: number, error: error, attempts: 0)))
            return number
        }
        move(to: now)
        queue.append(
            QueuedRequest(
                purpose: .app(number), packet: packet, repeats: repeats, collector: collector))
        settle()
        return number
    }

    /// Handles all timeouts and requests that are due.
    private mutating func settle() {
        guard clock.isRunning else { return }
        if let recordEnds, recordEnds <= clock.now { abandonRecord() }
        queue.removeExpiredLateReplies(at: clock.now)
        settleActive()
        streams.settle(&queue, &effects, clock)
        if queue.activateNext(at: clock.now) { transmit() }
    }

    private mutating func settleActive() {
        switch queue.dueWork(at: clock.now) {
        case nil: break
        case .transmit: transmit()
        case .finish: finish(queue.endActive(nil, clock))
        case .timeout:
            // The abandoned record may contain the reply.
            if queue.isRecordActive { abandonRecord() }
            switch queue.dueWork(at: clock.now) {
            case nil, .transmit: break
            case .finish: finish(queue.endActive(nil, clock))
            case .timeout: finish(queue.failAttempt(clock))
            }
        }
    }

    /// Writes the active request, unless an abandoned record contained its reply.
    private mutating func transmit() {
        if queue.isRecordActive { abandonRecord() }
        guard queue.isReady else { return }
        let write = WriteNumber(nextNumber())
        let purpose = queue.transmit(write, into: &effects, clock)
        if case .stream(let number, .start)? = purpose { streams.noteSent(number) }
    }

    /// Passes the end of a request to its sender.
    private mutating func finish(_ ended: EndedRequest?) {
        guard let ended else { return }
        switch ended.request.purpose {
        case .app:
            effects.append(.finished(ended.completion))
        case .stream(let number, let step):
            streams.requestEnded(number, step, ended.completion, &queue, &effects, clock)
        }
    }
}

/// Receiving: rules 2, 6 and 7.
extension RingSession {
    private mutating func receiveFrame(_ bytes: some Sequence<UInt8>) {
        let copy = ContiguousArray(bytes)
        do throws(FrameError) {
            receive(try Frame(decoding: copy.span))
        } catch {
            report(.brokenFrame(Array(copy.prefix(Self.longestReport)), error))
        }
    }

    private mutating func receiveRecord(_ bytes: some Sequence<UInt8>) {
        reassembler.receive(bytes)
        drainReassembler()
        guard reassembler.pendingByteCount > 0 else {
            recordEnds = nil
            return
        }
        recordEnds = clock.after(rules.frameTimeout)
        queue.extendRecord(clock)
    }

    /// Abandons a partly received record.
    private mutating func abandonRecord() {
        recordEnds = nil
        reassembler.abandon()
        drainReassembler()
    }

    private mutating func drainReassembler() {
        while let event = reassembler.nextEvent() {
            switch event {
            case .frame(let record): receive(record)
            case .uart(let frame): receive(frame)
            case .fault(let fault): report(.brokenRecord(fault))
            }
        }
    }

    private mutating func receive(_ frame: Frame) {
        let isReply = receiveReply(.frame(frame))
        let isReport = streams.receive(frame, &queue, &effects, clock)
        if isReply || isReport || streams.receiveRefusal(frame, &queue, &effects) { return }
        if queue.receiveLate(.frame(frame), clock) { return report(.late(frame)) }
        if frame.refusedOpcode != nil {
            report(.unsolicited(frame))
        } else if frame.opcode == RingNotification.opcode {
            do throws(PacketError) {
                report(.notification(try RingNotification.Reply(decoding: frame)))
            } catch {
                report(.brokenPacket(frame, error))
            }
        } else {
            let isKnown = CommandCatalog.entry(opcode: frame.opcode) != nil
            report(isKnown ? .unsolicited(frame) : .unknown(frame))
        }
    }

    private mutating func receive(_ record: BigDataFrame) {
        if receiveReply(.record(record)) { return }
        let isLate = queue.receiveLate(.record(record), clock)
        report(isLate ? .lateRecord(record) : .unsolicitedRecord(record))
    }

    /// Passes a frame to the active request. Returns `false` if it is no part of the reply.
    private mutating func receiveReply(_ incoming: ChannelFrame) -> Bool {
        let reception = queue.receive(incoming, clock)
        if let fault = reception.fault {
            switch incoming {
            case .frame(let frame): report(.brokenPacket(frame, fault))
            case .record(let record): report(.unsolicitedRecord(record))
            }
        }
        finish(reception.ended)
        return reception.isReply
    }
}
