#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// A session with its connection to the bus: does what the session puts down, without the lock.
///
/// Rules:
/// - What goes to the bus, and to sockets, calls nobody: whoever changes the session sends it, one
///   thing at a time and in order. An app's task does no more than that.
/// - Callbacks are made by the thread of the bus, in order and before it reads on: so a program
///   that does not keep up holds the bus back, and nobody who asks for something is caught in
///   telling values. An app's task that leaves callbacks has that thread come.
/// - Where there is no bus, nobody reads: then timers make the callbacks.
/// - While an app is called back, no timer of the session runs: its limits are as exact as
///   callbacks are short.
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

    private struct State: DrainState {
        var session: BlueZSession
        var connection: Connection?
        var cancellations: [BlueZSession.CallNumber: DBusCancellation] = [:]
        /// It stays until its tick is done, so that none is set for what is due already.
        var alarm: Alarm?
        var lastAlarm: UInt64 = 0
        /// A thread that may call back is on its way.
        var isSummoned = false

        /// Whether the alarm rings too late, or never.
        var needsAlarm: Bool {
            guard let next = session.nextTimer else { return false }
            return alarm.map { next < $0.due } ?? true
        }

        /// What goes to the bus goes first: it does not wait for what apps do in callbacks.
        mutating func nextStep(for role: DrainRole) -> Step? {
            if role == .owner { isSummoned = false }
            if let message = session.nextEffect(in: .messages) { return .effect(message) }
            if needsAlarm, let due = session.nextTimer {
                lastAlarm &+= 1
                let old = alarm?.registration
                let next = Alarm(number: lastAlarm, due: due)
                alarm = next
                return .setAlarm(next, old: old)
            }
            guard role == .owner else { return nil }
            return session.nextEffect(in: .callbacks).map { .effect($0) }
        }

        var hasOwnersSteps: Bool { session.hasCallbacks && !isSummoned }
    }

    private enum Step {
        case effect(BlueZSession.Effect)
        case setAlarm(Alarm, old: Registration?)
    }

    private let drain: Drain<State>
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
        drain = Drain(State(session: BlueZSession(options: options, seed: chance.next())))
        self.time = GatedTime(time, gate)
        self.options = options
    }

    deinit {
        // Whoever still waits is told, by the bus if it has a thread; on the bus, the end of the
        // connection says everything.
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
        case .tell(let attribute, let values, let receiver): receiver.values(attribute, values)
        case .closeSocket(let socket): socket.close()
        case .call, .forget, .host, .open, .close, .openSocket, .send, .setAgent: break
        }
    }

    func connection() -> DBusConnection? { drain.read { $0.connection?.bus } }

    func read<Value>(_ body: (BlueZSession) -> Value) -> Value { drain.read { body($0.session) } }

    /// Changes the session for the app, or for whatever is none of the connection in use.
    @discardableResult func update<Value>(_ body: (inout BlueZSession) -> Value) -> Value {
        update(as: .guest, body)
    }

    /// Changes the session on the thread of a connection.
    @discardableResult func update<Value>(
        from connection: UInt64, _ body: (inout BlueZSession) -> Value
    ) -> Value {
        let isInUse = drain.read { $0.connection?.number == connection }
        return update(as: isInUse ? .owner : .guest, body)
    }

    private func update<Value>(as role: DrainRole, _ body: (inout BlueZSession) -> Value) -> Value {
        let now = time.now()
        return drain.change(as: role, summon: summon, perform: perform) { state in
            state.session.now = max(state.session.now, now)
            return body(&state.session)
        }
    }

    /// Has a thread come that may call back: that of the bus, or else one of the clock's.
    private func summon() {
        let isDue = drain.withLock { state in
            defer { state.isSummoned = true }
            return !state.isSummoned
        }
        guard isDue else { return }
        let come: @Sendable () -> Void = { [weak self] in self?.update(as: .owner) { _ in } }
        if connection()?.perform(come) == true { return }
        let registration = time.schedule(at: time.now(), come)
        // It may have come already.
        if !drain.read(\.isSummoned) { registration.cancel() }
    }

    /// Keeps a connection, until the session lets go of it; one that is in the way is closed and
    /// not only let go of (pitfall 22: bleak#1698).
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
        case .effect(.tell(let attribute, let values, let receiver)):
            receiver.values(attribute, values)
        case .effect(.call(let number, let call, let timeout)): ask(number, call, timeout)
        case .effect(.forget(let number)): forget(number)
        case .effect(.host(let message)): send(message)
        case .effect(.open(let number)): open(number)
        case .effect(.close(let number)): close(number)
        case .effect(.openSocket(let offer, let link)): openSocket(offer, for: link)
        case .effect(.closeSocket(let socket)): socket.close()
        case .effect(.send(let value, let socket, let number, let step, let link)):
            let bus = read(\.daemon.connection)
            socket.send(value) { [weak self] isTaken in
                self?.update(from: bus) { $0.socketSent(isTaken, number, step: step, on: link) }
            }
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
            // With the connection everything has ended: whoever hears of it may ask anew at once,
            // and must not be taken for one who had asked before.
            if case .failure = answer, let end = bus?.endError {
                self?.update(from: last) { $0.busEnded(last, end) }
            }
            self?.answered(number, answer, from: last)
        }
        drain.withLock { state in
            // The answer may have come already.
            if state.session.isWaiting(for: number) { state.cancellations[number] = cancellation }
        }
    }

    private func answered(
        _ number: BlueZSession.CallNumber, _ answer: BlueZSession.Answer, from connection: UInt64
    ) {
        update(from: connection) { $0.answered(number, answer) }
        // Only now: whoever asked keeps it as long as the session waits for the answer.
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

    // MARK: Sockets

    private func openSocket(_ offer: LinkSocketOffer, for link: LinkNumber) {
        let number = offer.number
        guard let connection = drain.read({ $0.connection }),
            let descriptor = offer.descriptors.take(offer.place)
        else { return update { $0.socketMade(nil, number, on: link) } }
        let bus = connection.number
        let socket = DBusPacketSocket(
            batching: descriptor, on: connection.bus,
            receive: { [weak self] values in
                self?.update(from: bus) { $0.socketReceived(values, number, on: link) }
            },
            ended: { [weak self] in self?.update(from: bus) { $0.socketEnded(number, on: link) } })
        update { $0.socketMade(socket, number, on: link) }
    }

    // MARK: The alarm

    private func set(_ alarm: Alarm, _ old: Registration?) {
        old?.cancel()
        let registration = time.schedule(at: alarm.due) { [weak self] in self?.rang(alarm.number) }
        let isVoid = drain.withLock { state in
            guard state.alarm?.number == alarm.number else { return true }
            state.alarm?.registration = registration
            return false
        }
        if isVoid { registration.cancel() }
    }

    /// The thread of the bus does what is due, if there is one: so nobody calls back beside it.
    private func rang(_ number: UInt64) {
        let tick: @Sendable () -> Void = { [weak self] in self?.tick(number) }
        if connection()?.perform(tick) != true { tick() }
    }

    private func tick(_ number: UInt64) {
        let now = time.now()
        drain.change(as: .owner, summon: summon, perform: perform) { state in
            guard state.alarm?.number == number else { return }
            state.session.now = max(state.session.now, now)
            state.session.tick()
            state.alarm = nil
        }
    }
}

