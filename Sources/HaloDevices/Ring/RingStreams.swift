internal import HaloProtocol
internal import HaloTransport

/// What a stream delivers: reports of the ring, and breaks of the link.
enum StreamItem: Hashable, Sendable {
    case report(StreamReport)
    case interrupted
}

/// Streams, and the loops over them.
extension RingClient {
    /// Has the ring begin a stream for a loop, now or when it can be asked again; a loop has one.
    mutating func open(
        _ loop: UInt64, _ stream: RingStream, once isOnce: Bool, _ context: inout Context
    ) {
        guard reports.isOpen(loop), !observers.contains(where: { $0.loop == loop }) else { return }
        observers.append(Observer(loop: loop, stream: stream, isOnce: isOnce))
        guard isReady else { return }
        begin(observers.count - 1, context.now)
        flush(&context)
    }

    /// Has the ring end the stream of a loop, if it has begun.
    mutating func close(_ loop: UInt64, _ context: inout Context) {
        guard let index = observers.firstIndex(where: { $0.loop == loop }) else { return }
        guard let running = observers.remove(at: index).running else { return }
        session.stop(running, at: context.now)
        flush(&context)
    }

    /// Tells the session to begin a stream.
    mutating func begin(_ index: Int, _ now: Moment) {
        let observer = observers[index]
        observers[index].running = session.start(observer.stream, once: observer.isOnce, at: now)
    }

    /// Passes on what the session says of a stream.
    mutating func take(
        _ report: StreamReport, of number: StreamNumber, _ context: inout Context
    ) {
        guard let index = observers.firstIndex(where: { $0.running == number }) else { return }
        let loop = observers[index].loop
        guard case .ended(let streamEnd) = report else {
            return reports.send(.report(report), to: loop, &context.turn)
        }
        observers[index].running = nil
        let result: Result<Void, DeviceError>
        switch streamEnd {
        case .stopped, .finished: result = .success(())
        case .refused: result = .failure(DeviceError(.notSupported))
        case .replaced: result = .failure(DeviceError(.replaced))
        case .silent: result = .failure(DeviceError(.silent))
        case .overloaded: result = .failure(DeviceError(.overloaded))
        case .writeFailed:
            let error = failedWrite.map { DeviceError($0.error) }
            result = .failure(error ?? DeviceError(.bluetooth))
        case .disconnected:
            if let end {
                result = end
            } else if case .workout = observers[index].stream {
                result = .failure(DeviceError(.disconnected, reason: endReason))
            } else {
                return reports.send(.interrupted, to: loop, &context.turn)
            }
        }
        observers.remove(at: index)
        reports.finish(result, of: loop, &context.turn)
    }

    /// Interrupts the workout of a loop, lets it go on, or ends it.
    mutating func control(
        _ loop: UInt64, _ action: WorkoutControl.Action, _ context: inout Context
    ) {
        guard let number = observers.first(where: { $0.loop == loop })?.running else { return }
        switch action {
        case .pause: session.pause(number, at: context.now)
        case .resume: session.resume(number, at: context.now)
        case .end: session.stop(number, at: context.now)
        case .start, .askStart: break
        }
        flush(&context)
    }
}

extension Ring {
    /// One loop's hold on a stream of the ring: it begins with the first `next()`, and ends with
    /// the loop.
    func loop(over stream: RingStream, once isOnce: Bool) -> Loop<RingClient, StreamItem> {
        Loop(connection, holding: self, .waits) {
            $0(&$1.client.reports, &$1.turn)
        } resume: { [connection] loop, state in
            connection.tell(&state) { $0.open(loop, stream, once: isOnce, &$1) }
        } end: { [connection] loop, state in
            connection.tell(&state) { $0.close(loop, &$1) }
        }
    }

    /// One loop over waves of the hand.
    func loopOverGestures() -> Loop<RingClient, Moment> {
        Loop(connection, holding: self, .listens) {
            $0(&$1.client.gestures, &$1.turn)
        } resume: { [connection] loop, state in
            connection.tell(&state) { $0.watch(for: loop, &$1) }
        } end: { [connection] loop, state in
            connection.tell(&state) { $0.endWatching(for: loop, &$1) }
        }
    }
}

