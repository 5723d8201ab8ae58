#if os(Linux)
internal import HaloTransport
internal import Synchronization

/// A session with its socket and its thread, in a loop.
///
/// Rules:
/// - One thread reads and decodes, outside of the loop; one turn receives all that it has read.
/// - Handlers are called in turns, one event after the other, in the order of the events, and never
///   while the state is being changed.
/// - The messages of a turn are written at its end, as far as the socket accepts them. The thread
///   writes the rest when it can.
/// - The thread is woken only if it would sleep too long. Its wake-up time is not postponed when
///   the call with the earliest deadline ends: it may wake with nothing to do.
/// - Only the thread closes the socket, so that no turn writes to a descriptor that has been
///   reused.
final class DBusHub: LoopBackend, Sendable {
    typealias Completion = @Sendable (Result<DBusReply, DBusError>) -> Void

    struct Subscriber: Sendable {
        let receive: @Sendable (DBusSignal) -> Void
        /// Receives repeated values of a property, which are then no signals.
        let values: (@Sendable (DBusPropertyValues) -> Void)?
        /// Called once when the bus has added the rule, or refused it.
        var ready: (@Sendable (DBusError?) -> Void)?
    }

    let loop: TransportLoop
    private let state: InLoop<State>
    /// `true` if a wake-up is requested.
    private let isCalled = Atomic(false)
    /// `true` while the thread polls, or is about to: only a byte wakes it.
    private let isWaiting = Atomic(false)
    private let wakeUp: WakeUp

    /// Creates a hub. Authentication and `Hello` have to succeed before the timeout.
    init(in loop: TransportLoop, timeout: Duration) throws(DBusError) {
        var session = DBusSession(
            DBusAuthentication(userID: SystemSocket.userID),
            until: SystemSocket.now() &+ timeout.microseconds)
        session.objects.machineID = SystemSocket.machineID
        self.loop = loop
        state = InLoop(loop, State(session: session))
        wakeUp = try WakeUp()
        loop.add(self)
    }

    /// Starts the thread, which connects first if there is no socket yet.
    func start(_ addresses: [DBusAddress] = []) throws(DBusError) {
        let hasStarted = SystemThread.start { [self] in
            openSocket(addresses)
            run()
        }
        guard !hasStarted else { return }
        let error = DBusError(.limitExceeded, details: "no thread can be started")
        update { state in
            state.session.end(error)
            state.closeSocket()
        }
        throw error
    }

    func read<Value>(_ body: (State) -> Value) -> Value { state.run { body($0) } }

    /// Changes the state. Its effects, and what is to be sent, follow at the end of the turn.
    @discardableResult
    func update<Value, Failure: Error>(
        _ change: (inout State) throws(Failure) -> Value
    ) throws(Failure) -> Value { try state.run(change) }

    // MARK: Turns

    func goOn() -> Bool {
        guard let effect = state.run({ $0.nextEffect() }) else { return false }
        callHandlers(of: effect)
        return true
    }

    /// Writes what the turn sends, and wakes the thread if it has to act.
    func turnEnds() {
        let mustWake = state.run { state in
            state.write()
            guard state.needsThread else { return false }
            state.isAsleep = false
            return true
        }
        if mustWake { wake() }
    }

    private func wake() {
        isCalled.store(true, ordering: .sequentiallyConsistent)
        guard isWaiting.load(ordering: .sequentiallyConsistent) else { return }
        wakeUp.send()
    }

    // MARK: Handlers

    private func callHandlers(of effect: DBusSession.Effect) {
        switch effect {
        case .ready:
            for handler in state.run({ $0.onReady.removeAll() }) { handler(nil) }
        case .completed(let serial, let result):
            state.run { $0.completions.removeValue(forKey: serial) }?(result)
        case .subscribed(let id, let error):
            let subscriber = state.run { state in
                defer {
                    state.subscribers[id]?.ready = nil
                    if error != nil { state.subscribers[id] = nil }
                }
                return state.subscribers[id]
            }
            subscriber?.ready?(error)
        case .signal(let signal, let ids):
            for id in ids { state.run { $0.subscribers[id] }?.receive(signal) }
        case .values(let values, let ids):
            for id in ids { deliver(values, to: id) }
        case .request(let request):
            let object = state.run { $0.objects[request.path] }
            let asked = DBusRequest(request, self)
            if let object { object(asked) } else { asked.refuse(.unknownObject(request.path)) }
        case .ended(let error): deliverEnd(error)
        }
    }

