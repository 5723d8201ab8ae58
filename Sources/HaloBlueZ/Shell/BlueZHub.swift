#if os(Linux)
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// A session with its connection to the bus: does what the session puts down, one thing at a
/// time and in order, outside of the lock.
///
/// Rules:
/// - Whoever changes the session does what is to be done about it, unless somebody else is at it
///   already: then that one does. So effects have one order, also when they lead to changes.
/// - Nothing is called, and nothing let go that may call back, while the session is locked.
/// - There is one alarm, for the earliest timer that there ever was: it may ring for nothing,
///   which is cheaper than to set it anew for each timer.
/// - The connection's callbacks do not hold the hub: when nobody holds it, everything ends.
final class BlueZHub: Sendable {
    struct Connection {
        let number: UInt64
        let bus: DBusConnection
        var subscriptions: [DBusSubscription] = []
    }

    private struct Alarm {
        let number: UInt64
        let due: Moment
        var registration: Registration?
    }

    private struct State {
        var session: BlueZSession
        var connection: Connection?
        var isDraining = false
        var cancellations: [BlueZSession.CallNumber: DBusCancellation] = [:]
        var alarm: Alarm?
        var lastAlarm: UInt64 = 0

        /// Whether the alarm rings too late, or never.
        var needsAlarm: Bool {
            guard let next = session.nextTimer else { return false }
            return alarm.map { next < $0.due } ?? true
        }

        /// What is to be done next; nothing ends the work.
        mutating func nextStep() -> Step? {
            if let effect = session.nextEffect() { return .effect(effect) }
            guard needsAlarm, let due = session.nextTimer else {
                isDraining = false
                return nil
            }
            lastAlarm &+= 1
            let old = alarm?.registration
            let next = Alarm(number: lastAlarm, due: due)
            alarm = next
            return .setAlarm(next, old: old)
        }
    }

    private enum Step {
        case effect(BlueZSession.Effect)
        case setAlarm(Alarm, old: Registration?)
    }

    private let state: Locked<State>
    let time: any TransportTime
    /// Closed when all that came from the bus at once has been told.
    let gate = ResumeGate()
    let options: BlueZOptions
    /// Begins a connection to the bus.
    let connect: @Sendable () throws(DBusError) -> DBusConnection

    /// A hub that knows nothing yet, and asks nobody before it has to.
    convenience init(options: BlueZOptions, time: any TransportTime = SystemTime()) {
        self.init(options: options, time: time) { () throws(DBusError) in
            let addresses = if let bus = options.bus { bus } else { try DBusAddress.systemBus() }
            return try DBusConnection.open(addresses, timeout: Self.openingTimeout)
        }
    }

    /// A hub on the bus that `connect` leads to, each time that a connection is wanted.
    init(
        options: BlueZOptions, time: any TransportTime = SystemTime(),
        connect: @escaping @Sendable () throws(DBusError) -> DBusConnection
    ) {
        self.connect = connect
        var chance = SystemRandomNumberGenerator()
        state = Locked(State(session: BlueZSession(options: options, seed: chance.next())))
        self.time = GatedTime(time, gate)
        self.options = options
    }

    deinit {
        // Whoever still waits is told; on the bus, the end of the connection says everything.
        let alarm = state.withLock { state in
            state.session.end()
            return state.alarm?.registration
        }
        alarm?.cancel()
        while let effect = state.withLock({ $0.session.nextEffect() }) {
            switch effect {
            case .perform(let work): work()
            case .tell(let attribute, let values, let receiver):
                receiver.values(attribute, values)
            case .call, .forget, .host, .open, .close: break
            }
        }
    }

    /// The connection in use, if there is one.
    func connection() -> DBusConnection? { state.withLock { $0.connection?.bus } }

    /// Looks at the session.
    func read<Value>(_ body: (BlueZSession) -> Value) -> Value {
        state.withLock { body($0.session) }
    }

