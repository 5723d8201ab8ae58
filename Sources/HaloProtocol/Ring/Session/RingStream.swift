/// A kind of report that a ring repeats until it is stopped.
public enum RingStream: Hashable, Sendable {
    /// A realtime measurement, command 69.
    case measurement(RealtimeMeasurement.Quantity)
    /// A workout, commands 77 and 78.
    case workout(Sport)
    /// The raw values of the sensors, command A1.
    case rawSensors
}

/// The number of a stream within its session.
public struct StreamNumber: Hashable, Sendable {
    /// The number; it is not used again in the same session.
    package let rawValue: UInt64

    init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

/// An event of one stream.
public enum StreamReport: Hashable, Sendable {
    /// The start of the stream; for a workout with the key of its stored record.
    case started(CivilDateTime?)
    /// A measured value, or the reason for a missing one.
    case measurement(RealtimeMeasurement.Reply)
    /// The progress of a workout; while it runs, each second is reported once.
    case workout(WorkoutProgress.Reply)
    /// Raw values of the sensors.
    case rawSensors(RawSensors.Reply)
    /// The end of the stream, its last report.
    case ended(StreamEnd)
}

/// The reason why a stream has ended.
public enum StreamEnd: Hashable, Sendable {
    /// The app has stopped it.
    case stopped
    /// The ring has ended a measurement that measures once.
    case finished
    /// The ring does not support the stream, or refuses it.
    case refused
    /// Another stream of the same kind was started: a ring runs one at a time.
    case replaced
    /// The ring sent no more reports, and did not start again.
    case silent
    /// The link has ended.
    case disconnected
    /// Too many streams are open.
    case overloaded
    /// The request that starts the stream could not be written.
    case writeFailed
}

extension StreamEnd: CustomStringConvertible {
    /// The reason in words.
    public var description: String {
        switch self {
        case .stopped: "stopped by the app"
        case .finished: "the ring has finished"
        case .refused: "the ring refuses"
        case .replaced: "another measurement has taken its place"
        case .silent: "the ring fell silent"
        case .disconnected: "the link has ended"
        case .overloaded: "too many streams are open"
        case .writeFailed: "its request could not be written"
        }
    }
}

/// The purpose of a request that a stream sends.
enum StreamStep: Hashable, Sendable {
    case start
    case keepAlive
    case pause
    case resume
    case stop
}

/// The open streams of a session: rule 8 of ``RingSession``.
///
/// One stream of each kind is open at most. Its phases:
///
/// | phase | input | then |
/// |---|---|---|
/// | `starting` | the ring accepts, or reports | `running` |
/// | `starting` | the ring refuses, or does not reply | the stream ends |
/// | `running` | ``SessionRules/streamTimeout`` passes | `starting` again, or the stream ends |
/// | `running` | ``SessionRules/keepAliveInterval`` | a keep-alive is sent |
/// | any | the app stops the stream | `stopping`; a stream whose start was not sent ends |
/// | `stopping` | the ring replies, or the last attempt fails | the stream ends |
struct StreamTable: Sendable {
    private var streams: [OpenStream] = []

    /// The numbers of the open streams, in the order in which they were started.
    var numbers: [StreamNumber] { streams.map { $0.number } }

    var deadline: Moment? {
        var earliest: Moment?
        for stream in streams { earliest = Moment.earlier(earliest, stream.deadline) }
        return earliest
    }

    func contains(_ number: StreamNumber) -> Bool { index(number) != nil }

    private func index(_ number: StreamNumber) -> Int? {
        streams.firstIndex { $0.number == number }
    }
}

/// Functions for the actions of an app.
extension StreamTable {
    /// Opens a stream; an open one of the same kind ends.
    mutating func start(
        _ stream: OpenStream, _ queue: inout RequestQueue,
        _ effects: inout EffectQueue<RingSession.Effect>,
        _ clock: SessionClock
    ) {
        if let index = streams.firstIndex(where: { $0.stream.excludes(stream.stream) }) {
            replace(index, &queue, &effects, clock)
        }
        streams.append(stream)
        enqueue(.start, of: streams.count - 1, &queue)
    }