    private func deliver(_ values: DBusPropertyValues, to id: UInt32) {
        guard let subscriber = state.run({ $0.subscribers[id] }) else { return }
        if let receive = subscriber.values { return receive(values) }
        for signal in values.signals { subscriber.receive(signal) }
    }

    /// Calls what waits for the bus, and then the handlers of the end. All are released.
    private func deliverEnd(_ error: DBusError) {
        let (onReady, subscribers, objects, onEnd) = state.run { state in
            defer {
                state.subscribers = [:]
                state.objects = [:]
                state.hasEnded = true
            }
            return (
                state.onReady.removeAll(), state.subscribers, state.objects,
                state.onEnd.removeAll()
            )
        }
        for handler in onReady { handler(error) }
        for (_, subscriber) in subscribers.sortedByKey {
            subscriber.ready?(error)
        }
        for handler in onEnd { handler(error) }
        withExtendedLifetime(objects) {}
    }

    struct State: Sendable {
        var session: DBusSession
        var socket: Int32?
        /// What the thread has read, and the session has not received yet.
        fileprivate var input = Queue<DBusInput.Item>()
        /// The end of the stream, if it has come, and the time of reading.
        fileprivate var afterInput: (end: (reason: String?, isInsideMessage: Bool)?, time: Int64)?
        var completions: [UInt32: Completion] = [:]
        var subscribers: [UInt32: Subscriber] = [:]
        var objects: [DBusObjectPath: @Sendable (DBusRequest) -> Void] = [:]
        var onReady = Queue<@Sendable (DBusError?) -> Void>()
        var onEnd = Queue<@Sendable (DBusError) -> Void>()
        /// `true` once the handlers of the end have been called.
        var hasEnded = false
        /// The error of the last write; nothing is written after it.
        fileprivate var writeFault: String?
        var isAsleep = false
        /// What the thread sleeps for, or has slept for.
        var plan = DBusHubSleep.Plan()
        var coalescing = DBusCoalescing()
        /// The number of signals since the thread slept, each value of a property counted.
        fileprivate var signalCount = 0
        /// `true` if a call has ended since the thread slept.
        fileprivate var callHasEnded = false

        init(session: DBusSession) { self.session = session }
    }

    // Members that only the connection's thread calls, between turns.

    /// The pause before the next attempt if a bus is busy, in microseconds.
    private static let retryPause: Int64 = 2000
    private static let readLength = 1 << 16

    private func openSocket(_ addresses: [DBusAddress]) {
        var failure = DBusError(.unreachable, details: "no address that can be used")
        for address in addresses {
            guard let place = address.socket else { continue }
            do throws(DBusError) {
                guard let socket = try connect(to: place) else { return }
                return update { state in
                    state.socket = socket
                    state.session.expectedBusID = address.busID
                }
            } catch {
                failure = DBusError(.unreachable, details: "\(address): \(error.details ?? "")")
            }
        }
        guard !addresses.isEmpty else { return }
        update { $0.session.end(failure) }
    }

    private func connect(to place: DBusAddress.Socket) throws(DBusError) -> Int32? {
        while true {
            if let socket = try SystemSocket.connect(to: place) { return socket }
            let now = SystemSocket.now()
            let hasEnded = update { state in
                // Calls may time out before the connection does.
                state.session.tick(at: now)
                return state.session.endError != nil
            }
            if hasEnded { return nil }
            var poll = SystemPoll()
            poll.append(wakeUp.reader)
            poll.wait(for: Self.retryPause)
            if poll.isReadable(0) { wakeUp.clear() }
        }
    }

