#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// A session with its connection to the bus: performs the session's effects outside of the lock.
///
/// Rules:
/// - Messages to the bus call no app: the thread that changes the session sends them, one at a time
///   and in order. An app's task performs no other effects.
/// - Callbacks run on the thread of the bus, in order and before it reads on: backpressure for an
///   app that is too slow. A task that makes a request delivers no values: it wakes that thread if
///   callbacks are queued.
/// - Without a bus, timers run the callbacks.
/// - No timer fires during a callback: timeouts are as exact as callbacks are short.
/// - No callback is called or released while the session is locked.
/// - There is one alarm, which is only ever moved to an earlier time: it may fire early, which is
///   cheaper than setting it for each timer.
/// - The connection's callbacks hold the hub weakly: without another reference everything ends.
final class BlueZHub: Sendable {
    struct Connection {
        let number: UInt64
        let bus: DBusConnection
        var subscriptions: [DBusSubscription] = []
    }

    private struct Alarm {
        let number: UInt64
        let due: Moment
        var registration: Cancellable?
    }

    private struct State: DrainState {
        var session: BlueZSession
        var connection: Connection?
        var cancellations: [BlueZSession.CallNumber: DBusPendingCall] = [:]
        /// The alarm stays until its tick is done, so that none is set for timers that are due
        /// already.
        var alarm: Alarm?
        var lastAlarm: UInt64 = 0
        /// `true` while a thread for callbacks is being woken.
        var isBackendWoken = false

        /// `true` if an earlier alarm is needed, or there is none.
        var needsAlarm: Bool {
            guard let next = session.nextTimer else { return false }
            return alarm.map { next < $0.due } ?? true
        }

        /// Returns the next step. Messages to the bus come first, as they do not wait for
        /// callbacks.
        mutating func nextStep(for role: DrainRole) -> Step? {
            if role == .backend { isBackendWoken = false }
            if let message = session.nextEffect(of: .messages) { return .effect(message) }
            if needsAlarm, let due = session.nextTimer {
                lastAlarm &+= 1
                let old = alarm?.registration
                let next = Alarm(number: lastAlarm, due: due)
                alarm = next
                return .setAlarm(next, old: old)
            }
            guard role == .backend else { return nil }
            return session.nextEffect(of: .callbacks).map { .effect($0) }
        }

        var hasBackendSteps: Bool { session.hasCallbacks && !isBackendWoken }
    }

    private enum Step {
        case effect(BlueZSession.Effect)
        case setAlarm(Alarm, old: Cancellable?)
    }

    private let drain: Drain<State>
    let time: any TransportTime
    /// Coalesces the resumption of tasks during a batch from the bus.
    let coalescer = ResumeCoalescer()
    let options: BlueZOptions
    /// Opens a connection to the bus.
    let connect: @Sendable () throws(DBusError) -> DBusConnection

    /// Creates a hub that connects on the first request.
    convenience init(options: BlueZOptions, time: any TransportTime = SystemTime()) {
        self.init(options: options, time: time) { () throws(DBusError) in
            let addresses = if let bus = options.bus { bus } else { try DBusAddress.systemBus() }
            return try DBusConnection.open(addresses, timeout: Self.openingTimeout)
        }
    }

    /// Creates a hub that gets its connections from `connect`.
    init(
        options: BlueZOptions, time: any TransportTime = SystemTime(),
        connect: @escaping @Sendable () throws(DBusError) -> DBusConnection
    ) {
        self.connect = connect
        var chance = SystemRandomNumberGenerator()
        drain = Drain(State(session: BlueZSession(options: options, seed: chance.next())))
        self.time = CoalescingTime(time, coalescer)
        self.options = options
    }

    deinit {
        // Pending callbacks are called, on the thread of the bus if there is one; the bus itself
        // needs only the end of the connection.
        let (alarm, bus, left) = drain.withLock { state in
            state.session.end()
            var left: [BlueZSession.Effect] = []
            while let effect = state.session.nextEffect() { left.append(effect) }
            return (state.alarm?.registration, state.connection?.bus, left)
        }
        alarm?.cancel()
        let tell: @Sendable () -> Void = { for effect in left { Self.finish(effect) } }
        if bus?.perform(tell) != true { tell() }
    }

    private static func finish(_ effect: BlueZSession.Effect) {
        switch effect {
        case .perform(let work): work()
        case .deliver(let attribute, let values, let receiver): receiver.values(attribute, values)
        case .call, .forget, .host, .open, .close, .setAgent: break
        }
    }

    func connection() -> DBusConnection? { drain.read { $0.connection?.bus } }