    /// Changes the session, and does what is to be done about it.
    @discardableResult
    func update<Value>(_ body: (inout BlueZSession) -> Value) -> Value {
        let now = time.now()
        let (value, mustDrain) = state.withLock { state in
            state.session.now = max(state.session.now, now)
            let value = body(&state.session)
            let mustDrain = !state.isDraining && (state.session.hasEffects || state.needsAlarm)
            if mustDrain { state.isDraining = true }
            return (value, mustDrain)
        }
        if mustDrain { drain() }
        return value
    }

    /// Keeps a connection, until the session lets go of it; one that is in the way is closed and
    /// not only let go of (pitfall 22: bleak#1698).
    func keep(_ connection: Connection) {
        let old = state.withLock { state in
            defer { state.connection = connection }
            return state.connection
        }
        old?.bus.close()
    }

    /// Keeps a subscription, as long as its connection.
    func keep(_ subscription: DBusSubscription, for number: UInt64) {
        state.withLock { state in
            if state.connection?.number == number {
                state.connection?.subscriptions.append(subscription)
            }
        }
    }

    private func drain() {
        while let step = state.withLock({ $0.nextStep() }) {
            switch step {
            case .effect(.perform(let work)): work()
            case .effect(.tell(let attribute, let values, let receiver)):
                receiver.values(attribute, values)
            case .effect(.call(let number, let call, let timeout)): ask(number, call, timeout)
            case .effect(.forget(let number)): forget(number)
            case .effect(.host(let message)): send(message)
            case .effect(.open(let number)): open(number)
            case .effect(.close(let number)): close(number)
            case .setAlarm(let alarm, let old): set(alarm, old)
            }
        }
    }

    // MARK: Calls

    private func ask(_ number: BlueZSession.CallNumber, _ call: DBusCall, _ timeout: Duration) {
        guard let connection = state.withLock({ $0.connection }) else {
            let error = DBusError(.disconnected, details: "there is no connection")
            update { $0.answered(number, .failure(error)) }
            return
        }
        let cancellation = connection.bus.call(call, timeout: timeout) {
            [weak self, weak bus = connection.bus, last = connection.number] answer in
            // With the connection everything has ended: whoever hears of it may ask anew at once,
            // and must not be taken for one who had asked before.
            if case .failure = answer, let end = bus?.endError {
                self?.update { $0.busEnded(last, end) }
            }
            self?.answered(number, answer)
        }
        state.withLock { state in
            // The answer may have come already.
            if state.session.isWaiting(for: number) {
                state.cancellations[number] = cancellation
            }
        }
    }

    private func answered(_ number: BlueZSession.CallNumber, _ answer: BlueZSession.Answer) {
        update { $0.answered(number, answer) }
        // Only now: whoever asked keeps it as long as the session waits for the answer.
        let cancellation = state.withLock { $0.cancellations.removeValue(forKey: number) }
        withExtendedLifetime(cancellation) {}
    }

    private func forget(_ number: BlueZSession.CallNumber) {
        state.withLock { $0.cancellations.removeValue(forKey: number) }?.cancel()
    }

    private func close(_ number: UInt64) {
        let connection = state.withLock { state -> Connection? in
            guard state.connection?.number == number else { return nil }
            defer { state.connection = nil }
            return state.connection
        }
        connection?.bus.close()
    }

    // MARK: The alarm

    private func set(_ alarm: Alarm, _ old: Registration?) {
        old?.cancel()
        let registration = time.schedule(at: alarm.due) { [weak self] in
            self?.rang(alarm.number)
        }
        let isVoid = state.withLock { state in
            guard state.alarm?.number == alarm.number else { return true }
            state.alarm?.registration = registration
            return false
        }
        if isVoid { registration.cancel() }
    }

    private func rang(_ number: UInt64) {
        let old = state.withLock { state -> Alarm? in
            guard state.alarm?.number == number else { return nil }
            defer { state.alarm = nil }
            return state.alarm
        }
        guard old != nil else { return }
        update { $0.tick() }
    }
}
#endif
