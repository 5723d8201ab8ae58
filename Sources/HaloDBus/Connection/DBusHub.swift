#if os(Linux)
internal import Synchronization

/// A session with its socket and its thread.
///
/// Rules:
/// - One thread reads, and calls all handlers, in the order of the events. No handler is called,
///   and no message is decoded, under the lock.
/// - A caller writes as much of its message as the socket accepts; the thread writes the rest when
///   it can.
/// - The thread is woken only if it would sleep too long. Its wake-up time is not postponed when
///   the call with the earliest deadline ends: it may wake with nothing to do.
/// - Only the thread closes the socket, under the lock, so that no caller writes to a descriptor
///   that has been reused.
final class DBusHub: Sendable {
    typealias Completion = @Sendable (Result<DBusReply, DBusError>) -> Void

    struct Subscriber: Sendable {
        enum Receiver: Sendable {
            /// One call for each signal.
            case each(@Sendable (DBusSignal) -> Void)
            /// One call for consecutive signals; repeated values of a property are passed to
            /// `values` instead.
            case batch(
                @Sendable ([DBusSignal]) -> Void,
                values: (@Sendable (DBusPropertyValues) -> Void)?)
        }

        let receiver: Receiver
        /// Called once when the bus has added the rule, or refused it.
        var ready: (@Sendable (DBusError?) -> Void)?
        /// Called once after the last signal, if the connection ends before the subscription.
        let ended: (@Sendable (DBusError) -> Void)?
    }

    struct State: Sendable {
        var session: DBusSession
        var socket: Int32?
        var completions: [UInt32: Completion] = [:]
        var subscribers: [UInt32: Subscriber] = [:]
        var objects: [DBusObjectPath: @Sendable (DBusRequest) -> Void] = [:]
        var onReady: [@Sendable (DBusError?) -> Void] = []
        var onEnd: [@Sendable (DBusError) -> Void] = []
        /// Calls all handlers that are due at once.
        var within: (@Sendable (() -> Void) -> Void)?
        /// Functions to call on the thread, besides the session's effects.
        var work: [@Sendable () -> Void] = []
        /// The error of the last write; nothing is written after it.
        var writeFault: String?
        var isAsleep = false
        /// `true` while the thread sleeps in order to coalesce events.
        var isDelaying = false
        var coalescing = DBusCoalescing()
        var sleepsUntil = Int64.max
        var watchesOutput = false
        /// `true` once the thread has ended.
        var isFinished = false
    }

    let state: Mutex<State>
    /// `true` if a wake-up is requested.
    let isCalled = Atomic(false)
    /// `true` while the thread polls, or is about to: only a byte wakes it.
    let isWaiting = Atomic(false)
    /// A socket pair: the thread reads one end, a caller writes to the other.
    private let wakeUp: (reader: Int32, writer: Int32)

    /// Creates a hub. Authentication and `Hello` have to succeed before the timeout.
    init(
        _ socket: Int32?, limits: DBusSession.Limits = .init(), timeout: Duration
    ) throws(DBusError) {
        var session = DBusSession(
            DBusAuthentication(userID: SystemSocket.userID), limits: limits,
            until: SystemSocket.now() &+ timeout.microseconds)
        session.objects.machineID = SystemSocket.machineID
        state = Mutex(State(session: session, socket: socket))
        let pair = try SystemSocket.pair()
        wakeUp = (pair.0, pair.1)
    }

    deinit {
        SystemSocket.close(wakeUp.reader)
        SystemSocket.close(wakeUp.writer)
    }

    /// Starts the thread, which connects first if there is no socket yet.
    func start(_ addresses: [DBusAddress] = []) throws(DBusError) {
        let hasStarted = SystemThread.start { [self] in
            openSocket(addresses)
            run()
        }
        guard !hasStarted else { return }
        let socket = state.withLock { state in
            state.isFinished = true
            defer { state.socket = nil }
            return state.socket
        }
        if let socket { SystemSocket.close(socket) }
        throw DBusError(.limitExceeded, details: "no thread can be started")
    }

    /// Changes the state, writes output, and wakes the thread if it has to act.
    @discardableResult
    func update<Value: Sendable, Failure: Error>(
        _ change: (inout State) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try state.withLock { (state) throws(Failure) -> Value in
            defer {
                state.write()
                if state.needsThread {
                    state.isAsleep = false
                    wake()
                }
            }
            return try change(&state)
        }
    }