/// The connection to the bus, which is made when something is asked for, and again after its end.
extension BlueZHub {
    /// How long the bus has to let us in.
    static let openingTimeout: Duration = .seconds(10)

    /// What is to be heard: whose the daemon's name is, which objects it has, how they change,
    /// and why links end. None is for one device, so there are no more of them however many
    /// links there are.
    private static let rules: [DBusMatchRule] = {
        // A path that is none would mean the objects of all.
        let root = try? DBusObjectPath(BlueZDaemon.root)
        return [
            .ownerChange(of: BlueZDaemon.name),
            DBusMatchRule(sender: BlueZDaemon.name, interface: DBusObjectManager.interfaceName),
            DBusMatchRule(
                sender: BlueZDaemon.name, pathNamespace: root,
                interface: DBusProperties.interfaceName, member: DBusProperties.propertiesChanged),
        ]
            + [Device1.interfaceName, BearerLE1.interfaceName].map {
                DBusMatchRule(
                    sender: BlueZDaemon.name, pathNamespace: root, interface: $0,
                    member: Device1.disconnected)
            }
    }()

    /// Connects to the bus, wherever that is: in a container it is elsewhere, or not there at all
    /// (pitfall 25: bumble#236); the session hears how it went.
    func open(_ number: UInt64) {
        do throws(DBusError) { use(try connect(), number) } catch {
            update { $0.busEnded(number, error) }
        }
    }

    /// First it is said what is to be heard, and then everything is asked for: nothing is missed
    /// in between (pitfall 12: bleak#374 is about values).
    private func use(_ bus: DBusConnection, _ number: UInt64) {
        keep(Connection(number: number, bus: bus))
        bus.gather(for: options.gathering)
        bus.aroundMuch(begin: { [gate] in gate.open() }, end: { [gate] in gate.close() })
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

/// The object on the bus that answers when a device is paired with.
///
/// This computer can neither show nor ask anything, so it says yes to what needs neither, and
/// only for devices that it has a link to; to all the rest it says no.
extension BlueZHub {
    func setAgent(_ isThere: Bool) {
        guard let bus = connection(), let path = BlueZSession.agentPath else { return }
        guard isThere else {
            bus.unexport(path)
            return
        }
        // If the daemon alone was started again, the object is there still.
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
    /// Whether an agent that can neither show nor ask anything says yes.
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
