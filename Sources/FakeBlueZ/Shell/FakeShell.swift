#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// The daemon with its lock, its connection to the bus, and its time.
///
/// A ``Drain`` carries out what the daemon does: on the thread of the connection, or whichever
/// brought the next thing. Values that the bus has not taken in hold it up: when so many are on
/// their way it waits for the bus, and what comes meanwhile waits behind them, up to the daemon's
/// limit.
///
/// Requests and values take turns: devices that send without an end are woken one by one, and only
/// while few effects wait. So a request waits for no more values than ``room``, and its answer for
/// no more than ``valuesUnderWay`` beside those.
final class FakeShell: Sendable {
    private struct State: DrainState {
        var daemon: FakeDaemon
        var connection: DBusConnection?
        var subscription: DBusSubscription?
        /// Values told on this connection, and those of which the bus has said that it has them.
        var told = 0
        var taken = 0
        /// Devices that want to be woken when fewer effects wait, in order.
        var waiting = FIFO<@Sendable () -> Void>()

        mutating func nextStep(for role: DrainRole) -> Step? {
            guard told - taken <= FakeShell.valuesUnderWay else { return nil }
            if daemon.effects.count < FakeShell.room, let device = waiting.popFirst() {
                return .waking(device)
            }
            return daemon.effects.popFirst().map { .effect($0, connection) }
        }
    }

    private let drain: Drain<State>
    private let time = SystemTime()
    let registrar = FakeRegistrar()
    let sockets = FakeSockets()

    private static let valuesUnderWay = 1024
    private static let valuesToAsk = 128
    /// With so many effects under way, no further device is woken.
    private static let room = 64

    init(quirks: FakeQuirks, timing: FakeTiming) {
        drain = Drain(State(daemon: FakeDaemon(quirks: quirks, timing: timing)))
    }

    /// Changes the daemon, and carries out what it does.
    @discardableResult
    func update<Result>(_ body: (inout FakeDaemon) -> Result) -> Result {
        drain.change(as: .owner, perform: perform) { body(&$0.daemon) }
    }

    /// Looks at the daemon.
    func read<Result>(_ body: (FakeDaemon) -> Result) -> Result {
        drain.read { body($0.daemon) }
    }

    /// The connection to the bus, while the daemon runs.
    var connection: DBusConnection? { drain.read { $0.connection } }

    // MARK: - Life

    /// Takes its place on a bus: objects first, then the name, perhaps as another one's successor.
    nonisolated(nonsending) func start(
        on connection: DBusConnection, succeeds: Bool = false
    ) async throws(DBusError) {
        connection.word(refusals: .gdbus)
        let rule = DBusMatchRule(
            sender: DBusName.bus, path: .bus, interface: DBusName.bus,
            member: DBusName.ownerChanged)
        let subscription = try await connection.subscription(rule) { [weak self] signal in
            self?.ownerChanged(signal)
        }
        drain.withLock { state in
            state.connection = connection
            state.subscription = subscription
            state.told = 0
            state.taken = 0
        }
        update { $0.start() }
        guard try await connection.takeName(BlueZDaemon.name, succeeds: succeeds) else {
            await kill()
            throw DBusError(.unreachable, details: "somebody else is \(BlueZDaemon.name)")
        }
        // The daemon waits so before it lets itself be found: what it exported is there.
    }

    /// Is gone at once, as after SIGKILL: the bus answers whoever waited.
    nonisolated(nonsending) func kill() async {
        let connection = end()
        guard let connection else { return }
        await withUnsafeContinuation { (done: UnsafeContinuation<Void, Never>) in
            connection.onEnd { _ in done.resume() }
        }
    }