    /// Calls a function on the thread; `false` if the thread has ended.
    func perform(_ work: @escaping @Sendable () -> Void) -> Bool {
        update { state in
            if !state.isFinished { state.work.append(work) }
            return !state.isFinished
        }
    }

    private func wake() {
        isCalled.store(true, ordering: .sequentiallyConsistent)
        guard isWaiting.load(ordering: .sequentiallyConsistent) else { return }
        withUnsafeBytes(of: UInt8(0)) { _ = SystemSocket.send(wakeUp.writer, $0, []) }
    }

    /// Clears a wake-up.
    func clearWakeUp() {
        var bytes = SystemSocket.room(64)
        var control: [UInt8] = []
        _ = SystemSocket.receive(wakeUp.reader, into: &bytes, control: &control)
    }

    /// The descriptor that becomes readable when the thread has to wake.
    var wakeUpReader: Int32 { wakeUp.reader }
}

/// Members that only the connection's thread calls.
extension DBusHub {
    /// The pause before the next attempt if a bus is busy, in microseconds.
    private static let retryPause: Int64 = 2000
    private static let readLength = 1 << 16

    /// Connects to the first address that can be reached.
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
            // Calls may time out before the connection does.
            if performDue() { continue }
            var poll = SystemPoll()
            poll.append(wakeUpReader)
            poll.wait(for: Self.retryPause)
            if poll.isReadable(0) { clearWakeUp() }
        }
    }

    /// Runs until the end of the connection.
    func run() {
        var sleep = DBusHubSleep(wakeUpReader)
        var buffer = SystemSocket.room(Self.readLength)
        let controlLength = AncillaryDescriptors.length(SystemSocket.descriptorsAtOnce)
        var control = SystemSocket.room(controlLength)
        var input = DBusInput()
        var turn = state.withLock { $0.nextTurn(&sleep, at: SystemSocket.now()) }
        while true {
            perform(turn)
            switch turn.next {
            case .finish: return finish()
            case .goOn: turn = state.withLock { $0.nextTurn(&sleep, at: SystemSocket.now()) }
            case .wait:
                wait(&sleep, turn.delay)
                turn = read(&sleep, &buffer, &control, &input)
            }
        }
    }

    private func wait(_ sleep: inout DBusHubSleep, _ delay: Int64?) {
        // A caller sets `isCalled`, then reads `isWaiting`; the thread does it the other way
        // round: one of them sees the other.
        isWaiting.store(true, ordering: .sequentiallyConsistent)
        var hasBeenCalled = isCalled.exchange(false, ordering: .sequentiallyConsistent)
        if let delay, !hasBeenCalled { hasBeenCalled = sleep.delay(delay) }
        sleep.wait(hasBeenCalled ? 0 : nil)
        isWaiting.store(false, ordering: .sequentiallyConsistent)
        if sleep.isWoken { clearWakeUp() }
    }

    /// Reads, and returns the handlers to call.
    private func read(
        _ sleep: inout DBusHubSleep, _ buffer: inout [UInt8], _ control: inout [UInt8],
        _ input: inout DBusInput
    ) -> DBusHubTurn {
        var outcome: SystemSocket.Outcome?
        if sleep.isReadable, let socket = sleep.socket {
            outcome = receive(socket, &buffer, &control, &input)
        }
        let now = SystemSocket.now()
        return state.withLock { state in
            state.isAsleep = false
            let fault = state.writeFault
            state.receive(&input)
            sleep.holdsInput = !input.isEmpty
            switch outcome {
            case .bytes: break
            case .ended(let reason):
                state.session.receiveEnd(reason, isInsideMessage: input.isInsideMessage)
            // Readable bytes come first: they may hold replies. So the fault is the one from before
            // the poll.
            case .later, nil:
                guard let fault else { break }
                state.session.receiveEnd(fault, isInsideMessage: input.isInsideMessage)
            }
            // Last: a reply that has arrived is in time, however late it is read.
            state.session.tick(at: now)
            return state.nextTurn(&sleep, at: now)
        }
    }

    /// Reads bytes and decodes messages, without the lock.
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
        guard !turn.isEmpty else { return }
        if let within = turn.within { within { callHandlers(turn) } } else { callHandlers(turn) }
    }

    private func callHandlers(_ turn: DBusHubTurn) {
        var run: (id: UInt32, signals: [DBusSignal]) = (0, [])
        for effect in turn.effects {
            if case .signal(let signal, let ids) = effect, ids.count == 1, let id = ids.first {
                if id != run.id { deliver(&run) }
                run.id = id
                run.signals.append(signal)
            } else {
                deliver(&run)
                perform(effect)
            }
        }
        deliver(&run)
        for work in turn.work { work() }
    }

    /// Calls the handlers that are due; `false` if there were none.
    private func performDue() -> Bool {
        let turn = state.withLock { $0.dueTurn() }
        perform(turn)
        return !turn.isEmpty
    }

    private func finish() {
        let (left, work, error) = state.withLock { state in
            state.isFinished = true
            if let socket = state.socket { SystemSocket.close(socket) }
            state.socket = nil
            let left = (
                state.completions, state.subscribers, state.objects, state.onEnd, state.within
            )
            let work = state.work
            state.completions = [:]
            state.subscribers = [:]
            state.objects = [:]
            state.onEnd = []
            state.work = []
            state.within = nil
            return (left, work, state.session.endError)
        }
        // No signal follows: the subscriptions end.
        if let error {
            for subscriber in left.1.values {
                subscriber.ready?(error)
                subscriber.ended?(error)
            }
        }
        // Handlers are released outside of the lock: their captures may call back.
        for work in work { work() }
        // Handlers that were added after the effect `ended`.
        if let error { for handler in left.3 { handler(error) } }
    }

    private func perform(_ effect: DBusSession.Effect) {
        switch effect {
        case .ready:
            deliverReady(nil)
        case .completed(let serial, let result):
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
            for id in ids { deliver([signal], to: id) }
        case .values(let values, let ids):
            for id in ids { deliver(values, to: id) }
        case .request(let request):
            let object = state.withLock { $0.objects[request.path] }
            let asked = DBusRequest(request, self)
            if let object { object(asked) } else { asked.refuse(.unknownObject(request.path)) }
        case .ended(let error):
            deliverReady(error)
            let handlers = state.withLock { state in
                defer { state.onEnd = [] }
                return state.onEnd
            }
            for handler in handlers { handler(error) }
        }
    }

    /// Delivers consecutive signals that only one subscription matches.
    private func deliver(_ run: inout (id: UInt32, signals: [DBusSignal])) {
        guard !run.signals.isEmpty else { return }
        deliver(run.signals, to: run.id)
        run.signals = []
    }

    private func deliver(_ signals: [DBusSignal], to id: UInt32) {
        for signal in signals {
            switch state.withLock({ $0.subscribers[id] })?.receiver {
            case .each(let receive): receive(signal)
            case .batch(let receive, _): return receive(signals)
            case nil: return
            }
        }
    }

    private func deliver(_ values: DBusPropertyValues, to id: UInt32) {
        guard case .batch(_, let receive?)? = state.withLock({ $0.subscribers[id] })?.receiver
        else {
            return deliver(values.signals, to: id)
        }
        receive(values)
    }

    private func deliverReady(_ error: DBusError?) {
        let handlers = state.withLock { state in
            defer { state.onReady = [] }
            return state.onReady
        }
        for handler in handlers { handler(error) }
    }
}