    private func run() {
        var buffer = SystemSocket.room(Self.readLength)
        let controlLength = AncillaryDescriptors.length(SystemSocket.descriptorsAtOnce)
        var control = SystemSocket.room(controlLength)
        var input = DBusInput()
        var sleep = DBusHubSleep(wakeUp.reader)
        while let plan = update({ $0.fallAsleep(at: SystemSocket.now()) }) {
            wait(for: plan, &sleep)
            var outcome: SystemSocket.Outcome?
            if sleep.isReadable, let socket = plan.socket {
                outcome = receive(socket, &buffer, &control, &input)
            }
            let now = SystemSocket.now()
            update { $0.receive(&input, outcome, at: now) }
        }
    }

    private func wait(for plan: DBusHubSleep.Plan, _ sleep: inout DBusHubSleep) {
        sleep.plan = plan
        // A turn sets `isCalled`, then reads `isWaiting`; the thread does it the other way round:
        // one of them sees the other.
        isWaiting.store(true, ordering: .sequentiallyConsistent)
        var hasBeenCalled = isCalled.exchange(false, ordering: .sequentiallyConsistent)
        if let delay = plan.delay, !hasBeenCalled { hasBeenCalled = sleep.delay(delay) }
        sleep.wait(hasBeenCalled ? 0 : nil)
        isWaiting.store(false, ordering: .sequentiallyConsistent)
        if sleep.isWoken { wakeUp.clear() }
    }

    private func receive(
        _ socket: Int32, _ buffer: inout [UInt8], _ control: inout [UInt8],
        _ input: inout DBusInput
    ) -> SystemSocket.Outcome {
        let (outcome, descriptors) = SystemSocket.receive(socket, into: &buffer, control: &control)
        guard case .bytes(let count) = outcome else { return outcome }
        input.append(buffer.span.extracting(0..<count), descriptors) { bytes in
            update { $0.session.authenticate(bytes) }
        }
        return outcome
    }
}

extension DBusHub.State {
    /// Returns the next event: one of the session's, or one that follows from the input.
    fileprivate mutating func nextEffect() -> DBusSession.Effect? {
        while true {
            if let effect = session.nextEffect() {
                signalCount += effect.signalCount
                if case .completed = effect { callHasEnded = true }
                return effect
            }
            if let item = nextInput() {
                session.receive(item)
            } else if let after = afterInput.take() {
                if let (reason, isInsideMessage) = after.end {
                    session.receiveEnd(reason, isInsideMessage: isInsideMessage)
                }
                // Last: a reply that has arrived is in time, however late it is read.
                session.tick(at: after.time)
            } else {
                return nil
            }
        }
    }

    /// Returns the next message, if there is room for the reply; writes replies to make room.
    private mutating func nextInput() -> DBusInput.Item? {
        guard !input.isEmpty else { return nil }
        guard session.endError == nil else {
            input = Queue()
            return nil
        }
        if !session.canReceive { write() }
        return session.canReceive ? input.popFirst() : nil
    }

    fileprivate mutating func receive(
        _ read: inout DBusInput, _ outcome: SystemSocket.Outcome?, at now: Int64
    ) {
        isAsleep = false
        while let item = read.next() { input.append(item) }
        let isInsideMessage = read.isInsideMessage
        switch outcome {
        case .bytes: afterInput = (nil, now)
        case .ended(let reason): afterInput = ((reason, isInsideMessage), now)
        // Readable bytes come first: they may hold replies. So the fault is one from before the
        // poll.
        case .later, nil: afterInput = (writeFault.map { ($0, isInsideMessage) }, now)
        }
    }

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

    mutating func closeSocket() {
        if let socket { SystemSocket.close(socket) }
        socket = nil
    }

    fileprivate var needsThread: Bool {
        guard isAsleep else { return false }
        return session.endError != nil || writeFault != nil
            || session.hasOutput && !plan.writesOutput && socket != nil
            || !plan.readsInput && input.isEmpty && session.canReceive
            || session.deadline.map { $0 < plan.deadline } == true
            || plan.delay != nil && !session.calls.isEmpty
    }

