#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// A session with its connection to the bus. It performs the session's effects at the end of each
/// turn.
///
/// - The connection to the bus is in the same loop: its handlers change the session directly.
/// - There is one alarm, which is only ever moved to an earlier time: it may fire early, which is
///   cheaper than setting it for each timer.
/// - The connection's callbacks hold the hub weakly: without another reference everything ends.
final class BlueZHub: LoopBackend, Sendable {
    struct Connection {
        let number: UInt64
        let bus: DBusConnection
        var subscriptions: [DBusSubscription] = []
    }

    private struct Alarm {
        let number: UInt64
        let due: Moment
        var registration: BLECancellable?
    }

    private struct State {
        var session: BlueZSession
        var connection: Connection?
        var cancellations: [BlueZSession.CallNumber: BLECancellable] = [:]
        /// Stays until its tick is done, so that no other is set for timers that are due.
        var alarm: Alarm?
        var lastAlarm: UInt64 = 0

        /// `true` if an earlier alarm is needed, or there is none.
        var needsAlarm: Bool {
            guard let next = session.nextTimer else { return false }
            return alarm.map { next < $0.due } ?? true
        }
    }

    private let state: InLoop<State>
    let time: any TransportTime
    private let loop: TransportLoop
    let options: BlueZOptions
    let connect: @Sendable (TransportLoop) throws(DBusError) -> DBusConnection

    /// Creates a hub that connects on the first request.
    convenience init(options: BlueZOptions, time: any TransportTime = SystemTime()) {
        self.init(options: options, time: time) { loop throws(DBusError) in
            try DBusConnection(
                opening: try options.busAddresses(), in: loop, timeout: Self.openingTimeout)
        }
    }

    init(
        options: BlueZOptions, time: any TransportTime = SystemTime(),
        connect: @escaping @Sendable (TransportLoop) throws(DBusError) -> DBusConnection
    ) {
        self.connect = connect
        self.time = time
        self.options = options
        loop = time.loop
        var chance = SystemRandomNumberGenerator()
        state = InLoop(
            loop, State(session: BlueZSession(options: options, seed: chance.next())))
        loop.add(self)
    }

    deinit {
        // Pending callbacks are called; the bus itself needs only the end of the connection.
        loop.later { [state] in
            let (alarm, left) = state.run { state in
                state.session.end()
                var left: [BlueZSession.Effect] = []
                while let effect = state.session.nextEffect() { left.append(effect) }
                return (state.alarm?.registration, left)
            }
            alarm?.cancel()
            for effect in left { Self.finish(effect) }
        }
    }

    private static func finish(_ effect: BlueZSession.Effect) {
        switch effect {
        case .callBack(let work): work()
        case .deliver(let attribute, let values, let events):
            for value in values { events(.value(attribute, value)) }
        case .call, .forget, .open, .close, .setAgent: break
        }
    }

    func connection() -> DBusConnection? { state.run { $0.connection?.bus } }

    func read<Value>(_ body: (BlueZSession) -> Value) -> Value { state.run { body($0.session) } }

    /// Changes the session. The effects follow at the end of the turn.
    @discardableResult func update<Value>(_ body: (inout BlueZSession) -> Value) -> Value {
        state.run { state in
            state.session.now = max(state.session.now, time.now())
            return body(&state.session)
        }
    }

    func goOn() -> Bool {
        if let effect = state.run({ $0.session.nextEffect() }) {
            perform(effect)
            return true
        }
        let due = state.run { $0.needsAlarm ? $0.session.nextTimer : nil }
        if let due { setAlarm(for: due) }
        return false
    }

    /// Keeps a connection until the session closes it; an older one is closed at once (pitfall 22:
    /// bleak#1698).
    func keep(_ connection: Connection) {
        let old = state.run { state in
            defer { state.connection = connection }
            return state.connection
        }
        old?.bus.close()
    }

    private func perform(_ effect: BlueZSession.Effect) {
        switch effect {
        case .callBack, .deliver: Self.finish(effect)
        case .call(let number, let call, let timeout): ask(number, call, timeout)
        case .forget(let number): forget(number)
        case .open(let number): open(number)
        case .close(let number): close(number)
        case .setAgent(let isThere): setAgent(isThere)
        }
    }

    // MARK: Calls

