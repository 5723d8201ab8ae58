#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// A device on the daemon's air, with its connection to the bus: does what its session puts down,
/// one thing at a time and in order, outside of the lock.
///
/// While it goes on, the connection holds it, and it holds the connection: nobody else has to.
final class BlueZHost: HostControl {
    private struct State {
        var session: HostSession
        var peripheral: (any PeripheralHosting)?
        var bringToLife: (@Sendable () -> Void)?
        var requests: [UInt64: DBusRequest] = [:]
        var lastRequest: UInt64 = 0
        var subscriptions: [DBusSubscription] = []
        var alarms: [Moment: Registration] = [:]
        var ready: Promise<Void>?
        var waiters: [UInt64: Promise<BLEError?>] = [:]
        /// Who waits for the end whatever happens to the task.
        var removers: [@Sendable () -> Void] = []
        var lastWaiter: UInt64 = 0
        var end: Result<Void, BLEError>?
        var isDraining = false
    }

    private let state: Locked<State>
    private let connection: DBusConnection
    private let time: any TransportTime
    private let isOurs: @Sendable (DBusObjectPath) -> Bool

    /// A device that nothing was done for yet. `isOurs` knows the devices to which this program
    /// has a link, or is about to, as a central.
    init(
        on connection: DBusConnection, _ session: HostSession, time: any TransportTime,
        isOurs: @escaping @Sendable (DBusObjectPath) -> Bool
    ) {
        state = Locked(State(session: session))
        self.connection = connection
        self.time = time
        self.isOurs = isOurs
    }

    /// Registers a device, and waits until that is done.
    func begin<Device: GATTPeripheral>(
        _ peripheral: PeripheralHost<Device>
    ) async throws(BLEError) {
        let ready = Promise<Void>(for: .host, on: time)
        state.withLock { state in
            state.peripheral = peripheral
            state.bringToLife = { peripheral.start() }
            state.ready = ready
        }
        // This is never forgotten by the connection, and must not hold what has ended long before.
        connection.onEnd { [weak self] error in self?.update { $0.lost(error) } }
        do throws(DBusError) {
            let subscriptions = try Self.rules.map { rule throws(DBusError) in
                try connection.subscribe(rule) { self.noticed($0) }
            }
            state.withLock { $0.subscriptions = subscriptions }
        } catch {
            update { $0.lost(error) }
        }
        update { $0.begin() }
        do throws(BLEError) {
            try await ready.value()
        } catch {
            // Also when the task was cancelled: then the device goes while nobody waits.
            update { $0.remove() }
            throw error
        }
    }

    /// Takes in what the device does.
    func carryOut(_ effect: PeripheralEffect) {
        let peripheral = state.withLock { $0.peripheral }
        let services = effect == .servicesChanged ? peripheral?.services ?? [] : []
        update { $0.did(effect) { services } }
    }

    var identity: PeripheralIdentity? {
        state.withLock { $0.session.address }.map { PeripheralIdentity($0) }
    }

    var isConnected: Bool { state.withLock { $0.session.central != nil } }

    /// Also a task that was cancelled waits for it, for that is when programs end: what the
    /// daemon is asked has short deadlines.
    func remove() async {
        update { $0.remove() }
        await withUnsafeContinuation { (done: UnsafeContinuation<Void, Never>) in
            let isOver = state.withLock { state in
                if state.end == nil { state.removers.append { done.resume() } }
                return state.end != nil
            }
            if isOver { done.resume() }
        }
    }

    func ended() async -> BLEError? {
        let promise = Promise<BLEError?>(for: .host, on: time)
        let (number, end) = state.withLock { state in
            state.lastWaiter &+= 1
            if state.end == nil { state.waiters[state.lastWaiter] = promise }
            return (state.lastWaiter, state.end)
        }
        if let end { promise.resolve(.success(end.failure)) }
        let error = (try? await promise.value()) ?? nil
        state.withLock { _ = $0.waiters.removeValue(forKey: number) }
        return error
    }

    private static let rules = [
        DBusMatchRule.ownerChange(of: BlueZDaemon.name),
        DBusMatchRule(sender: BlueZDaemon.name, interface: DBusObjectManager.interfaceName),
        DBusMatchRule(
            sender: BlueZDaemon.name, interface: DBusProperties.interfaceName,
            member: DBusProperties.propertiesChanged, firstArgument: Device1.interfaceName),
        DBusMatchRule(
            sender: BlueZDaemon.name, interface: DBusProperties.interfaceName,
            member: DBusProperties.propertiesChanged, firstArgument: Adapter1.interfaceName),
    ]