/// Keeps a ring watching for gestures, as an app's camera does: it is told so every two seconds.
///
/// Rules:
/// - The ring watches while a loop wants it and the ring can be asked; all loops share that.
/// - One request is under way at a time, and the next one follows when it has ended, two seconds
///   after it was sent at the earliest. So nothing piles up before a ring that answers none.
/// - A ring that has not answered last, or not on this link, is told from the beginning.
/// - When the last loop ends, the request that is under way is cancelled, and the ring told to
///   rest, as soon as there is room in the line. The end of a link closes the camera too.
struct GestureWatch: Sendable {
    enum Phase: Sendable {
        /// The ring is told nothing.
        case resting
        /// It is being told to watch, and again from a moment on.
        case telling(next: Moment)
        /// It is told again at a moment.
        case watching(next: Moment)
        /// It is told to rest at a moment: there was no room before.
        case leaving(next: Moment)
    }

    var phase = Phase.resting
    /// The loops that want gestures.
    var loops: [UInt64] = []
    /// `true` if the ring has answered last, on this link.
    var hasAnswered = false
    var lastGesture: Moment?

    /// When the ring is to be told something.
    var deadline: Moment? {
        switch phase {
        case .resting, .telling: nil
        case .watching(let next), .leaving(let next): next
        }
    }

    /// What the ring was told, it has forgotten.
    mutating func linkEnded() { (phase, hasAnswered) = (.resting, false) }

    static var keepAlive: Duration { .seconds(2) }
    static var debounce: Duration { .seconds(3) }
}

/// Gestures.
extension RingClient {
    /// A loop wants gestures.
    mutating func watch(for loop: UInt64, _ context: inout Context) {
        guard gestures.isOpen(loop), !watch.loops.contains(loop) else { return }
        watch.loops.append(loop)
        watchAsWanted(&context)
    }

    /// A loop wants no more.
    mutating func endWatching(for loop: UInt64, _ context: inout Context) {
        guard watch.loops.contains(loop) else { return }
        watch.loops.removeAll { $0 == loop }
        if watch.loops.isEmpty { letRest(&context) }
    }

    /// Tells the ring to watch, if a loop wants that and nothing is under way.
    mutating func watchAsWanted(_ context: inout Context) {
        guard isReady, !watch.loops.isEmpty else { return }
        switch watch.phase {
        case .resting, .leaving: tellToWatch(&context)
        case .telling, .watching: break
        }
    }

    /// The moment has come that the watch has waited for.
    mutating func watchIsDue(_ context: inout Context) {
        switch watch.phase {
        case .resting, .telling: break
        case .watching: tellToWatch(&context)
        case .leaving: tellToRest(&context)
        }
    }

    private mutating func tellToWatch(_ context: inout Context) {
        watch.phase = .telling(next: context.now + GestureWatch.keepAlive)
        let request = RingRequest(Camera.Request(watch.hasAnswered ? .keepAlive : .enter))
        submit(request.answering { $0.result }, as: .gestures, &context) { $1.told($0, &$2) }
    }

    /// An answer may be a gesture, too.
    private mutating func told(
        _ answer: TimedAnswer<Result<Answer<Camera.Reply>, DeviceError>>,
        _ context: inout Context
    ) {
        guard case .telling(let next) = watch.phase else { return }
        watch.phase = .watching(next: next)
        switch answer.answer {
        case .success(.value(let reply)):
            watch.hasAnswered = true
            if reply.event == .gesture { noticed(&context) }
        case .success(.refused), .success(.noData):
            let error = DeviceError(.notSupported, command: Camera.name)
            for loop in watch.loops { gestures.finish(.failure(error), of: loop, &context.turn) }
            letRest(&context)
        case .failure: watch.hasAnswered = false
        }
    }

    /// The hand was waved.
    mutating func noticed(_ context: inout Context) {
        if let last = watch.lastGesture, context.now < last + GestureWatch.debounce { return }
        watch.lastGesture = context.now
        for loop in watch.loops { gestures.send(context.now, to: loop, &context.turn) }
    }

    private mutating func letRest(_ context: inout Context) {
        if case .resting = watch.phase { return }
        watch = GestureWatch()
        cancel(&context) { $0 == .gestures }
        tellToRest(&context)
    }

    private mutating func tellToRest(_ context: inout Context) {
        watch.phase = .resting
        let request = RingRequest(Camera.Request(.leave)).answering { $0.result }
        submit(request, as: .gestures, &context) { answer, client, context in
            guard case .failure(let error) = answer.answer, error.kind == .overloaded,
                client.isReady, case .resting = client.watch.phase
            else { return }
            client.watch.phase = .leaving(next: context.now + GestureWatch.keepAlive)
        }
    }
}