    /// `true` if the thread may delay: no call waits for a reply, none has just ended (the next one
    /// often follows, and would have to wake the thread), and no exported object can be called.
    private var mayDelay: Bool {
        session.calls.isEmpty && !callHasEnded && session.objects.objects.isEmpty
            && !session.hasOutput && writeFault == nil
    }

    /// Returns what the thread polls for; closes the socket and returns `nil` after the end.
    fileprivate mutating func fallAsleep(at now: Int64) -> DBusHubSleep.Plan? {
        let count = signalCount
        signalCount = 0
        guard session.endError == nil else {
            closeSocket()
            return nil
        }
        // A wake-up time that is too early is cheaper than a new one for each call.
        let known = plan.deadline > now ? plan.deadline : .max
        plan = DBusHubSleep.Plan(
            socket: socket, readsInput: input.isEmpty && session.canReceive,
            writesOutput: session.hasOutput && writeFault == nil,
            deadline: writeFault == nil ? min(session.deadline ?? .max, known) : now,
            delay: mayDelay ? coalescing.delay(after: count, at: now) : nil)
        callHasEnded = false
        isAsleep = true
        return plan
    }
}

struct DBusHubSleep {
    struct Plan {
        var socket: Int32?
        var readsInput = true
        var writesOutput = false
        /// The latest time to wake, in microseconds.
        var deadline = Int64.max
        /// The delay in microseconds before the poll, in order to coalesce events; `nil` for none.
        var delay: Int64?
    }

    private let wakeUpReader: Int32
    private var poll = SystemPoll()
    var plan = Plan()

    init(_ wakeUpReader: Int32) { self.wakeUpReader = wakeUpReader }

    /// Polls until the deadline, or for a number of microseconds.
    mutating func wait(_ microseconds: Int64?) {
        poll.removeAll()
        poll.append(wakeUpReader)
        poll.append(plan.socket ?? -1, reads: plan.readsInput, writes: plan.writesOutput)
        let left = plan.deadline == .max ? nil : max(0, plan.deadline &- SystemSocket.now())
        poll.wait(for: microseconds ?? left)
    }

    /// Delays without regard to the bus; `true` if the thread was woken. A delay of less than a
    /// millisecond, the unit of `poll`, cannot be interrupted.
    func delay(_ microseconds: Int64) -> Bool {
        guard microseconds >= 1000 else {
            SystemSocket.sleep(microseconds)
            return false
        }
        var poll = SystemPoll()
        poll.append(wakeUpReader)
        poll.wait(for: max(0, min(microseconds, plan.deadline &- SystemSocket.now())))
        return poll.isReadable(0)
    }

    var isWoken: Bool { poll.isReadable(0) }

    var isReadable: Bool { poll.isReadable(1) }
}

/// The delay by which a connection's thread coalesces signals.
///
/// Waking up costs more than receiving. If events come densely, one by one, the thread sleeps after
/// it has delivered some, and then finds several. An event after a pause is delivered at once.
struct DBusCoalescing: Sendable {
    /// The longest delay in microseconds; 0 for none.
    var limit: Int64 = 0

    /// The time of the last events, in microseconds.
    private(set) var last = Int64.min / 2

    /// The number of events that makes the cost of each one low.
    private static let batchSize: Int64 = 64
    /// The shortest worthwhile delay in microseconds.
    private static let minimum: Int64 = 100

    /// Returns the delay in microseconds after a number of events; `nil` for none.
    mutating func delay(after count: Int, at now: Int64) -> Int64? {
        guard count > 0, limit >= Self.minimum else { return nil }
        let since = max(1, now &- last)
        last = now
        let spacing = since / Int64(count)
        // At least one more event is expected.
        guard spacing <= limit / 2 else { return nil }
        guard spacing <= limit / Self.batchSize else { return limit }
        return max(Self.batchSize * spacing, Self.minimum)
    }
}

extension DBusSession.Effect {
    /// The number of signals, each value of a property counted.
    fileprivate var signalCount: Int {
        switch self {
        case .signal: 1
        case .values(let values, _): values.values.count
        case .ready, .completed, .subscribed, .request, .ended: 0
        }
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
