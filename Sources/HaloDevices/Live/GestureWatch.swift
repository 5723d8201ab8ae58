internal import HaloProtocol
internal import HaloTransport

/// Keeps a ring watching for gestures, as an app's camera does: it is told so every two seconds.
///
/// Rules:
/// - One request is under way at a time, and the next one follows when it has ended, two seconds
///   after it was sent at the earliest. So nothing piles up before a ring that answers none.
/// - A ring that has not answered on the link that there is now is told from the beginning.
/// - When the loop ends, the request that is under way is cancelled, and the ring told to rest.
final class GestureWatch: Sendable {
    private enum Phase {
        /// The loop has not asked for a gesture yet.
        case idle
        /// The ring is told to watch, again and again.
        case watching
        /// The loop has ended, or the ring is disconnected.
        case closed
    }

    private struct State {
        var phase = Phase.idle
        /// The request that is under way, or has ended last.
        var request: UInt64?
        /// Calls when the ring is to be told again.
        var timer: Registration?
        /// The link on which the ring has answered last.
        var answeredOn: UInt64?
        var lastGesture: Moment?
    }

    private let ring: Ring
    private let mailbox: Mailbox<Moment>
    private let state = Locked(State())

    static var keepAlive: Duration { .seconds(2) }
    static var debounce: Duration { .seconds(3) }

    init(_ ring: Ring) {
        self.ring = ring
        mailbox = Mailbox(limit: ring.options.bufferLimit, .listens, ring.time)
    }

    deinit { close() }

    /// The next wave.
    nonisolated(nonsending) func next() async throws(DeviceError) -> Moment? {
        open()
        do throws(DeviceError) {
            let delivery = try await mailbox.next()
            if delivery == nil { close() }
            return delivery?.element
        } catch {
            close()
            throw error
        }
    }

    private func open() {
        let isFirst = state.withLock { state in
            guard case .idle = state.phase else { return false }
            state.phase = .watching
            return true
        }
        guard isFirst else { return }
        ring.core.listen(ObjectIdentifier(self)) { [weak self] heard in
            if case .gesture = Ring.Event(heard.event) { self?.noticed(heard.moment) }
        } finish: { [weak self, mailbox] end in
            self?.stop()
            mailbox.finish(end)
        }
        tell()
    }

    /// Tells the ring to watch.
    private func tell() {
        let core = ring.core
        let (number, link) = core.update { ($0.newNumber(), $0.linkNumber) }
        let action: Camera.Action? = state.withLock { state in
            guard case .watching = state.phase else { return nil }
            state.request = number
            return state.answeredOn == link ? .keepAlive : .enter
        }
        guard let action else { return }
        let next = ring.time.now() + Self.keepAlive
        core.submit(Inquiry(Camera.Request(action)), as: .app(number)) { [weak self] outcome in
            self?.told(outcome.result, on: link, next)
        }
        // Another thread may have let the ring rest before it was told to go on.
        let isClosed = state.withLock { if case .closed = $0.phase { true } else { false } }
        if isClosed { rest(instead: number) }
    }

    /// An answer may be a gesture, too.
    private func told(
        _ result: Result<Answer<Camera.Reply>, DeviceError>, on link: UInt64, _ next: Moment
    ) {
        switch result {
        case .success(.value(let reply)):
            state.withLock { $0.answeredOn = link }
            if reply.event == .gesture { noticed(ring.time.now()) }
        case .success(.refused), .success(.noData):
            return mailbox.finish(.failure(DeviceError(.notSupported, command: Camera.name)))
        case .failure:
            state.withLock { $0.answeredOn = nil }
        }
        let timer = ring.time.schedule(at: next) { [weak self] in self?.tell() }
        let isWanted = state.withLock { state in
            guard case .watching = state.phase else { return false }
            state.timer = timer
            return true
        }
        if !isWanted { timer.cancel() }
    }

    private func noticed(_ moment: Moment) {
        let isNew = state.withLock { state in
            if let last = state.lastGesture, moment < last + Self.debounce { return false }
            state.lastGesture = moment
            if case .closed = state.phase { return false }
            return true
        }
        if isNew { mailbox.send(moment) }
    }

    /// Tells the ring nothing any more. Gives the last request, if the ring was being told.
    @discardableResult
    private func stop() -> UInt64? {
        let (request, timer) = state.withLock { state in
            defer { state = State(phase: .closed) }
            return (state.request, state.timer)
        }
        timer?.cancel()
        return request
    }

    /// Lets the ring rest.
    private func close() {
        guard let request = stop() else { return }
        ring.core.endListening(ObjectIdentifier(self))
        rest(instead: request)
    }

    private func rest(instead request: UInt64) {
        let core = ring.core
        core.cancel(request)
        Self.leave(core, on: core.update { $0.linkNumber })
    }

    /// Tells the ring that the camera is closed, as soon as there is room in the line, as long as
    /// the link lasts: the end of a link closes the camera too.
    private static func leave(_ core: RingCore, on link: UInt64) {
        let (number, isOver) = core.update { ($0.newNumber(), $0.linkNumber != link) }
        if isOver { return }
        core.submit(Inquiry(Camera.Request(.leave)), as: .app(number)) { [weak core] outcome in
            guard let core, case .failure(let error) = outcome.result, error.kind == .overloaded
            else { return }
            _ = core.time.schedule(at: core.time.now() + keepAlive) { [weak core] in
                if let core { leave(core, on: link) }
            }
        }
    }
}
