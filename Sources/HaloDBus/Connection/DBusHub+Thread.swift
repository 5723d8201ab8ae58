#if os(Linux)
internal import Synchronization

extension DBusHub {
    /// How long is waited before a bus is asked again that had no time.
    private static let pause: Int64 = 2000
    private static let readLength = 1 << 16

    /// Looks for a bus that can be reached, in order.
    func openSocket(_ addresses: [DBusAddress]) {
        var failure = DBusError(.unreachable, details: "no address that can be used")
        for address in addresses {
            guard let place = address.socket?.resolved(SystemSocket.environment) else { continue }
            do throws(DBusError) {
                guard let socket = try connect(to: place) else { return }
                return state.withLock { state in
                    state.socket = socket
                    state.session.expectedBusID = address.busID
                }
            } catch {
                failure = DBusError(.unreachable, details: "\(address): \(error.details ?? "")")
            }
        }
        guard !addresses.isEmpty else { return }
        state.withLock { $0.session.end(failure) }
    }

    private func connect(to place: DBusAddress.Socket) throws(DBusError) -> Int32? {
        while true {
            if let socket = try SystemSocket.connect(to: place) { return socket }
            let now = SystemSocket.now()
            let hasEnded = state.withLock { state in
                state.session.tick(at: now)
                return state.session.endError != nil
            }
            if hasEnded { return nil }
            // Calls may have less time than the bus.
            if performDue() { continue }
            var poll = SystemPoll()
            poll.append(alarm)
            poll.wait(for: Self.pause)
            if poll.isReadable(0) { takeWakeUp() }
        }
    }

    /// Does what is to be done, until the end.
    func run() {
        var sleep = DBusHubSleep(alarm)
        var buffer = SystemSocket.room(Self.readLength)
        let controlLength = AncillaryDescriptors.length(SystemSocket.descriptorsAtOnce)
        var control = SystemSocket.room(controlLength)
        var input = DBusInput()
        var turn = state.withLock { $0.take(&sleep, at: SystemSocket.now()) }
        while true {
            perform(turn)
            switch turn.next {
            case .finish: return finish(&buffer)
            case .goOn: turn = state.withLock { $0.take(&sleep, at: SystemSocket.now()) }
            case .wait:
                wait(&sleep, turn.rest)
                turn = read(&sleep, &buffer, &control, &input)
            }
        }
    }

    private func wait(_ sleep: inout DBusHubSleep, _ rest: Int64?) {
        // Whoever calls the thread says so first, and looks then whether it waits; it does it the
        // other way round. One of the two sees the other.
        isWaiting.store(true, ordering: .sequentiallyConsistent)
        var hasBeenCalled = isCalled.exchange(false, ordering: .sequentiallyConsistent)
        if let rest, !hasBeenCalled { hasBeenCalled = sleep.rest(rest) }
        sleep.wait(hasBeenCalled ? 0 : nil)
        isWaiting.store(false, ordering: .sequentiallyConsistent)
        if sleep.isWoken { takeWakeUp() }
    }

    /// Reads what there is, and says what is to be called for it.
    private func read(
        _ sleep: inout DBusHubSleep, _ buffer: inout [UInt8], _ control: inout [UInt8],
        _ input: inout DBusInput
    ) -> DBusHubTurn {
        var outcome: SystemSocket.Outcome?
        if sleep.isReadable, let socket = sleep.socket {
            outcome = receive(socket, &buffer, &control, &input)
        }
        let now = SystemSocket.now()
        let turn = state.withLock { state -> DBusHubTurn? in
            state.isAsleep = false
            switch outcome {
            case .bytes: state.session.receive(&input)
            case .ended(let reason):
                state.session.receiveEnd(reason, isInsideMessage: input.isInsideMessage)
            // What can be read is read first: it may hold answers.
            case .later, nil:
                guard let fault = state.writeFault else { break }
                state.session.receiveEnd(fault, isInsideMessage: input.isInsideMessage)
            }
            // Only now: what has come already is in time, however late it is looked at.
            state.session.tick(at: now)
            return sleep.packets.isEmpty ? state.take(&sleep, at: now) : nil
        }
        if let turn { return turn }
        let count = serve(&sleep, &buffer)
        return state.withLock { $0.take(&sleep, at: now, told: count) }
    }

