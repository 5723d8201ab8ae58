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
///    requests. Reports belong to a stream by their opcode and quantity or sport. Silent
///    measurements and raw values are started again; a measurement that was to measure once is
///    stopped, and has finished with the ring's reply or its timeout. A measurement that has
///    reported once, without a value, is silent after ``SessionRules/warmUpTimeout``. A workout is
///    stopped after ``SessionRules/workoutTimeout`` without a report: its loop has ended, so
///    nothing else would stop it. A second of a workout that is reported twice is passed on once.
///    The request to stop a measurement or a workout is sent again if the ring continues and does
///    not reply.
/// 9. **Bounds.** ``SessionRules/queueLimit`` requests wait at most, further ones end at once.
///    ``SessionRules/effectLimit`` events and reports are kept; an event counts those that were
///    dropped. Ends of requests and streams are never dropped: there are no more of them than
///    calls. A reply of more than 1,024 frames or a megabyte is an error.
/// 10. **Time** never goes back: an earlier moment counts as the latest one seen. A tick that is
///     late by more than ``SessionRules/lateTickThreshold`` shows that the app was suspended, and
///     that received input may still be waiting for the session: for ``SessionRules/gracePeriod``
///     no timeout ends and no request is sent. Between ``suspend(at:)`` and ``resume(at:)`` time
///     stands still, because the link carries no data then.
/// 11. **Failed writes.** ``writeFailed(_:at:)`` ends the request of that write, and the stream
///     that it was to start, at once. No late reply to it is expected. The failure of an earlier
///     write changes nothing for the active request.
public struct RingSession: Sendable {
    /// An action for the caller to carry out.
    public enum Effect: Hashable, Sendable, SessionEffect {
        /// Write the frame to ``RingServices/uartWrite``.
        case write(Frame, WriteNumber)
        /// Write the record to ``RingServices/bigDataWrite``, in pieces that fit the link.
        case writeRecord(BigDataFrame, WriteNumber)
        case finished(Completion)
        case stream(StreamNumber, StreamReport)
        case event(Event)

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

    /// `false` once the link has ended. A session ends with its link: what an app, a clock or a
    /// backend still reports of it then is late, and changes nothing.
    public private(set) var isConnected = true

    private var clock: SessionClock
    private var effects: EffectQueue<Effect>
    private var lastNumber: UInt64 = 0

    private var waiting: [QueuedRequest] = []
    private var active: ActiveRequest?
    private var lateReplies: [LateReply] = []
    /// The moment from which the next request may be sent.
    private var freeAt = Moment(microseconds: .min)
    /// The last frame of a late reply, and the end of the time in which an equal one is a
    /// duplicate.
    private var lastLate: (incoming: ChannelFrame, ends: Moment)?

    /// The open streams, in the order in which they were started: one of each kind at most.
    private var streams: [OpenStream] = []

    private var reassembler = BigDataReassembler()
    /// The deadline for the rest of a record, or `nil` without a partial record.
    private var recordEnds: Moment?

    /// The maximum number of bytes that are reported of a broken frame: no value on a link is
    /// longer.
    private static var longestReport: Int { 512 }
    /// The time in which an equal frame is a duplicate by the link.
    private static var duplicateMicroseconds: Int64 { 100_000 }

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
        var earliest = Moment.earlier(requestDeadline, recordEnds)
        for stream in streams { earliest = Moment.earlier(earliest, stream.deadline) }
        return earliest
    }

    /// The number of requests that have not ended.
    public var openRequestCount: Int { waitingCount + (active?.request.number == nil ? 0 : 1) }

