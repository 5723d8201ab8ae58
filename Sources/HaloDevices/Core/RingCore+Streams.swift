internal import HaloProtocol
internal import HaloTransport

/// What a stream delivers: reports of the ring, and breaks of the link.
enum StreamItem: Hashable, Sendable {
    case report(StreamReport)
    case interrupted
}

/// Who observes a stream of the ring, over as many links as it takes.
final class StreamObserver: Sendable {
    let stream: RingStream
    let isOnce: Bool
    let mailbox: Mailbox<StreamItem>

    init(_ stream: RingStream, once isOnce: Bool, _ mailbox: Mailbox<StreamItem>) {
        self.stream = stream
        self.isOnce = isOnce
        self.mailbox = mailbox
    }
}

extension RingCore {
    /// Somebody who will observe a stream.
    func makeStreamObserver(_ stream: RingStream, once isOnce: Bool) -> StreamObserver {
        StreamObserver(
            stream, once: isOnce, Mailbox(limit: options.bufferLimit, .waits, time))
    }

    /// Has the ring begin, now or when it can be asked again.
    func open(_ observer: StreamObserver) {
        update { state in
            if case .closed(let error) = state.phase {
                state.outbox.append { observer.mailbox.finish(.failure(error)) }
                return
            }
            state.openObservers.append(observer)
            if case .ready = state.phase {
                begin(observer, &state)
                pump(&state)
            }
        }
    }

    /// Has the ring end, if it has begun.
    func close(_ observer: StreamObserver) {
        update { state in
            state.openObservers.removeAll { $0 === observer }
            if let number = number(of: observer, state) {
                state.streams[number] = nil
                state.session.stop(number, at: state.now)
                pump(&state)
            }
            state.outbox.append { observer.mailbox.finish(.success(())) }
        }
    }

    /// Tells the session to begin a stream.
    func begin(_ observer: StreamObserver, _ state: inout RingState) {
        let number = state.session.start(
            observer.stream, once: observer.isOnce, at: state.now)
        state.streams[number] = observer
    }

    private func number(of observer: StreamObserver, _ state: RingState) -> StreamNumber? {
        state.streams.first { $0.value === observer }?.key
    }

    /// Passes on what the session says of a stream.
    func take(_ report: StreamReport, of number: StreamNumber, _ state: inout RingState) {
        guard let observer = state.streams[number] else { return }
        guard case .ended(let end) = report else {
            state.outbox.append { observer.mailbox.send(.report(report)) }
            return
        }
        state.streams[number] = nil
        let result: Result<Void, DeviceError>
        switch end {
        case .stopped, .finished: result = .success(())
        case .refused: result = .failure(DeviceError(.notSupported))
        case .replaced: result = .failure(DeviceError(.replaced))
        case .silent: result = .failure(DeviceError(.silent))
        case .overloaded: result = .failure(DeviceError(.overloaded))
        case .writeFailed:
            let error = state.failedWrite.map { DeviceError($0.error) }
            result = .failure(error ?? DeviceError(.bluetooth))
        case .disconnected:
            if !endsWithLink(observer, state) {
                state.outbox.append { observer.mailbox.send(.interrupted) }
                return
            }
            result = .failure(DeviceError(.disconnected, reason: state.endReason))
        }
        state.openObservers.removeAll { $0 === observer }
        state.outbox.append { observer.mailbox.finish(result) }
    }

    /// Whether a stream is not begun again when the link is made again: a workout would be
    /// another one.
    private func endsWithLink(_ observer: StreamObserver, _ state: RingState) -> Bool {
        if case .workout = observer.stream { return true }
        switch state.phase {
        case .waiting: return false
        case .idle, .linking, .preparing, .ready, .closed: return true
        }
    }

    /// Interrupts a workout, lets it go on, or ends it.
    func control(_ observer: StreamObserver, _ action: WorkoutControl.Action) {
        update { state in
            guard let number = number(of: observer, state) else { return }
            switch action {
            case .pause: state.session.pause(number, at: state.now)
            case .resume: state.session.resume(number, at: state.now)
            case .end: state.session.stop(number, at: state.now)
            case .start, .askStart: break
            }
            pump(&state)
        }
    }

    /// A mailbox that is told how it stands with the link, now and after each change.
    func listenToStates() -> Mailbox<ConnectionState> {
        let mailbox = Mailbox<ConnectionState>(limit: options.bufferLimit, .listens, time)
        update { state in
            let now = state.connectionState
            state.outbox.append { mailbox.send(now) }
            if case .closed = state.phase {
                state.outbox.append { mailbox.finish(.success(())) }
                return
            }
            state.stateListeners.sinks.append(
                Listeners.Sink(
                    id: ObjectIdentifier(mailbox), send: { mailbox.send($0) },
                    finish: { mailbox.finish($0) }))
        }
        return mailbox
    }

    /// A mailbox that is told what the ring says unasked.
    func listenToEvents() -> Mailbox<Ring.Event> {
        let mailbox = Mailbox<Ring.Event>(limit: options.bufferLimit, .listens, time)
        listen(ObjectIdentifier(mailbox)) { heard in
            mailbox.send(Ring.Event(heard.event))
        } finish: { end in
            mailbox.finish(end)
        }
        return mailbox
    }

    /// Has functions called with what the ring says unasked.
    func listen(
        _ id: ObjectIdentifier, _ send: @escaping @Sendable (HeardEvent) -> Void,
        finish: @escaping @Sendable (Result<Void, DeviceError>) -> Void
    ) {
        update { state in
            if case .closed(let error) = state.phase {
                state.outbox.append { finish(.failure(error)) }
                return
            }
            state.eventListeners.sinks.append(
                Listeners.Sink(id: id, send: send, finish: finish))
        }
    }

    /// Has nothing called any more.
    func endListening(_ id: ObjectIdentifier) {
        update { state in
            state.stateListeners.sinks.removeAll { $0.id == id }
            state.eventListeners.sinks.removeAll { $0.id == id }
        }
    }
}