    /// Takes what is there, and reads the messages in it, while the state is free for others.
    private func receive(
        _ socket: Int32, _ buffer: inout [UInt8], _ control: inout [UInt8],
        _ input: inout DBusInput
    ) -> SystemSocket.Outcome {
        let (outcome, numbers) = SystemSocket.receive(socket, into: &buffer, control: &control)
        let descriptors = numbers.isEmpty ? nil : DBusDescriptors(owning: numbers)
        guard case .bytes(let count) = outcome else { return outcome }
        input.append(buffer.span.extracting(0..<min(count, buffer.count)), descriptors) { bytes in
            state.withLock { $0.session.authenticate(bytes) }
        }
        return outcome
    }

    private func perform(_ turn: DBusHubTurn) {
        turn.around?.begin()
        var row: (id: UInt32, signals: [DBusSignal]) = (0, [])
        for effect in turn.effects {
            if case .signal(let signal, let ids) = effect, ids.count == 1, let id = ids.first {
                if id != row.id { tell(&row) }
                row.id = id
                row.signals.append(signal)
            } else {
                tell(&row)
                perform(effect)
            }
        }
        tell(&row)
        for work in turn.work { work() }
        turn.around?.end()
    }

    /// Calls what is to be called now; whether there was anything.
    private func performDue() -> Bool {
        let turn = state.withLock { $0.takeDue() }
        perform(turn)
        return !turn.isEmpty
    }

    private func finish(_ buffer: inout [UInt8]) {
        let (left, work, error) = state.withLock { state in
            state.isFinished = true
            if let socket = state.socket { SystemSocket.close(socket) }
            state.socket = nil
            let left = (
                state.completions, state.subscribers, state.objects, state.onEnd, state.around
            )
            let work = state.work
            state.completions = [:]
            state.subscribers = [:]
            state.objects = [:]
            state.onEnd = []
            state.work = []
            state.around = nil
            return (left, work, state.session.endError)
        }
        // Whoever still waits to hear signals never will.
        if let error { for subscriber in left.1.values { subscriber.ready?(error) } }
        // What others hold is let go here, where nothing is locked.
        for work in work { work() }
        endPackets(&buffer)
        // Whoever asked to be called since the others were has not been.
        if let error { for handler in left.3 { handler(error) } }
    }

    private func perform(_ effect: DBusSession.Effect) {
        switch effect {
        case .ready:
            tellReady(nil)
        case .answered(let serial, let result):
            state.withLock { $0.completions.removeValue(forKey: serial) }?(result)
        case .subscribed(let id, let error):
            let subscriber = state.withLock { state in
                defer {
                    state.subscribers[id]?.ready = nil
                    if error != nil { state.subscribers[id] = nil }
                }
                return state.subscribers[id]
            }
            subscriber?.ready?(error)
        case .signal(let signal, let ids):
            for id in ids { tell(id, [signal]) }
        case .values(let values, let ids):
            for id in ids { tell(id, values) }
        case .request(let request):
            let object = state.withLock { $0.objects[request.path] }
            let asked = DBusRequest(request, self)
            if let object { object(asked) } else { asked.refuse(.unknownObject(request.path)) }
        case .ended(let error):
            var buffer = SystemSocket.room(Self.readLength)
            endPackets(&buffer)
            tellReady(error)
            let handlers = state.withLock { state in
                defer { state.onEnd = [] }
                return state.onEnd
            }
            for handler in handlers { handler(error) }
        }
    }

    /// Tells signals that came one after the other, and that one subscription alone means.
    private func tell(_ row: inout (id: UInt32, signals: [DBusSignal])) {
        guard !row.signals.isEmpty else { return }
        tell(row.id, row.signals)
        row.signals = []
    }

    private func tell(_ id: UInt32, _ signals: [DBusSignal]) {
        for signal in signals {
            switch state.withLock({ $0.subscribers[id] })?.receiver {
            case .each(let receive): receive(signal)
            case .all(let receive, _): return receive(signals)
            case nil: return
            }
        }
    }

    private func tell(_ id: UInt32, _ values: DBusPropertyValues) {
        guard case .all(_, let receive?)? = state.withLock({ $0.subscribers[id] })?.receiver else {
            return tell(id, values.signals)
        }
        receive(values)
    }

    private func tellReady(_ error: DBusError?) {
        let handlers = state.withLock { state in
            defer { state.onReady = [] }
            return state.onReady
        }
        for handler in handlers { handler(error) }
    }
}
#endif