    func read<Value>(_ body: (BlueZSession) -> Value) -> Value { drain.read { body($0.session) } }

    /// Changes the session on a thread that must not run callbacks.
    @discardableResult func update<Value>(_ body: (inout BlueZSession) -> Value) -> Value {
        update(as: .app, body)
    }

    /// Changes the session on the thread of a connection.
    @discardableResult func update<Value>(
        from connection: UInt64, _ body: (inout BlueZSession) -> Value
    ) -> Value {
        let isInUse = drain.read { $0.connection?.number == connection }
        return update(as: isInUse ? .backend : .app, body)
    }

    private func update<Value>(as role: DrainRole, _ body: (inout BlueZSession) -> Value) -> Value {
        let now = time.now()
        return drain.change(as: role, wakeBackend: wakeBackend, perform: perform) { state in
            state.session.now = max(state.session.now, now)
            return body(&state.session)
        }
    }

    /// Wakes a thread for callbacks: that of the bus, or else one of the clock.
    private func wakeBackend() {
        let isDue = drain.withLock { state in
            defer { state.isBackendWoken = true }
            return !state.isBackendWoken
        }
        guard isDue else { return }
        let come: @Sendable () -> Void = { [weak self] in self?.update(as: .backend) { _ in } }
        if connection()?.perform(come) == true { return }
        let registration = time.schedule(at: time.now(), come)
        // The callback may already have run.
        if !drain.read(\.isBackendWoken) { registration.cancel() }
    }

    /// Keeps a connection until the session closes it; an older one is closed at once (pitfall 22:
    /// bleak#1698).
    func keep(_ connection: Connection) {
        let old = drain.withLock { state in
            defer { state.connection = connection }
            return state.connection
        }
        old?.bus.close()
    }

    /// Keeps a subscription, as long as its connection.
    func keep(_ subscription: DBusSubscription, for number: UInt64) {
        drain.withLock { state in
            if state.connection?.number == number {
                state.connection?.subscriptions.append(subscription)
            }
        }
    }

    private func perform(_ step: Step) {
        switch step {
        case .effect(.perform(let work)): work()
        case .effect(.deliver(let attribute, let values, let receiver)):
            receiver.values(attribute, values)
        case .effect(.call(let number, let call, let timeout)): ask(number, call, timeout)
        case .effect(.forget(let number)): forget(number)
        case .effect(.host(let message)): send(message)
        case .effect(.open(let number)): open(number)
        case .effect(.close(let number)): close(number)
        case .effect(.setAgent(let isThere)): setAgent(isThere)
        case .setAlarm(let alarm, let old): set(alarm, old)
        }
    }

    // MARK: Calls

    private func ask(_ number: BlueZSession.CallNumber, _ call: DBusCall, _ timeout: Duration) {
        guard let connection = drain.read({ $0.connection }) else {
            let error = DBusError(.disconnected, details: "there is no connection")
            update { $0.answered(number, .failure(error)) }
            return
        }
        let cancellation = connection.bus.call(call, timeout: timeout) {
            [weak self, weak bus = connection.bus, last = connection.number] answer in
            // The end of the connection comes first: a callback may make a new request at once,
            // which must not end with the old ones.
            if case .failure = answer, let end = bus?.endError {
                self?.update(from: last) { $0.busEnded(last, end) }
            }
            self?.answered(number, answer, from: last)
        }
        drain.withLock { state in
            // The reply may already have been received.
            if state.session.isWaiting(for: number) { state.cancellations[number] = cancellation }
        }
    }

    private func answered(
        _ number: BlueZSession.CallNumber, _ answer: BlueZSession.Answer, from connection: UInt64
    ) {
        update(from: connection) { $0.answered(number, answer) }
        // Released last: the session may need it until the reply.
        let cancellation = drain.withLock { $0.cancellations.removeValue(forKey: number) }
        withExtendedLifetime(cancellation) {}
    }

    private func forget(_ number: BlueZSession.CallNumber) {
        drain.withLock { $0.cancellations.removeValue(forKey: number) }?.cancel()
    }

    private func close(_ number: UInt64) {
        let connection = drain.withLock { state -> Connection? in
            guard state.connection?.number == number else { return nil }
            defer { state.connection = nil }
            return state.connection
        }
        connection?.bus.close()
    }

    // MARK: The alarm

    private func set(_ alarm: Alarm, _ old: Cancellable?) {
        old?.cancel()
        let registration = time.schedule(at: alarm.due) { [weak self] in
            self?.alarmFired(alarm.number)
        }
        let isVoid = drain.withLock { state in
            guard state.alarm?.number == alarm.number else { return true }
            state.alarm?.registration = registration
            return false
        }
        if isVoid { registration.cancel() }
    }