    /// Stops a stream, which ends with the ring's reply, or at once if no request was written.
    mutating func stop(
        _ number: StreamNumber, _ queue: inout RequestQueue,
        _ effects: inout EffectQueue<RingSession.Effect>,
        _ clock: SessionClock
    ) {
        guard let index = index(number), !streams[index].isStopping else { return }
        queue.withdraw(number, clock)
        if streams[index].isSent {
            streams[index].phase = .stopping(attempts: 0, reports: 0)
            enqueue(.stop, of: index, &queue)
        } else {
            end(index, .stopped, &queue, &effects)
        }
    }

    /// Pauses or resumes a workout; a waiting pause or resume of the same stream is dropped.
    mutating func control(
        _ step: StreamStep, _ number: StreamNumber, _ queue: inout RequestQueue
    ) {
        guard let index = index(number), !streams[index].isStopping else { return }
        queue.removeWaiting {
            $0.purpose == .stream(number, .pause) || $0.purpose == .stream(number, .resume)
        }
        enqueue(step, of: index, &queue)
    }

    /// Returns `true` if the stream is an open workout.
    func isWorkout(_ number: StreamNumber) -> Bool {
        guard let index = index(number), case .workout = streams[index].stream else {
            return false
        }
        return true
    }

    /// Ends all streams with the link.
    mutating func disconnect(_ effects: inout EffectQueue<RingSession.Effect>) {
        for stream in streams { effects.append(.stream(stream.number, .ended(.disconnected))) }
        streams = []
    }

    /// Adds the request of a step to the queue; a stop goes before all other requests.
    private mutating func enqueue(
        _ step: StreamStep, of index: Int, _ queue: inout RequestQueue
    ) {
        guard let request = streams[index].request(step) else { return }
        if case .stopping(let attempts, _) = streams[index].phase, step == .stop {
            streams[index].phase = .stopping(attempts: attempts + 1, reports: 0)
        }
        queue.append(request, first: step == .stop)
    }

    /// Ends a stream because another one is started: a workout must be stopped, a measurement
    /// ends with the start of the next.
    private mutating func replace(
        _ index: Int, _ queue: inout RequestQueue, _ effects: inout EffectQueue<RingSession.Effect>,
        _ clock: SessionClock
    ) {
        let stream = streams[index]
        queue.withdraw(stream.number, clock)
        if case .workout = stream.stream, stream.isSent { enqueue(.stop, of: index, &queue) }
        end(index, .replaced, &queue, &effects)
    }

    private mutating func end(
        _ index: Int, _ end: StreamEnd, _ queue: inout RequestQueue,
        _ effects: inout EffectQueue<RingSession.Effect>
    ) {
        let number = streams.remove(at: index).number
        if end != .replaced { queue.removeWaiting { $0.belongs(to: number) } }
        effects.append(.stream(number, .ended(end)))
    }
}

/// The ends of requests, and timeouts.
extension StreamTable {
    /// Notes that the request which starts a stream was written.
    mutating func noteSent(_ number: StreamNumber) {
        if let index = index(number) { streams[index].isSent = true }
    }

    /// Handles the end of a stream's request.
    mutating func requestEnded(
        _ number: StreamNumber, _ step: StreamStep, _ completion: Completion,
        _ queue: inout RequestQueue, _ effects: inout EffectQueue<RingSession.Effect>,
        _ clock: SessionClock
    ) {
        guard let index = index(number) else { return }
        let frame = completion.received.frames.first
        let error = completion.error
        switch step {
        case .start:
            if frame?.refusedOpcode != nil && error == nil {
                end(index, .refused, &queue, &effects)
            } else if error?.kind == .writeFailed {
                end(index, .writeFailed, &queue, &effects)
            } else if error == nil || streams[index].hasReported {
                begin(index, frame, &effects, clock)
            } else {
                end(index, .silent, &queue, &effects)
            }
        case .stop:
            if case .stopping(let attempts, let reports) = streams[index].phase, error != nil,
                reports > 1, attempts < max(clock.rules.attempts, 1)
            {
                enqueue(.stop, of: index, &queue)
            } else {
                end(index, .stopped, &queue, &effects)
            }
        case .keepAlive, .pause, .resume:
            break
        }
    }