    /// Ends without waiting.
    @discardableResult
    func end() -> DBusConnection? {
        let (connection, rest) = drain.withLock { state in
            let rest = (state.daemon.kill(), state.subscription)
            defer {
                state.connection = nil
                state.subscription = nil
                state.told = 0
                state.taken = 0
            }
            return (state.connection, rest)
        }
        connection?.close()
        // What was never answered is let go of here, where nothing is locked.
        withExtendedLifetime(rest) {}
        sockets.closeAll()
        registrar.reset()
        update { _ in }
        return connection
    }

    private func ownerChanged(_ signal: DBusSignal) {
        guard signal.values.count == 3, let name = signal.values[0].string, name.hasPrefix(":"),
            signal.values[2].string?.isEmpty == true
        else { return }
        update { $0.clientLeft(name) }
    }

    // MARK: - Carrying out

    private enum Step {
        case effect(FakeEffect, DBusConnection?)
        case waking(@Sendable () -> Void)
    }

    private func perform(_ step: Step) {
        switch step {
        case .effect(let effect, let connection): carryOut(effect, connection)
        case .waking(let action): action()
        }
    }

    /// Wakes a device at once, or when fewer effects wait.
    func whenThereIsRoom(_ action: @escaping @Sendable () -> Void) {
        let isRoom = drain.withLock { state in
            guard state.daemon.effects.count >= Self.room || !state.waiting.isEmpty else {
                return true
            }
            state.waiting.append(action)
            return false
        }
        if isRoom { action() }
    }

    private func carryOut(_ effect: FakeEffect, _ connection: DBusConnection?) {
        switch effect {
        case .value(let value, let path):
            guard let connection else { return }
            try? connection.set(
                [GattCharacteristic1.value: .bytes(value)],
                of: GattCharacteristic1.interfaceName, at: path)
            told(connection)
        case .remote(let remote, let call): ask(remote, call)
        case .reply(let request, let values): request.reply(values)
        case .refuse(let request, let refusal): request.refuse(refusal)
        case .accept(let request): request.accept()
        case .acknowledge(let request): request.acknowledge()
        case .letGo: break
        case .export(let object, let path, let target):
            // A central that was connected may have left its own object there.
            connection?.unexport(path)
            try? connection?.export(object, at: path) { [weak self] request in
                self?.update { $0.receive(request, target) }
            }
        case .unexport(let path): connection?.unexport(path)
        case .set(let values, let interface, let path):
            tell(values, interface, path, connection)
        case .conceal(let values, let path):
            try? connection?.set(values, of: Device1.interfaceName, at: path, announces: false)
        case .signal(let signal): try? connection?.emit(signal)
        case .add(let interface, let values, let path):
            try? connection?.add(interface, values: values, to: path)
        case .remove(let interface, let path):
            _ = try? connection?.remove(interface, from: path)
        case .alarm(let number, let delay): wake(number, after: delay)
        case .register(let request, let adapter):
            registrar.receive(request, adapter: adapter, in: self)
        case .authorize(let device, let isMeant, let id):
            registrar.authorize(device, isMeant: isMeant, in: self) { [weak self] isAllowed in
                self?.update { $0.authorized(id, isAllowed) }
            }
        case .die: end()
        case .clientLeft(let name): registrar.clientLeft(name, in: self)
        case .adapterLeft(let number): registrar.adapterLeft(number, in: self)
        case .adapterShown(let number): registrar.readAgain(adapter: number, in: self)
        case .openSocket(let request, let place, let mtu):
            sockets.open(request, place, mtu: mtu, connection, in: self)
        case .send(let value, let place):
            sockets.send(value, place) { [weak self] in self?.update { $0.lostValues += 1 } }
        case .closeSocket(let place): sockets.close(place)
        }
    }

    /// Tells values of properties; those that the object's description does not allow, too.
    private func tell(
        _ values: [String: DBusValue?], _ interface: String, _ path: DBusObjectPath,
        _ connection: DBusConnection?
    ) {
        guard let connection else { return }
        do throws(DBusError) {
            try connection.set(values, of: interface, at: path)
        } catch  where error.kind == .unreachable {
            let gone = values.filter { $0.value == nil }.keys
            let signal = DBusSignal(
                DBusProperties.propertiesChanged, of: DBusProperties.interfaceName, at: path,
                [
                    .string(interface), .properties(values.compactMapValues { $0 }),
                    .strings(gone.sorted()),
                ])
            try? connection.emit(signal)
        } catch {}
    }