    /// Fires the alarm on the thread of the bus, if there is one, which runs all callbacks.
    private func alarmFired(_ number: UInt64) {
        let tick: @Sendable () -> Void = { [weak self] in self?.tick(number) }
        if connection()?.perform(tick) != true { tick() }
    }

    private func tick(_ number: UInt64) {
        let now = time.now()
        drain.change(as: .backend, wakeBackend: wakeBackend, perform: perform) { state in
            guard state.alarm?.number == number else { return }
            state.session.now = max(state.session.now, now)
            state.session.tick()
            state.alarm = nil
        }
    }
}

/// The connection to the bus, which is opened on the first request, and again after its end.
extension BlueZHub {
    /// The timeout of the connection to the bus.
    static let openingTimeout: Duration = .seconds(10)

    /// The match rules: the owner of the daemon's name, its objects and their changes, and the
    /// reasons of disconnects. There is none per device, so their number does not depend on the
    /// links.
    private static let rules =
        [
            .ownerChange(of: BlueZDaemon.name),
            DBusMatchRule(sender: BlueZDaemon.name, interface: DBusObjectManager.interfaceName),
            DBusMatchRule(
                sender: BlueZDaemon.name, pathNamespace: BlueZDaemon.root,
                interface: DBusProperties.interfaceName, member: DBusProperties.propertiesChanged),
        ]
        + [Device1.interfaceName, BearerLE1.interfaceName].map {
            DBusMatchRule(
                sender: BlueZDaemon.name, pathNamespace: BlueZDaemon.root, interface: $0,
                member: Device1.disconnected)
        }

    /// Connects to the bus, which in a container may be at another place, or missing (pitfall 25:
    /// bumble#236), and reports to the session.
    func open(_ number: UInt64) {
        do throws(DBusError) { use(try connect(), number) } catch {
            update { $0.busEnded(number, error) }
        }
    }

    /// Sets up a connection. The match rules are added before the first call, so that no signal is
    /// missed in between (pitfall 12: bleak#374 is about values).
    private func use(_ bus: DBusConnection, _ number: UInt64) {
        keep(Connection(number: number, bus: bus))
        bus.coalesce(within: options.coalescingInterval)
        bus.onBatch(
            begin: { [coalescer] in coalescer.beginBatch() },
            end: { [coalescer] in coalescer.endBatch() })
        bus.onEnd { [weak self] error in self?.update(from: number) { $0.busEnded(number, error) } }
        do throws(DBusError) {
            for rule in Self.rules {
                let subscription = try bus.subscribe(
                    batching: rule,
                    ready: { [weak self] error in
                        guard let error else { return }
                        self?.update(from: number) { $0.busEnded(number, error) }
                    },
                    values: { [weak self] values in
                        self?.update(from: number) { $0.received(values, from: number) }
                    },
                    receive: { [weak self] signals in
                        self?.update(from: number) { session in
                            for signal in signals { session.received(signal, from: number) }
                        }
                    })
                keep(subscription, for: number)
            }
            update { $0.opened(number) }
        } catch { update { $0.busEnded(number, error) } }
    }
}

/// The pairing agent's object on the bus.
///
/// It has neither input nor output: it accepts only requests that need none, and only for devices
/// that this program has a link to; it rejects all others.
extension BlueZHub {
    func setAgent(_ isThere: Bool) {
        guard let bus = connection() else { return }
        let path = BlueZSession.agentPath
        guard isThere else {
            bus.unexport(path)
            return
        }
        // After a restart of the daemon alone the object is still exported.
        try? bus.export(DBusObject([Agent1.interface]), at: path) { [weak self] request in
            guard let self else { return request.refuse(.agentRejects) }
            let isOurs = read { $0.isOurs(request.arguments.first?.objectPath) }
            Self.answer(request, isOurs: isOurs)
        }
    }

    static func answer(_ request: DBusRequest, isOurs: Bool) {
        if Agent1.accepts(request.member, isOurs: isOurs) {
            request.reply()
        } else {
            request.refuse(.agentRejects)
        }
    }
}

extension Agent1 {
    /// `true` if an agent without input and output accepts the request.
    static func accepts(_ member: String, isOurs: Bool) -> Bool {
        switch member {
        case release, cancel: true
        case requestAuthorization, authorizeService: isOurs
        default: false
        }
    }
}

extension DBusRefusal {
    fileprivate static let agentRejects = DBusRefusal(BlueZErrorName.rejected, "Rejected")
}
#endif
