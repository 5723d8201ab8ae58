internal import HaloProtocol
internal import HaloTransport

/// The state of the watch for gestures: like an app's camera, it sends a request every two seconds.
///
/// Rules:
/// - The ring watches while there is a loop and the ring accepts requests; all loops share the
///   watch.
/// - One request is under way at a time. The next one is sent after its end, but at least two
///   seconds after it was sent. So no requests queue up for a ring that does not reply.
/// - The camera is entered anew on each link, and after a request without a reply.
/// - After the last loop, the request under way is cancelled and the camera is left, as soon as
///   there is room in the session's queue. The end of a link closes the camera too.
struct GestureWatch: Sendable {
    enum Phase: Sendable {
        case idle
        /// A request is under way.
        case requesting
        /// The watch is idle until the next request.
        case watching
        /// A request to leave the camera is due: the session's queue had no room before.
        case leaving
    }

    var phase = Phase.idle
    /// The earliest moment of the next request.
    var next = Moment.origin
    var loops: [UInt64] = []
    /// `true` if the ring has replied to the last request, on this link.
    var hasAnswered = false
    var lastGesture: Moment?

    var deadline: Moment? { phase == .watching || phase == .leaving ? next : nil }

    mutating func linkEnded() { (phase, hasAnswered) = (.idle, false) }

    static var keepAlive: Duration { .seconds(2) }
    static var debounce: Duration { .seconds(3) }
}

// MARK: - Gestures

extension RingClient {
    mutating func watch(for loop: UInt64, _ context: inout Context) {
        guard gestures.isOpen(loop), !watch.loops.contains(loop) else { return }
        watch.loops.append(loop)
        watchAsWanted(&context)
    }

    mutating func endWatching(for loop: UInt64, _ context: inout Context) {
        guard watch.loops.contains(loop) else { return }
        watch.loops.removeAll { $0 == loop }
        if watch.loops.isEmpty { endWatching(&context) }
    }

    /// Opens the camera, if there is a loop and no request is under way.
    mutating func watchAsWanted(_ context: inout Context) {
        guard isReady, !watch.loops.isEmpty else { return }
        switch watch.phase {
        case .idle, .leaving: requestWatch(&context)
        case .requesting, .watching: break
        }
    }

    mutating func watchIsDue(_ context: inout Context) {
        switch watch.phase {
        case .idle, .requesting: break
        case .watching: requestWatch(&context)
        case .leaving: leaveCamera(&context)
        }
    }

    private mutating func requestWatch(_ context: inout Context) {
        watch.phase = .requesting
        watch.next = context.now + GestureWatch.keepAlive
        let request = RingRequest(Camera.Request(watch.hasAnswered ? .keepAlive : .enter))
        submit(request, as: .gestures, &context) { reply, client, context in
            client.receive(request.answer(reply), &context)
        }
    }

    /// Receives the reply to a request, which may also be a gesture.
    private mutating func receive(
        _ answer: Result<Answer<Camera.Reply>, DeviceError>, _ context: inout Context
    ) {
        guard watch.phase == .requesting else { return }
        watch.phase = .watching
        switch answer {
        case .success(.value(let reply)):
            watch.hasAnswered = true
            if reply.event == .gesture { gestureNoticed(&context) }
        case .success(.refused), .success(.noData):
            let error = DeviceError(.notSupported, command: Camera.name)
            for loop in watch.loops { gestures.finish(.failure(error), of: loop) }
            endWatching(&context)
        case .failure: watch.hasAnswered = false
        }
    }

    /// Reports a gesture, unless it belongs to the last wave.
    mutating func gestureNoticed(_ context: inout Context) {
        if let last = watch.lastGesture, context.now < last + GestureWatch.debounce { return }
        watch.lastGesture = context.now
        for loop in watch.loops { gestures.send(context.now, to: loop) }
    }

    private mutating func endWatching(_ context: inout Context) {
        if watch.phase == .idle { return }
        watch = GestureWatch()
        cancel(&context) { $0 == .gestures }
        leaveCamera(&context)
    }

    private mutating func leaveCamera(_ context: inout Context) {
        watch.phase = .idle
        let request = RingRequest(Camera.Request(.leave))
        submit(request, as: .gestures, &context) { reply, client, context in
            guard case .failure(let error) = reply.result, error.kind == .overloaded,
                client.isReady, client.watch.phase == .idle
            else { return }
            client.watch.phase = .leaving
            client.watch.next = context.now + GestureWatch.keepAlive
        }
    }
}

extension Ring {
    func loopOverGestures() -> Loop<RingClient, Moment> {
        Loop(
            connection, holding: self, .listens, among: \.client.gestures,
            resume: { $1.watch(for: $0, &$2) }, end: { $1.endWatching(for: $0, &$2) })
    }
}