    private func wake(_ number: UInt64, after delay: Duration) {
        guard delay > .zero else { return update { $0.woken(number) } }
        _ = time.schedule(at: time.now() + delay) { [weak self] in
            self?.update { $0.woken(number) }
        }
    }

    private func ask(_ remote: any FakeRemote, _ call: FakeRemoteCall) {
        switch call {
        case .connect(let link): remote.connect(link)
        case .disconnect: remote.disconnect()
        case .read(let attribute, let offset, let id):
            remote.read(attribute, from: offset) { [weak self] result in
                self?.update { $0.finished(id, result) }
            }
        case .write(let value, let attribute, let offset, let mode, let id):
            remote.write(value, to: attribute, from: offset, mode) { [weak self] error in
                self?.finished(id, error)
            }
        case .subscribe(let attribute, let isOn, let id):
            remote.setNotify(attribute, isOn: isOn) { [weak self] error in
                self?.finished(id, error)
            }
        case .confirm(let attribute): remote.confirm(attribute)
        case .discover(let device, let link):
            let services = remote.services
            update { $0.found(services, device, link) }
        case .stop: remote.stop()
        }
    }

    private func finished(_ id: FakeOperationID?, _ error: ATTError?) {
        guard let id else { return }
        update { $0.finished(id, error.map { .failure($0) } ?? .success([])) }
    }

    // MARK: - Not faster than the bus

    /// Asks the bus now and then whether it has what was told: it answers in order.
    private func told(_ connection: DBusConnection) {
        let told = drain.withLock { state in
            state.told += 1
            return state.told
        }
        guard told % Self.valuesToAsk == 0 else { return }
        let question = DBusCall(
            BusMember.getID, of: DBusName.bus, at: .bus, on: DBusName.bus)
        connection.call(question, timeout: .seconds(60)) { [weak self] _ in
            self?.taken(told, connection)
        }
    }

    private func taken(_ count: Int, _ connection: DBusConnection) {
        drain.change(as: .owner, perform: perform) { state in
            guard state.connection === connection else { return }
            state.taken = max(state.taken, count)
        }
    }
}

/// The computer's time for a device, with one difference: it is not woken while more values wait
/// for the bus than are good. So a device that sends as fast as it goes is slowed down, as it is
/// on the air, and loses nothing.
struct FakeTime: TransportTime {
    private let time = SystemTime()
    private weak let shell: FakeShell?

    init(_ shell: FakeShell) { self.shell = shell }

    var clock: any Clock<Duration> { time.clock }

    func now() -> Moment { time.now() }

    func wallClock() -> WallClock { time.wallClock() }

    func schedule(
        at moment: Moment, _ action: @escaping @Sendable () -> Void
    ) -> Registration {
        time.schedule(at: moment) { [shell] in
            if let shell { shell.whenThereIsRoom(action) } else { action() }
        }
    }

    func waiting(_ change: WaitChange) { time.waiting(change) }
}

extension DBusConnection {
    /// How long a bus may take to notice that somebody is gone.
    private static let succession: Duration = .seconds(10)

    /// Takes a name that is nobody's, and says whether it did. A successor waits for a moment: the
    /// bus may still hold the name for whoever had it before.
    nonisolated(nonsending) func takeName(
        _ name: String, succeeds: Bool
    ) async throws(DBusError) -> Bool {
        let end = ContinuousClock.now + Self.succession
        while try await requestName(name, [.doesNotQueue]) != .owner {
            guard succeeds, ContinuousClock.now < end else { return false }
            try? await Task.sleep(for: .milliseconds(1))
        }
        return true
    }
}
#endif
