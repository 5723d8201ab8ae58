internal import HaloProtocol
internal import HaloTransport

/// Keeps a ring watching for gestures, as an app's camera does: it is told so every two seconds.
///
/// When the ring could not be told, it is told from the beginning: so watching goes on over a
/// link that was made again.
final class GestureWatch: Sendable {
    private struct State {
        var isOpen = false
        var isClosed = false
        var mustEnter = true
        var timer: Registration?
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
            defer { state.isOpen = true }
            return !state.isOpen && !state.isClosed
        }
        guard isFirst else { return }
        ring.core.listen(ObjectIdentifier(self)) { [weak self] heard in
            if case .gesture = Ring.Event(heard.event) { self?.noticed(heard.moment) }
        } finish: { [mailbox] end in
            mailbox.finish(end)
        }
        tell()
    }

    /// Tells the ring to watch, and sees to it that it is told again.
    private func tell() {
        let action: Camera.Action? = state.withLock { state in
            if state.isClosed { return nil }
            return state.mustEnter ? .enter : .keepAlive
        }
        guard let action else { return }
        let core = ring.core
        let number = core.update { $0.newNumber() }
        core.submit(Inquiry(Camera.Request(action)), as: .app(number)) { [weak self] outcome in
            self?.told(outcome.result)
        }
        let timer = ring.time.schedule(at: ring.time.now() + Self.keepAlive) { [weak self] in
            self?.tell()
        }
        let isWanted = state.withLock { state in
            state.timer = timer
            return !state.isClosed
        }
        guard !isWanted else { return }
        timer.cancel()
        // Another thread has let the ring rest before it was told to go on.
        rest()
    }

    /// An answer may be a gesture, too.
    private func told(_ result: Result<Answer<Camera.Reply>, DeviceError>) {
        switch result {
        case .success(.value(let reply)):
            state.withLock { $0.mustEnter = false }
            if reply.event == .gesture { noticed(ring.time.now()) }
        case .success(.refused), .success(.noData):
            mailbox.finish(.failure(DeviceError(.notSupported, command: Camera.name)))
        case .failure:
            state.withLock { $0.mustEnter = true }
        }
    }

    private func noticed(_ moment: Moment) {
        let isNew = state.withLock { state in
            if let last = state.lastGesture, moment < last + Self.debounce { return false }
            state.lastGesture = moment
            return !state.isClosed
        }
        if isNew { mailbox.send(moment) }
    }

    /// Lets the ring rest.
    private func close() {
        let (wasOpen, timer) = state.withLock { state in
            defer {
                state.isClosed = true
                state.timer = nil
            }
            return (state.isOpen && !state.isClosed, state.timer)
        }
        timer?.cancel()
        guard wasOpen else { return }
        let core = ring.core
        core.endListening(ObjectIdentifier(self))
        rest()
    }

    private func rest() {
        ring.core.submit(Inquiry(Camera.Request(.leave)), as: .app(0)) { _ in }
    }
}