    /// The streams that have not ended, in the order in which they were started.
    public var openStreams: [StreamNumber] { streams.map { $0.number } }

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
        runDueWork()
    }

    /// Handles the timeouts that are due; a call before ``deadline`` does no harm.
    public mutating func tick(at now: Moment) {
        guard isConnected else { return }
        move(to: now)
        runDueWork()
    }

    /// Ends the session, and all requests and streams, when the link has ended.
    public mutating func disconnect(at now: Moment) {
        guard isConnected else { return }
        move(to: now)
        abandonRecord()
        endAllRequests(isAllWritten: effects.removeAll { $0.isWrite })
        for stream in streams { effects.append(.stream(stream.number, .ended(.disconnected))) }
        streams = []
        isConnected = false
    }

    /// Cancels a request, unless it has ended already.
    public mutating func cancel(_ number: RequestNumber, at now: Moment) {
        guard isConnected else { return }
        move(to: now)
        if let index = waiting.firstIndex(where: { $0.number == number }) {
            waiting.remove(at: index)
            endUnsent(number, .cancelled)
        } else if active?.request.number == number {
            endActive(.cancelled)
        }
        runDueWork()
    }

    /// Ends the request whose write has failed, and the stream that it was to start, unless they
    /// have ended already.
    ///
    /// The error is ``SessionError/Kind/writeFailed``, a stream's end ``StreamEnd/writeFailed``.
    public mutating func writeFailed(_ number: WriteNumber, at now: Moment) {
        guard isConnected else { return }
        move(to: now)
        lateReplies.removeAll { $0.write == number }
        if active?.write == number { endActive(.writeFailed) }
        runDueWork()
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
        if clock.resume(at: now), isConnected { runDueWork() }
    }

    private mutating func move(to moment: Moment) {
        clock.move(to: moment, deadline: dueTime)
    }

    private mutating func nextNumber() -> UInt64 {
        lastNumber &+= 1
        return lastNumber
    }

    private mutating func report(_ event: Event) { effects.append(.event(event)) }

    /// Reports an input that cannot come: a fault of this package, whatever a ring sends. A debug
    /// build stops; a release build goes on.
    mutating func reportFault(_ words: StaticString) {
        assertionFailure(words.description)
        report(.fault(words.description))
    }

    /// Handles all timeouts that are due, and sends the next request if it may be sent.
    private mutating func runDueWork() {
        guard clock.isRunning else { return }
        let now = clock.now
        if let recordEnds, recordEnds <= now { abandonRecord() }
        lateReplies.removeAll { $0.expires <= now }
        runActiveRequest()
        runStreams()
        guard active == nil, freeAt <= now, let index = sendableIndex else { return }
        if waiting[index].isRecord, recordEnds != nil {
            // Abandoned before the request is active: what it contains is older than the request,
            // and may be a late reply that delays it.
            abandonRecord()
            return runDueWork()
        }
        active = ActiveRequest(waiting.remove(at: index), at: now)
        writeActive()
    }

    /// Sends a request whose reply is one frame.
    public mutating func send<Request: RequestPacket>(
        _ request: Request, at now: Moment
    ) -> PendingRequest<Request.Owner.Reply>
    where Request.Owner: SingleReplyCommand, Request.Owner.Reply: ReplyPacket {
        send(RingRequest(request), at: now)
    }

    /// Sends a request whose reply is many frames.
    public mutating func send<Request: RequestPacket>(
        _ request: Request, at now: Moment
    ) -> PendingRequest<Request.Owner.Assembly.Reply> where Request.Owner: ManyFrameCommand {
        send(RingRequest(request), at: now)
    }

    /// Sends a request without a reply; the request ends ``SessionRules/spacingWithoutReply`` after
    /// its write.
    public mutating func send<Request: RequestPacket>(
        _ request: Request, at now: Moment
    ) -> PendingRequest<Sent> where Request.Owner: UnansweredCommand {
        send(RingRequest(request), at: now)
    }

    /// Sends a frame of a ``RawCommand``; the reply is one frame. Returns `nil`, and sends nothing,
    /// if the opcode is that of another command.
    public mutating func send(raw frame: Frame, at now: Moment) -> PendingRequest<Frame>? {
        RingRequest(raw: frame).map { send($0, at: now) }
    }

    /// Sends a frame of a ``RawRecord``; the reply is one record. Returns `nil`, and sends nothing,
    /// if the id is that of another record.
    public mutating func send(
        raw frame: BigDataFrame, at now: Moment
    ) -> PendingRequest<BigDataFrame>? {
        RingRequest(raw: frame).map { send($0, at: now) }
    }

    /// Sends a request whose reply is one record.
    public mutating func send<Request: BigDataRequest>(
        _ request: Request, at now: Moment
    ) -> PendingRequest<Request.Owner.Reply> {
        send(RingRequest(request), at: now)
    }

    /// Requests temperatures; the days come in one record, or each in its own.
    public mutating func send(
        _ request: TemperatureSeries.Request, at now: Moment
    ) -> PendingRequest<TemperatureSeries.Reply> { send(RingRequest(request), at: now) }

    /// Requests the stored sleep; naps that come with the nights belong to the reply.
    public mutating func send(
        _ request: Sleep.Request, at now: Moment
    ) -> PendingRequest<SleepHistory> { send(RingRequest(request), at: now) }

    /// Requests the recording of one workout: its layout, and all packages of samples.
    public mutating func send(
        _ request: WorkoutDetail.Request, at now: Moment
    ) -> PendingRequest<WorkoutRecording> { send(RingRequest(request), at: now) }

    /// Sends a request of any kind, or ends it at once if the queue is full.
    package mutating func send<Value>(
        _ request: RingRequest<Value>, at now: Moment
    ) -> PendingRequest<Value> {
        let number = RequestNumber(rawValue: nextNumber())
        if isConnected, waitingCount < max(rules.queueLimit, 1) {
            move(to: now)
            waiting.append(
                QueuedRequest(
                    purpose: .app(number), packet: request.packet, repeats: request.repeats,
                    collector: request.collector,
                    overtakesLateReplies: request.overtakesLateReplies))
            runDueWork()
        } else {
            endUnsent(number, isConnected ? .overloaded : .disconnected)
        }
        return PendingRequest(number, request)
    }

    #if !hasFeature(Embedded)
    /// Sends a recorded frame as a request of its command. Returns `nil` if the frame is no
    /// request.
    package mutating func send(recorded frame: Frame, at now: Moment) -> RequestNumber? {
        let request = CommandCatalog.entry(opcode: frame.opcode)?.session?(frame)
        return request.map { send($0, at: now).number }
    }

    /// Sends a recorded record as a request of its command. Returns `nil` if it is no request.
    package mutating func send(recorded record: BigDataFrame, at now: Moment) -> RequestNumber? {
        let request = BigDataCatalog.entry(id: record.id, .toDevice)?.session?(record)
        return request.map { send($0, at: now).number }
    }
    #endif

    /// Ends a request that was never written.
    private mutating func endUnsent(_ number: RequestNumber, _ kind: SessionError.Kind) {
        let error = SessionError(kind)
        effects.append(.finished(Completion(number: number, error: error, attempts: 0)))
    }

    // Requests: rules 1, 3, 4, 5 and 11.

    private var requestDeadline: Moment? {
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

    private var isRecordActive: Bool { active?.request.isRecord == true }

    private var isActiveDue: Bool { active.map { $0.deadline <= clock.now } ?? false }

    /// Writes or ends the active request, if its deadline has come.
    private mutating func runActiveRequest() {
        // An abandoned record may contain the reply: the request is then no longer due.
        if isActiveDue, case .reply = active?.phase, isRecordActive { abandonRecord() }
        guard isActiveDue else { return }
        switch active?.phase {
        case .ready: writeActive()
        case .reply: failAttempt()
        case .furtherRecords, .unanswered: endActive(nil)
        case nil: break
        }
    }

    /// Writes the active request, for the first time or again, unless an abandoned record contained
    /// its reply.
    private mutating func writeActive() {
        if isRecordActive { abandonRecord() }
        // An abandoned record may have ended the request, or contained the first of its records.
        guard var active, case .ready = active.phase else { return }
        let request = active.request
        let write = WriteNumber(rawValue: nextNumber())
        active.attempts += 1
        active.write = write
        if active.attempts > 1, let collector = active.collector {
            active.collector = collector.receive(nil).next ?? collector
            if !collector.joinsAnswers { active.received = ReceivedAnswer() }
        }
        if let collector = request.collector {
            if let lastLate, collector.receive(lastLate.incoming).step != nil {
                self.lastLate = nil
            }
            active.phase = .reply(
                frameEnds: clock.after(rules.frameTimeout),
                replyEnds: clock.after(rules.replyTimeout))
            if request.leavesLateReply {
                lateReplies.append(
                    LateReply(
                        purpose: request.purpose, key: request.key, write: write,
                        collector: collector, expires: clock.after(rules.lateReplyTimeout)))
            }
        } else {
            active.phase = .unanswered(ends: clock.after(rules.spacingWithoutReply))
        }
        self.active = active
        switch request.packet {
        case .frame(let frame): effects.append(.write(frame, write))
        case .record(let record): effects.append(.writeRecord(record, write))
        }
        // A start that is repeated may be of a stream that the ring has refused meanwhile.
        if case .stream(let number, .start) = request.purpose, let index = index(of: number) {
            streams[index].isSent = true
        }
    }

    /// Schedules the next attempt of the active request, or ends the request after the last one.
    private mutating func failAttempt() {
        guard let active else { return reportFault("no request fails") }
        if active.request.repeats, active.attempts < rules.attemptLimit {
            self.active?.phase = .ready(at: clock.after(clock.rules.spacing))
        } else {
            endActive(active.failure)
        }
    }

    /// Ends the active request with its reply, or with an error if `kind` is not `nil`.
    private mutating func endActive(_ kind: SessionError.Kind?) {
        guard let ended = active.take() else { return reportFault("no request ends") }
        freeAt = clock.after(kind == .cancelled ? rules.spacingWithoutReply : rules.spacing)
        switch ended.request.purpose {
        case .app(let number): effects.append(.finished(ended.completion(number, kind)))
        case .stream(let number, let step):
            endStreamRequest(step, of: number, ended.received.frames.first, kind)
        }
    }

    /// Ends all requests, because the link has ended.
    ///
    /// A request without a reply succeeds if it was written and `isAllWritten`.
    private mutating func endAllRequests(isAllWritten: Bool) {
        if let active, let number = active.request.number {
            let isSent = if case .unanswered = active.phase { isAllWritten } else { false }
            effects.append(.finished(active.completion(number, isSent ? nil : .disconnected)))
        }
        for number in waiting.compactMap({ $0.number }) { endUnsent(number, .disconnected) }
        waiting = []
        active = nil
        lateReplies = []
    }

    /// Removes all requests of a stream, including the active one.
    private mutating func withdrawRequests(of stream: StreamNumber) {
        waiting.removeAll { $0.belongs(to: stream) }
        if active?.request.belongs(to: stream) == true {
            active = nil
            freeAt = clock.after(rules.spacing)
        }
    }

    // Streams: rule 8.

    /// Starts a stream; an open stream of the same kind ends.
    ///
    /// With `once`, a measurement or raw values end when the ring ends them; otherwise they are
    /// then started again.
    public mutating func start(
        _ stream: RingStream, once: Bool = false, at now: Moment
    ) -> StreamNumber {
        let number = StreamNumber(rawValue: nextNumber())
        guard isConnected else {
            effects.append(.stream(number, .ended(.disconnected)))
            return number
        }
        move(to: now)
        if let index = streams.firstIndex(where: { $0.stream.excludes(stream) }) {
            replaceStream(index)
        }
        let open = OpenStream(number, stream, isOnce: once)
        streams.append(open)
        waiting.append(open.startRequest)
        runDueWork()
        return number
    }

    /// Stops a stream; the stream ends with the ring's reply, or with the timeout for a reply.
    public mutating func stop(_ number: StreamNumber, at now: Moment) {
        // The stream may have ended by itself.
        guard let index = index(of: number) else { return }
        move(to: now)
        if !streams[index].isStopping {
            withdrawRequests(of: number)
            if streams[index].isSent {
                requestStop(index, attempts: 1)
            } else {
                endStream(index, .stopped)
            }
        }
        runDueWork()
    }

    /// Pauses a workout; other streams cannot be paused.
    public mutating func pause(_ number: StreamNumber, at now: Moment) {
        control(.pause, number, at: now)
    }

    /// Resumes a paused workout.
    public mutating func resume(_ number: StreamNumber, at now: Moment) {
        control(.resume, number, at: now)
    }

    /// Pauses or resumes a workout; a waiting pause or resume of the same workout is dropped.
    private mutating func control(
        _ action: WorkoutControl.Action, _ number: StreamNumber, at now: Moment
    ) {
        // The stream may have ended by itself, and an app may pause what cannot be paused.
        guard let index = index(of: number), case .workout(let sport) = streams[index].stream
        else { return }
        move(to: now)
        if !streams[index].isStopping {
            waiting.removeAll {
                $0.purpose == .stream(number, .pause) || $0.purpose == .stream(number, .resume)
            }
            let step: StreamStep = action == .pause ? .pause : .resume
            waiting.append(streams[index].controlRequest(step, action, sport))
        }
        runDueWork()
    }

    private func index(of number: StreamNumber) -> Int? {
        streams.firstIndex { $0.number == number }
    }

    /// Requests the end of a stream, before all other requests. The stream ends with `end`.
    private mutating func requestStop(_ index: Int, attempts: Int, _ end: StreamEnd = .stopped) {
        streams[index].phase = .stopping(end, attempts: attempts, reports: 0)
        waiting.insert(streams[index].stopRequest, at: 0)
    }

    /// Ends a stream because another one is started: a workout must be stopped, a measurement
    /// ends with the start of the next.
    private mutating func replaceStream(_ index: Int) {
        withdrawRequests(of: streams[index].number)
        if case .workout = streams[index].stream, streams[index].isSent {
            waiting.insert(streams[index].stopRequest, at: 0)
        }
        endStream(index, .replaced)
    }

    private mutating func endStream(_ index: Int, _ end: StreamEnd) {
        let number = streams.remove(at: index).number
        if end != .replaced { waiting.removeAll { $0.belongs(to: number) } }
        effects.append(.stream(number, .ended(end)))
    }

    /// Handles the end of a stream's request; `error` is `nil` if the ring has replied.
    private mutating func endStreamRequest(
        _ step: StreamStep, of number: StreamNumber, _ frame: Frame?, _ error: SessionError.Kind?
    ) {
        // The stream may have ended before its request: replaced, refused or silent.
        guard let index = index(of: number) else { return }
        switch step {
        case .start:
            if frame?.refusedOpcode != nil && error == nil {
                endStream(index, .refused)
            } else if error == .writeFailed {
                endStream(index, .writeFailed)
            } else if error == nil || streams[index].hasReported {
                noteStart(index, frame)
            } else {
                endStream(index, .silent)
            }
        case .stop:
            guard case .stopping(let end, let attempts, let reports) = streams[index].phase else {
                reportFault("a stream has stopped that was not to stop")
                return endStream(index, .stopped)
            }
            if error != nil, reports > 1, attempts < rules.attemptLimit {
                requestStop(index, attempts: attempts + 1, end)
            } else {
                endStream(index, end)
            }
        // The reports show what has come of these, and none of them is sent again.
        case .keepAlive, .pause, .resume: break
        }
    }

    /// Notes that the ring has started, and reports it the first time.
    private mutating func noteStart(_ index: Int, _ frame: Frame?) {
        streams[index].phase = .running(ends: silence(index))
        if case .measurement(.heartRateStream) = streams[index].stream {
            streams[index].keepAliveAt = clock.after(rules.keepAliveInterval)
        }
        if streams[index].hasStarted { return }
        streams[index].hasStarted = true
        let control = frame.flatMap { try? WorkoutControl.Reply(decoding: $0) }
        effects.append(.stream(streams[index].number, .started(control?.start)))
    }

    private mutating func runStreams() {
        var index = 0
        while index < streams.count {
            let count = streams.count
            runStream(index)
            // A stream that has ended leaves its index to the next one.
            if streams.count == count { index += 1 }
        }
    }

    private mutating func runStream(_ index: Int) {
        // A stream that starts or stops has the timeout of its request.
        guard case .running(let ends) = streams[index].phase else { return }
        if ends <= clock.now {
            fallSilent(index)
        } else if let keepAliveAt = streams[index].keepAliveAt, keepAliveAt <= clock.now {
            streams[index].keepAliveAt = clock.after(rules.keepAliveInterval)
            let number = streams[index].number
            // A "continue" may disturb a ring that warms up: an R02 then had no value at all.
            let isDue = !streams[index].isQuiet
            if isDue, !waiting.contains(where: { $0.belongs(to: number) }) {
                waiting.append(streams[index].keepAliveRequest)
            }
        }
    }

    /// The moment at which a stream without further reports is silent.
    private func silence(_ index: Int) -> Moment {
        if case .workout = streams[index].stream, !streams[index].hasRingEnded {
            return clock.after(rules.workoutTimeout)
        }
        let isQuiet = streams[index].isQuiet
        return clock.after(isQuiet ? rules.warmUpTimeout : rules.streamTimeout)
    }

    /// Restarts a silent stream, or ends it.
    ///
    /// A ring ends a measurement without a word, and a ring that is out of reach is as silent. The
    /// request to stop tells them apart: either its reply ends the measurement, or the link's end.
    /// A workout is not started again, as that would begin another one.
    private mutating func fallSilent(_ index: Int) {
        let stream = streams[index]
        switch stream.stream {
        case .measurement where stream.isOnce: requestStop(index, attempts: 1, .finished)
        case .rawSensors where stream.isOnce: endStream(index, .finished)
        case .workout where stream.hasRingEnded: endStream(index, .finished)
        case .workout: requestStop(index, attempts: 1, .silent)
        case .measurement, .rawSensors:
            streams[index].phase = .starting(hasReported: false)
            streams[index].emptyReports = 0
            withdrawRequests(of: stream.number)
            waiting.append(stream.startRequest)
        }
    }

    // Receiving: rules 2, 6 and 7.

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
        if isRecordActive { extendFrameTimeout() }
    }

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
        let isReport = receiveReport(frame)
        if isReply || isReport || receiveRefusal(frame) { return }
        if receiveLate(.frame(frame)) { return report(.late(frame)) }
        if frame.opcode == RingNotification.opcode,
            let reply = try? RingNotification.Reply(decoding: frame)
        {
            report(.notification(reply))
        } else {
            let isKnown =
                frame.refusedOpcode != nil || CommandCatalog.entry(opcode: frame.opcode) != nil
            report(isKnown ? .unsolicited(frame) : .unknown(frame))
        }
    }

    private mutating func receive(_ record: BigDataFrame) {
        if receiveReply(.record(record)) { return }
        let isLate = receiveLate(.record(record))
        report(isLate ? .lateRecord(record) : .unsolicitedRecord(record))
    }

    /// Passes a frame to the active request. Returns `false` if it is no part of the reply.
    private mutating func receiveReply(_ incoming: ChannelFrame) -> Bool {
        // Between requests, and during one without a reply, all frames are unsolicited.
        guard let collector = active?.collector else { return false }
        let (step, next) = collector.receive(incoming)
        if let next { active?.collector = next }
        guard let step else { return false }
        active?.count(incoming)
        extendFrameTimeout()
        _ = advanceLateReply(incoming)
        switch step {
        case .part:
            active?.received.insert(incoming)
        case .enough:
            active?.received.insert(incoming)
            awaitFurtherRecords()
        case .complete(let answer):
            active?.received = answer
            endActive(nil)
        case .missing(let fault):
            active?.received.insert(incoming)
            active?.fault = fault
            failAttempt()
        case .broken(let fault):
            active?.fault = fault
            switch incoming {
            case .frame(let frame): report(.brokenPacket(frame, fault))
            case .record(let record): report(.unsolicitedRecord(record))
            }
        }
        if active?.isFlooded == true { endActive(.tooLong) }
        return true
    }

    private mutating func extendFrameTimeout() {
        switch active?.phase {
        case .reply(_, let replyEnds):
            active?.phase = .reply(
                frameEnds: clock.after(clock.rules.frameTimeout), replyEnds: replyEnds)
        // Further records have a timeout of their own, and before the next attempt none runs.
        case .furtherRecords, .ready: break
        case .unanswered, nil: reportFault("a frame for a request without a reply")
        }
    }

    /// Waits for further records only for a short time from now on.
    private mutating func awaitFurtherRecords() {
        let ends = clock.after(rules.furtherRecordTimeout)
        switch active?.phase {
        case .reply(_, let replyEnds), .furtherRecords(_, let replyEnds):
            active?.phase = .furtherRecords(ends: ends, replyEnds: replyEnds)
        // The record is of the attempt before: the request is not sent again.
        case .ready: active?.phase = .furtherRecords(ends: ends, replyEnds: ends)
        case .unanswered, nil: reportFault("a record for a request without a reply")
        }
    }

    /// Passes a frame to the late replies, and delays the next request if it belongs to one.
    private mutating func receiveLate(_ incoming: ChannelFrame) -> Bool {
        guard advanceLateReply(incoming) else { return false }
        freeAt = max(freeAt, clock.after(rules.spacing))
        return true
    }

    /// Advances the late reply that a frame belongs to. Returns `false` if there is none.
    ///
    /// A ring replies in order: the first frame of the next reply to the same request ends the
    /// previous reply, whose rest is lost. An equal frame within 100 ms is a duplicate by the link,
    /// unless it may be the reply to another request that was written meanwhile: "no data" of two
    /// days are equal frames.
    private mutating func advanceLateReply(_ incoming: ChannelFrame) -> Bool {
        if lateReplies.isEmpty { return false }
        let now = clock.now
        if let lastLate, lastLate.incoming == incoming, now < lastLate.ends { return true }
        guard passToLateReplies(incoming) else { return false }
        lastLate = (incoming, now.advanced(byMicroseconds: Self.duplicateMicroseconds))
        return true
    }

    private mutating func passToLateReplies(_ incoming: ChannelFrame) -> Bool {
        for index in lateReplies.indices {
            let (step, next) = lateReplies[index].collector.receive(incoming)
            if let next { lateReplies[index].collector = next }
            guard let step else { continue }
            switch step {
            case .part(let isFirst):
                let purpose = lateReplies[index].purpose
                let isOver = isFirst && lateReplies[index].hasBegun
                if isOver, lateReplies[(index + 1)...].contains(where: { $0.purpose == purpose }) {
                    lateReplies.remove(at: index)
                    return passToLateReplies(incoming)
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

    /// Passes a frame to the stream that it belongs to. Returns `false` if there is none.
    private mutating func receiveReport(_ frame: Frame) -> Bool {
        for index in streams.indices where streams[index].acceptsReports {
            let match = streams[index].match(frame)
            if case .foreign = match { continue }
            noteReport(index)
            if case .report(let report) = match {
                effects.append(.stream(streams[index].number, report))
            }
            return true
        }
        return false
    }

    /// Restarts the timeout of a stream, and drops a start that still waits.
    private mutating func noteReport(_ index: Int) {
        switch streams[index].phase {
        case .starting where streams[index].hasStarted:
            streams[index].phase = .running(ends: silence(index))
            let start = QueuedRequest.Purpose.stream(streams[index].number, .start)
            waiting.removeAll { $0.purpose == start }
        case .starting:
            streams[index].phase = .starting(hasReported: true)
        case .running:
            streams[index].phase = .running(ends: silence(index))
        case .stopping(let end, let attempts, let reports):
            streams[index].phase = .stopping(end, attempts: attempts, reports: reports + 1)
        }
    }

    /// Ends a measurement when its keep-alive, which has no reply, is refused.
    private mutating func receiveRefusal(_ frame: Frame) -> Bool {
        guard frame.refuses(RealtimeMeasurement.opcode) else { return false }
        let index = streams.firstIndex { stream in
            if case .measurement = stream.stream { stream.hasStarted } else { false }
        }
        guard let index else { return false }
        endStream(index, .refused)
        return true
    }
}

/// A request that has not ended, as the session keeps it: the bytes to write, the sender, and the
/// collector of the reply.
private struct QueuedRequest: Sendable {
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
    let repeats: Bool
    let collector: Collector?
    /// `true` if the request is sent even while a late reply to the same command may come.
    var overtakesLateReplies = false
    /// `true` if a late reply delays later requests; `false` if it is a report of a stream.
    var leavesLateReply = true

    var isRecord: Bool { if case .record = packet { true } else { false } }

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

    /// Returns the completion with the reply, or with an error if `kind` is not `nil`.
    func completion(_ number: RequestNumber, _ kind: SessionError.Kind?) -> Completion {
        let error = kind.map {
            let isFault = $0 == .incomplete || $0 == .malformed
            return SessionError($0, packetError: isFault ? fault : nil, received: received)
        }
        return Completion(
            number: number, received: received, error: error, attempts: attempts, lastWrite: write)
    }

    mutating func count(_ incoming: ChannelFrame) {
        frameCount += 1
        byteCount += incoming.length
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

/// The purpose of a request that a stream sends.
private enum StreamStep: Hashable, Sendable {
    case start
    case keepAlive
    case pause
    case resume
    case stop
}

/// A stream that has not ended.
private struct OpenStream: Sendable {
    enum Phase: Hashable, Sendable {
        /// The request that starts the stream waits or is active.
        case starting(hasReported: Bool)
        /// The ring reports; without further reports the stream is silent at `ends`.
        case running(ends: Moment)
        /// The request that stops the stream waits or is active; the end is the one to report.
        case stopping(StreamEnd, attempts: Int, reports: Int)
    }

    let number: StreamNumber
    let stream: RingStream
    let isOnce: Bool
    var phase = Phase.starting(hasReported: false)
    /// `true` once a request that starts the stream was written.
    var isSent = false
    /// `true` once ``StreamReport/started(_:)`` was reported.
    var hasStarted = false
    /// The moment of the next keep-alive, or `nil` for streams that need none.
    var keepAliveAt: Moment?
    /// `true` if the last report is the end of the workout.
    var hasRingEnded = false
    /// The last value other than 0.
    var lastValue: UInt8 = 0
    /// The number of reports since the last start, as long as none has a value or a fault; `nil`
    /// after one that has.
    var emptyReports: Int? = 0
    /// The last reported seconds of a workout.
    private var seconds: [WorkoutSecond] = []

    private static let rememberedSeconds = 4

    init(_ number: StreamNumber, _ stream: RingStream, isOnce: Bool) {
        self.number = number
        self.stream = stream
        self.isOnce = isOnce
    }

    var deadline: Moment? {
        guard case .running(let ends) = phase else { return nil }
        return Moment.earlier(ends, keepAliveAt)
    }

    /// `true` for a measurement that has reported that it began, and nothing else.
    var isQuiet: Bool { emptyReports == 1 }

    var isStopping: Bool {
        if case .stopping = phase { true } else { false }
    }

    /// `true` if the ring has reported since the last start of the stream.
    var hasReported: Bool {
        if case .starting(let hasReported) = phase { hasReported } else { true }
    }

    /// `true` if a report may belong to the stream now.
    var acceptsReports: Bool {
        switch stream {
        case .measurement, .rawSensors: hasStarted
        case .workout: isSent
        }
    }

    enum Match {
        case foreign
        case duplicate
        case report(StreamReport)
    }

    /// Decodes a frame as a report of the stream, and notes the values that later requests need.
    mutating func match(_ frame: Frame) -> Match {
        switch stream {
        case .measurement(let quantity):
            guard frame.opcode == RealtimeMeasurement.opcode,
                let reply = try? RealtimeMeasurement.Reply(decoding: frame),
                reply.quantity == quantity
            else { return .foreign }
            if reply.value != 0 { lastValue = reply.value }
            emptyReports = reply.isWarmingUp ? emptyReports.map { $0 + 1 } : nil
            return .report(.measurement(reply))
        case .workout(let sport):
            guard frame.opcode == WorkoutProgress.opcode,
                let reply = try? WorkoutProgress.Reply(decoding: frame), reply.sport == sport
            else { return .foreign }
            hasRingEnded = reply.state == .ended
            return isDuplicate(reply) ? .duplicate : .report(.workout(reply))
        case .rawSensors:
            guard frame.opcode == RawSensors.opcode, frame.refusedOpcode == nil,
                let reply = try? RawSensors.Reply(decoding: frame)
            else { return .foreign }
            return .report(.rawSensors(reply))
        }
    }

    /// Notes the second of a workout, and returns `true` if it was reported before.
    ///
    /// The seconds of a paused workout do not advance. Its reports still show that the ring is
    /// connected, so none is a duplicate.
    private mutating func isDuplicate(_ reply: WorkoutProgress.Reply) -> Bool {
        if reply.state == .paused { return false }
        let second = WorkoutSecond(state: reply.state.rawValue, elapsed: reply.elapsedSeconds)
        if seconds.contains(second) { return true }
        if seconds.count >= Self.rememberedSeconds { seconds.removeFirst() }
        seconds.append(second)
        return false
    }

    var startRequest: QueuedRequest {
        switch stream {
        case .measurement(let quantity):
            tolerantRequest(.start, RealtimeMeasurement.Request(quantity))
        case .rawSensors: tolerantRequest(.start, RawSensors.Request(isOnce ? .once : .start))
        case .workout(let sport): controlRequest(.start, .start, sport)
        }
    }

    var stopRequest: QueuedRequest {
        switch stream {
        case .measurement(let quantity):
            tolerantRequest(.stop, StopMeasurement.Request(quantity, value: lastValue))
        case .rawSensors:
            tolerantRequest(.stop, RawSensors.Request(.stop), isAnswered: false)
        case .workout(let sport): controlRequest(.stop, .end, sport)
        }
    }

    /// The request that keeps a stream of heart rates from ending; no other stream needs one.
    var keepAliveRequest: QueuedRequest {
        let request = RealtimeMeasurement.Request(.heartRateStream, .resume)
        return tolerantRequest(.keepAlive, request, isAnswered: false)
    }

    /// Returns a request whose late reply does no harm: a report like others, or the end of a named
    /// stream.
    ///
    /// Only a start is repeated.
    private func tolerantRequest<Request: RequestPacket>(
        _ step: StreamStep, _ request: Request, isAnswered: Bool = true
    ) -> QueuedRequest {
        QueuedRequest(
            purpose: .stream(number, step), packet: .frame(request.frame),
            repeats: step == .start, collector: isAnswered ? .frame(request) : nil,
            overtakesLateReplies: true, leavesLateReply: false)
    }

    /// Returns a request of a workout.
    ///
    /// The end overtakes late replies: it may be sent twice, and a late reply that is mistaken for
    /// its own does no harm.
    func controlRequest(
        _ step: StreamStep, _ action: WorkoutControl.Action, _ sport: Sport
    ) -> QueuedRequest {
        let request = WorkoutControl.Request(action, sport)
        return QueuedRequest(
            purpose: .stream(number, step), packet: .frame(request.frame), repeats: false,
            collector: .frame(request), overtakesLateReplies: action == .end)
    }
}

/// The fields that distinguish a workout's reports.
private struct WorkoutSecond: Hashable, Sendable {
    let state: UInt8
    let elapsed: UInt16
}

extension RingStream {
    /// Returns `true` if only one of the two streams can be open: both are of the same kind.
    func excludes(_ other: RingStream) -> Bool {
        switch (self, other) {
        case (.measurement, .measurement), (.workout, .workout), (.rawSensors, .rawSensors): true
        case (.measurement, _), (.workout, _), (.rawSensors, _): false
        }
    }
}