    /// Notes that the ring has started, and reports it the first time.
    private mutating func begin(
        _ index: Int, _ frame: Frame?, _ effects: inout EffectQueue<RingSession.Effect>,
        _ clock: SessionClock
    ) {
        streams[index].phase = .running(ends: clock.after(clock.rules.streamTimeout))
        if case .measurement(.heartRateStream) = streams[index].stream {
            streams[index].keepAliveAt = clock.after(clock.rules.keepAliveInterval)
        }
        if streams[index].hasStarted { return }
        streams[index].hasStarted = true
        let control = frame.flatMap { try? WorkoutControl.Reply(decoding: $0) }
        effects.append(.stream(streams[index].number, .started(control?.start)))
    }

    /// Handles the timeouts that are due.
    mutating func settle(
        _ queue: inout RequestQueue, _ effects: inout EffectQueue<RingSession.Effect>,
        _ clock: SessionClock
    ) {
        var index = 0
        while index < streams.count {
            let number = streams[index].number
            settle(index, &queue, &effects, clock)
            if index < streams.count, streams[index].number == number { index += 1 }
        }
    }

    private mutating func settle(
        _ index: Int, _ queue: inout RequestQueue, _ effects: inout EffectQueue<RingSession.Effect>,
        _ clock: SessionClock
    ) {
        let stream = streams[index]
        guard case .running(let ends) = stream.phase else { return }
        if ends <= clock.now {
            fallSilent(index, &queue, &effects, clock)
        } else if let keepAliveAt = stream.keepAliveAt, keepAliveAt <= clock.now {
            streams[index].keepAliveAt = clock.after(clock.rules.keepAliveInterval)
            if !queue.hasWaiting(of: stream.number) { enqueue(.keepAlive, of: index, &queue) }
        }
    }

    /// Restarts a silent stream, or ends it.
    private mutating func fallSilent(
        _ index: Int, _ queue: inout RequestQueue, _ effects: inout EffectQueue<RingSession.Effect>,
        _ clock: SessionClock
    ) {
        let stream = streams[index]
        if stream.isOnce || stream.hasRingEnded {
            end(index, .finished, &queue, &effects)
        } else if stream.stream.restarts {
            streams[index].phase = .starting(hasReported: false)
            queue.withdraw(stream.number, clock)
            enqueue(.start, of: index, &queue)
        } else {
            end(index, .silent, &queue, &effects)
        }
    }
}

/// Reports from a ring.
extension StreamTable {
    /// The meaning of a frame for one stream.
    private enum Match {
        case foreign
        case duplicate
        case report(StreamReport)
    }

    /// Passes a frame to the stream that it belongs to. Returns `false` if there is none.
    mutating func receive(
        _ frame: Frame, _ queue: inout RequestQueue,
        _ effects: inout EffectQueue<RingSession.Effect>,
        _ clock: SessionClock
    ) -> Bool {
        for index in streams.indices where streams[index].acceptsReports {
            do throws(PacketError) {
                let match = try match(frame, index)
                if case .foreign = match { continue }
                noteReport(index, &queue, clock)
                if case .report(let report) = match {
                    effects.append(.stream(streams[index].number, report))
                }
            } catch {
                effects.append(.event(.brokenPacket(frame, error)))
            }
            return true
        }
        return false
    }