    private func ask(_ number: BlueZSession.CallNumber, _ call: DBusCall, _ timeout: Duration) {
        guard let connection = state.run({ $0.connection }) else {
            let error = DBusError(.disconnected, details: "there is no connection")
            update { $0.answered(number, .failure(error)) }
            return
        }
        // A call that is cancelled in the turn in which it was made is not sent.
        guard read({ $0.isWaiting(for: number) }) else { return }
        let cancellation = connection.bus.call(call, timeout: timeout) {
            [weak self, weak bus = connection.bus, last = connection.number] answer in
            // The end of the connection comes first: a callback may make a new request at once,
            // which must not end with the old ones.
            if case .failure = answer, let end = bus?.endError {
                self?.update { $0.busEnded(last, end) }
            }
            self?.answered(number, answer)
        }
        state.run { $0.cancellations[number] = cancellation }
    }

    private func answered(_ number: BlueZSession.CallNumber, _ answer: BlueZSession.Answer) {
        update { $0.answered(number, answer) }
        _ = state.run { $0.cancellations.removeValue(forKey: number) }
    }

    private func forget(_ number: BlueZSession.CallNumber) {
        state.run { $0.cancellations.removeValue(forKey: number) }?.cancel()
    }

    private func close(_ number: UInt64) {
        let connection = state.run { state -> Connection? in
            guard state.connection?.number == number else { return nil }
            defer { state.connection = nil }
            return state.connection
        }
        connection?.bus.close()
    }

    // MARK: The alarm

    private func setAlarm(for due: Moment) {
        let (number, old) = state.run { state in
            state.lastAlarm &+= 1
            defer { state.alarm = Alarm(number: state.lastAlarm, due: due) }
            return (state.lastAlarm, state.alarm?.registration)
        }
        old?.cancel()
        let registration = time.schedule(at: due) { [weak self, loop] in
            loop.report { self?.tick(number) }
        }
        state.run { $0.alarm?.registration = registration }
    }

    private func tick(_ number: UInt64) {
        guard state.run({ $0.alarm?.number == number }) else { return }
        update { $0.tick() }
        state.run { $0.alarm = nil }
    }

    // MARK: The connection, which is opened on the first request, and again after its end

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
        do throws(DBusError) { use(try connect(loop), number) } catch {
            update { $0.busEnded(number, error) }
        }
    }

    /// Sets up a connection. The match rules are added before the first call, so that no signal is
    /// missed in between (pitfall 12: bleak#374 is about values).
    private func use(_ bus: DBusConnection, _ number: UInt64) {
        keep(Connection(number: number, bus: bus))
        bus.coalesce(within: options.coalescingInterval)
        bus.onEnd { [weak self] error in self?.update { $0.busEnded(number, error) } }
        do throws(DBusError) {
            let subscriptions = try Self.rules.map { rule throws(DBusError) in
                try bus.subscribe(
                    rule,
                    ready: { [weak self] error in
                        guard let error else { return }
                        self?.update { $0.busEnded(number, error) }
                    },
                    values: { [weak self] values in
                        self?.update { $0.received(values, from: number) }
                    },
                    receive: { [weak self] signal in
                        self?.update { $0.received(signal, from: number) }
                    })
            }
            state.run { state in
                if state.connection?.number == number {
                    state.connection?.subscriptions = subscriptions
                }
            }
            update { $0.opened(number) }
        } catch { update { $0.busEnded(number, error) } }
    }

    // MARK: The pairing agent

    /// Exports the agent's object, or withdraws it. It has neither input nor output: it accepts
    /// only requests that need none, and only for devices that this program has a link to; it
    /// rejects all others.
    func setAgent(_ isThere: Bool) {
        guard let bus = connection() else { return }
        let path = BlueZSession.agentPath
        guard isThere else {
            bus.unexport(path)
            return
        }
        // After a restart of the daemon alone the object is still exported.
        try? bus.export(DBusObject([Agent1.interface]), at: path) { [weak self] request in
            let isOurs = self?.read { $0.isOurs(request.arguments.first?.objectPath) }
            guard let isOurs, Agent1.accepts(request.member, isOurs: isOurs) else {
                return request.refuse(DBusRefusal(BlueZErrorName.rejected, "Rejected"))
            }
            request.reply()
        }
    }
}

extension Agent1 {
    static func accepts(_ member: String, isOurs: Bool) -> Bool {
        switch member {
        case release, cancel: true
        case requestAuthorization, authorizeService: isOurs
        default: false
        }
    }
}
#endif