    private func noticed(_ signal: DBusSignal) {
        let isOurs = HostSession.connected(signal).map { self.isOurs($0) } ?? false
        update { $0.noticed(signal, isOurs: isOurs) }
    }

    private func asked(_ request: DBusRequest) {
        let number = state.withLock { state in
            state.lastRequest &+= 1
            state.requests[state.lastRequest] = request
            return state.lastRequest
        }
        update { session in
            session.asked(
                HostedRequest(
                    number: number, path: request.path, interface: request.interface,
                    member: request.member, arguments: request.arguments, sender: request.sender))
        }
    }

    /// Changes the session, and does what comes of it, unless somebody does already.
    private func update(_ change: (inout HostSession) -> Void) {
        let now = time.now()
        let mustDrain = state.withLock { state in
            state.session.now = max(state.session.now, now)
            change(&state.session)
            defer { state.isDraining = true }
            return !state.isDraining
        }
        if mustDrain { drain() }
    }

    private func drain() {
        while let effect = nextEffect() { perform(effect) }
    }

    private func nextEffect() -> HostSession.Effect? {
        state.withLock { state in
            let effect = state.session.nextEffect()
            if effect == nil { state.isDraining = false }
            return effect
        }
    }

    private func perform(_ effect: HostSession.Effect) {
        switch effect {
        case .call(let purpose, let call, let timeout, let age):
            connection.call(call, timeout: timeout) { answer in
                self.update { $0.answered(purpose, answer, in: age) }
            }
        case .export(let object):
            try? connection.export(object.object, at: object.path) { self.asked($0) }
        case .unexport(let path):
            connection.unexport(path)
        case .value(let value, let path):
            // What the bus does not take is lost, as on the air.
            try? connection.set(
                [GattCharacteristic1.value: .bytes(value)],
                of: GattCharacteristic1.interfaceName, at: path)
        case .reply(let values, let number): take(number)?.reply(values)
        case .refuse(let refusal, let number): take(number)?.refuse(refusal)
        case .start: start()
        case .tell(let event): state.withLock { $0.peripheral }?.handle(event)
        case .alarm(let moment): setAlarm(moment)
        case .ready: state.withLock { $0.ready }?.resolve(.success(()))
        case .ended(let error): ended(error)
        }
    }

    private func take(_ number: UInt64) -> DBusRequest? {
        state.withLock { $0.requests.removeValue(forKey: number) }
    }

    private func start() {
        let (peripheral, bringToLife) = state.withLock { state in
            defer { state.bringToLife = nil }
            return (state.peripheral, state.bringToLife)
        }
        bringToLife?()
        let services = peripheral?.services ?? []
        update { $0.started(services) }
    }

    private func setAlarm(_ moment: Moment) {
        // Within ten milliseconds one alarm is enough.
        let due = Moment(microseconds: (moment.microseconds / 10_000 + 1) * 10_000)
        guard state.withLock({ $0.alarms[due] == nil }) else { return }
        let alarm = time.schedule(at: due) { [weak self] in
            self?.state.withLock { _ = $0.alarms.removeValue(forKey: due) }
            self?.update { $0.tick() }
        }
        state.withLock { $0.alarms[due] = alarm }
    }

    /// Lets everybody know that it is over, and lets go of everything.
    private func ended(_ error: BLEError?) {
        let (old, error) = state.withLock { state in
            let old = state
            state.end = error.map { .failure($0) } ?? .success(())
            state.peripheral = nil
            state.bringToLife = nil
            state.requests = [:]
            state.subscriptions = []
            state.alarms = [:]
            state.ready = nil
            state.waiters = [:]
            state.removers = []
            return (old, error)
        }
        for alarm in old.alarms.values { alarm.cancel() }
        for subscription in old.subscriptions { subscription.cancel() }
        old.peripheral?.stop()
        old.ready?.resolve(.failure(error ?? BLEError(.cancelled, .host)))
        for waiter in old.waiters.values { waiter.resolve(.success(error)) }
        for remover in old.removers { remover() }
    }
}

extension Result where Success == Void, Failure == BLEError {
    fileprivate var failure: BLEError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
#endif