extension DBusHub.State {
    /// `true` if the thread sleeps and has to act.
    var needsThread: Bool {
        guard isAsleep else { return false }
        return session.hasEffects || !work.isEmpty || session.endError != nil || writeFault != nil
            || session.hasOutput && !watchesOutput && socket != nil
            || session.deadline.map { $0 < sleepsUntil } == true
            || isDelaying && !session.calls.isEmpty
    }

    /// Receives messages, and writes the replies to make room for those of the next ones.
    mutating func receive(_ input: inout DBusInput) {
        repeat {
            session.receive(&input)
            write()
        } while !input.isEmpty && session.canReceive
    }

    /// Writes as many bytes as the socket accepts.
    mutating func write() {
        guard let socket, writeFault == nil else { return }
        var fault: String?
        session.send { bytes, descriptors in
            switch SystemSocket.send(socket, bytes, passing: descriptors) {
            case .bytes(let count): return count
            case .later: return nil
            case .ended(let reason):
                fault = reason ?? "nothing can be written"
                return nil
            }
        }
        writeFault = fault
    }
}

extension Duration {
    /// The duration in microseconds: never negative, and small enough that sums do not overflow.
    var microseconds: Int64 {
        // `components` traps beyond 64 bits of seconds.
        let (seconds, attoseconds) = min(max(self, .zero), .seconds(1 << 40)).components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}
#endif