    /// Ends a measurement when its keep-alive, which has no reply, is refused.
    mutating func receiveRefusal(
        _ frame: Frame, _ queue: inout RequestQueue,
        _ effects: inout EffectQueue<RingSession.Effect>
    ) -> Bool {
        guard frame.refuses(RealtimeMeasurement.opcode) else { return false }
        let index = streams.firstIndex { stream in
            if case .measurement = stream.stream { stream.hasStarted } else { false }
        }
        guard let index else { return false }
        end(index, .refused, &queue, &effects)
        return true
    }

    private mutating func match(_ frame: Frame, _ index: Int) throws(PacketError) -> Match {
        switch streams[index].stream {
        case .measurement(let quantity):
            guard frame.opcode == RealtimeMeasurement.opcode else { return .foreign }
            let reply = try RealtimeMeasurement.Reply(decoding: frame)
            guard reply.quantity == quantity else { return .foreign }
            if reply.value != 0 { streams[index].lastValue = reply.value }
            return .report(.measurement(reply))
        case .workout(let sport):
            guard frame.opcode == WorkoutProgress.opcode else { return .foreign }
            let reply = try WorkoutProgress.Reply(decoding: frame)
            guard reply.sport == sport else { return .foreign }
            streams[index].hasRingEnded = reply.state == .ended
            return streams[index].isDuplicate(reply) ? .duplicate : .report(.workout(reply))
        case .rawSensors:
            guard frame.opcode == RawSensors.opcode, frame.refusedOpcode == nil else {
                return .foreign
            }
            return .report(.rawSensors(try RawSensors.Reply(decoding: frame)))
        }
    }

    /// Restarts the timeout of a stream, and drops a start that still waits.
    private mutating func noteReport(
        _ index: Int, _ queue: inout RequestQueue, _ clock: SessionClock
    ) {
        switch streams[index].phase {
        case .starting where streams[index].hasStarted:
            streams[index].phase = .running(ends: clock.after(clock.rules.streamTimeout))
            let start = QueuedRequest.Purpose.stream(streams[index].number, .start)
            queue.removeWaiting { $0.purpose == start }
        case .starting:
            streams[index].phase = .starting(hasReported: true)
        case .running:
            streams[index].phase = .running(ends: clock.after(clock.rules.streamTimeout))
        case .stopping(let attempts, let reports):
            streams[index].phase = .stopping(attempts: attempts, reports: reports + 1)
        }
    }
}

/// A stream that has not ended.
struct OpenStream: Sendable {
    enum Phase: Hashable, Sendable {
        /// The request that starts the stream waits or is active.
        case starting(hasReported: Bool)
        /// The ring reports; without further reports the stream is silent at `ends`.
        case running(ends: Moment)
        /// The request that stops the stream waits or is active.
        case stopping(attempts: Int, reports: Int)
    }

    let number: StreamNumber
    let stream: RingStream
    let isOnce: Bool
    fileprivate var phase = Phase.starting(hasReported: false)
    /// `true` once a request that starts the stream was written.
    fileprivate var isSent = false
    /// `true` once ``StreamReport/started(_:)`` was reported.
    fileprivate var hasStarted = false
    /// The moment of the next keep-alive, or `nil` for streams that need none.
    fileprivate var keepAliveAt: Moment?
    /// `true` if the last report is the end of the workout.
    fileprivate var hasRingEnded = false
    /// The last value other than 0.
    fileprivate var lastValue: UInt8 = 0
    /// The last reported seconds of a workout.
    private var seconds: [WorkoutSecond] = []

    private static let rememberedSeconds = 4

    init(_ number: StreamNumber, _ stream: RingStream, isOnce: Bool) {
        self.number = number
        self.stream = stream
        self.isOnce = isOnce
    }

    fileprivate var deadline: Moment? {
        guard case .running(let ends) = phase else { return nil }
        return Moment.earlier(ends, keepAliveAt)
    }

    fileprivate var isStopping: Bool {
        if case .stopping = phase { true } else { false }
    }

    /// `true` if the ring has reported since the last start of the stream.
    fileprivate var hasReported: Bool {
        if case .starting(let hasReported) = phase { hasReported } else { true }
    }

    /// `true` if a report may belong to the stream now.
    fileprivate var acceptsReports: Bool {
        switch stream {
        case .measurement, .rawSensors: hasStarted
        case .workout: isSent
        }
    }

    /// Notes the second of a workout, and returns `true` if it was reported before.
    ///
    /// The seconds of a paused workout do not advance. Its reports still show that the ring is
    /// connected, so none is a duplicate.
    fileprivate mutating func isDuplicate(_ reply: WorkoutProgress.Reply) -> Bool {
        if reply.state == .paused { return false }
        let second = WorkoutSecond(state: reply.state.rawValue, elapsed: reply.elapsedSeconds)
        if seconds.contains(second) { return true }
        if seconds.count >= Self.rememberedSeconds { seconds.removeFirst() }
        seconds.append(second)
        return false
    }
}

/// The fields that distinguish a workout's reports.
private struct WorkoutSecond: Hashable, Sendable {
    let state: UInt8
    let elapsed: UInt16
}

extension OpenStream {
    /// Returns the request of a step, or `nil` if the stream has no such step.
    fileprivate func request(_ step: StreamStep) -> QueuedRequest? {
        switch (stream, step) {
        case (.measurement(let quantity), .start):
            tolerant(step, RealtimeMeasurement.Request(quantity), answered: true)
        case (.measurement(let quantity), .keepAlive):
            tolerant(step, RealtimeMeasurement.Request(quantity, .resume), answered: false)
        case (.measurement(let quantity), .stop):
            tolerant(step, StopMeasurement.Request(quantity, value: lastValue), answered: true)
        case (.rawSensors, .start):
            tolerant(step, RawSensors.Request(isOnce ? .once : .start), answered: true)
        case (.rawSensors, .stop):
            tolerant(step, RawSensors.Request(.stop), answered: false)
        case (.workout(let sport), .start): control(step, .start, sport)
        case (.workout(let sport), .pause): control(step, .pause, sport)
        case (.workout(let sport), .resume): control(step, .resume, sport)
        case (.workout(let sport), .stop): control(step, .end, sport)
        case (.measurement, _), (.rawSensors, _), (.workout, _): nil
        }
    }

    /// Returns a request whose late reply does no harm: a report like others, or the end of a named
    /// stream.
    ///
    /// Only a start is repeated.
    private func tolerant<Request: RequestPacket>(
        _ step: StreamStep, _ request: Request, answered: Bool
    ) -> QueuedRequest {
        QueuedRequest(
            purpose: .stream(number, step), packet: .frame(request.frame),
            repeats: step == .start, collector: answered ? .frame(request) : nil,
            overtakesLateReplies: true, leavesLateReply: false)
    }

    /// Returns a request of a workout.
    ///
    /// The end overtakes late replies: it may be sent twice, and a late reply that is mistaken for
    /// its own does no harm.
    private func control(
        _ step: StreamStep, _ action: WorkoutControl.Action, _ sport: Sport
    ) -> QueuedRequest {
        let request = WorkoutControl.Request(action, sport)
        return QueuedRequest(
            purpose: .stream(number, step), packet: .frame(request.frame), repeats: false,
            collector: .frame(request), overtakesLateReplies: action == .end)
    }
}

extension RingStream {
    /// Returns `true` if only one of the two streams can be open: both are of the same kind.
    fileprivate func excludes(_ other: RingStream) -> Bool {
        switch (self, other) {
        case (.measurement, .measurement), (.workout, .workout), (.rawSensors, .rawSensors): true
        case (.measurement, _), (.workout, _), (.rawSensors, _): false
        }
    }

    /// `true` if the start of the stream may be sent twice.
    fileprivate var restarts: Bool {
        switch self {
        case .measurement, .rawSensors: true
        case .workout: false
        }
    }
}
