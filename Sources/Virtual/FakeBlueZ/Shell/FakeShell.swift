#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// The daemon in its loop, with its connection to the bus, and its time.
///
/// The effects are performed at the end of each turn. Backpressure: with too many values in flight
/// it waits for the bus, and effects queue up, to the daemon's limit.
///
/// Requests and values alternate: devices that send without end are woken one by one, and only
/// while few effects are queued. So a request waits for at most ``room`` values, and its reply for
/// at most ``maximumInFlight`` more.
final class FakeShell: LoopBackend, Sendable {
    private struct Bus {
        let connection: DBusConnection
        let subscription: DBusSubscription
        /// The number of values that were sent, and then the number that the bus has received.
        var sentCount = 0
        var deliveredCount = 0

        var isFull: Bool { sentCount - deliveredCount > FakeShell.maximumInFlight }
    }

    private struct State {
        var daemon: FakeDaemon
        var bus: Bus?
        var waiting = Queue<@Sendable () -> Void>()

        mutating func nextStep() -> Step? {
            if bus?.isFull == true { return nil }
            if daemon.effects.count < FakeShell.room, let device = waiting.popFirst() {
                return .waking(device)
            }
            return daemon.effects.popFirst().map { .effect($0, bus?.connection) }
        }
    }

    private let state: InLoop<State>
    let time = SystemTime()
    let registrations = Locked(FakeRegistrar.State())
    /// The sockets given to clients, with one packet for each value.
    ///
    /// Values that a client does not read are queued in its socket. Further values are dropped, as
    /// by a daemon with a full socket.
    private let sockets = Locked<[FakeCharacteristic.Socket: PacketSocket]>([:])

    private static let maximumInFlight = 1024
    /// The unsent bytes beyond which calls wait: some hundreds of replies.
    private static let unsentBytes = 1 << 20
    private static let valuesPerPing = 128
    /// The number of queued effects at which no more devices are woken.
    private static let room = 64

    init(quirks: FakeQuirks, timing: FakeTiming) {
        state = InLoop(
            time.loop, State(daemon: FakeDaemon(quirks: quirks, timing: timing)))
        time.loop.add(self)
    }

    func goOn() -> Bool {
        guard let step = state.run({ $0.nextStep() }) else { return false }
        switch step {
        case .effect(let effect, let connection): perform(effect, connection)
        case .waking(let action): action()
        }
        return true
    }

    @discardableResult
    func update<Result>(_ body: (inout FakeDaemon) -> Result) -> Result {
        state.run { body(&$0.daemon) }
    }

    func read<Result>(_ body: (FakeDaemon) -> Result) -> Result {
        state.run { body($0.daemon) }
    }

    // MARK: - Start and end

    /// Starts on a bus: exports the objects, and then requests the name, which a previous daemon
    /// may still own.
    nonisolated(nonsending) func start(
        on bus: PrivateBus, succeeds: Bool = false
    ) async throws(BLEError) {
        do throws(DBusError) {
            try await start(try await bus.connect(in: time.loop), succeeds: succeeds)
        } catch { throw BLEError(bus: error) }
    }

    private nonisolated(nonsending) func start(
        _ connection: DBusConnection, succeeds: Bool
    ) async throws(DBusError) {
        connection.setErrorStyle(.gdbus)
        connection.waitWhileUnsent(Self.unsentBytes)
        let rule = DBusMatchRule(
            sender: DBusName.bus, path: .bus, interface: DBusName.bus,
            member: DBusMessageBus.nameOwnerChanged)
        let subscription = try await connection.subscription(rule) { [weak self] signal in
            self?.ownerChanged(signal)
        }
        state.run { $0.bus = Bus(connection: connection, subscription: subscription) }
        update { $0.start() }
        guard try await connection.takeOver(BlueZDaemon.name, succeeds: succeeds) else {
            await kill()
            throw DBusError(.unreachable, details: "somebody else is \(BlueZDaemon.name)")
        }
        // The real daemon does the same: it exports its objects before it owns its name.
    }

    /// Ends at once, as after SIGKILL: the bus answers pending calls.
    nonisolated(nonsending) func kill() async {
        let connection = end()
        guard let connection else { return }
        await withUnsafeContinuation { (done: UnsafeContinuation<Void, Never>) in
            connection.onEnd { _ in done.resume() }
        }
    }

    /// Ends without waiting, in one turn: a daemon that is gone answers nothing.
    @discardableResult
    func end() -> DBusConnection? {
        time.loop.run {
            let (bus, rest) = state.run { state in
                defer { state.bus = nil }
                return (state.bus, state.daemon.kill())
            }
            bus?.connection.close()
            // Requests without a reply are released here, after the end of the connection.
            withExtendedLifetime(rest) {}
            let open = sockets.withLock { sockets in
                defer { sockets = [:] }
                return sockets.values
            }
            for socket in open { socket.close() }
            FakeRegistrar.reset(self)
            return bus?.connection
        }
    }

    private func ownerChanged(_ signal: DBusSignal) {
        guard signal.values.count == 3, let name = signal.values[0].string, name.hasPrefix(":"),
            signal.values[2].string?.isEmpty == true
        else { return }
        update { $0.clientDisconnected(name) }
    }

    // MARK: - Carrying out

    private enum Step {
        case effect(FakeEffect, DBusConnection?)
        case waking(@Sendable () -> Void)
    }

    func whenRoomIsAvailable(_ action: @escaping @Sendable () -> Void) {
        let isRoom = state.run { state in
            guard state.daemon.effects.count >= Self.room || !state.waiting.isEmpty else {
                return true
            }
            state.waiting.append(action)
            return false
        }
        if isRoom { action() }
    }

    private func perform(_ effect: FakeEffect, _ connection: DBusConnection?) {
        var registrar: FakeRegistrar? {
            connection.map { FakeRegistrar(shell: self, connection: $0) }
        }
        switch effect {
        case .value(let value, let path):
            guard let connection else { return }
            try? connection.set(
                [GattCharacteristic1.value: .bytes(value)],
                of: GattCharacteristic1.interfaceName, at: path)
            countSent(connection)
        case .remote(let remote, let call): remote.receive(call)
        case .discover(let remote, let device, let link):
            let services = remote.services
            update { $0.found(services, device, link) }
        case .reply(let request, let values): request.reply(values)
        case .refuse(let request, let refusal): request.refuse(refusal)
        case .accept(let request): request.accept()
        case .acknowledge(let request): request.acknowledge()
        case .drop: break
        case .export(let object, let path, let target):
            // A connected central may have an object with this path.
            connection?.unexport(path)
            try? connection?.export(object, at: path) { [weak self] request in
                self?.update { $0.receive(request, target) }
            }
        case .unexport(let path): connection?.unexport(path)
        case .set(let values, let interface, let path):
            setProperties(values, interface, path, connection)
        case .setSilently(let values, let path):
            try? connection?.set(values, of: Device1.interfaceName, at: path, emitsChange: false)
        case .signal(let signal): try? connection?.emit(signal)
        case .add(let interface, let values, let path):
            try? connection?.add(interface, values: values, to: path)
        case .remove(let interface, let path):
            _ = try? connection?.remove(interface, from: path)
        case .alarm(let number, let delay): wake(number, after: delay)
        case .register(let request, let adapter): registrar?.receive(request, adapter: adapter)
        case .authorize(let device, let isMeant, let id):
            registrar?.authorize(device, isMeant: isMeant) { [weak self] isAllowed in
                self?.update { $0.authorized(id, isAllowed) }
            }
        case .die: end()
        case .clientDisconnected(let name): registrar?.clientDisconnected(name)
        case .adapterRemoved(let number): registrar?.adapterRemoved(number)
        case .discoverabilityChanged(let number): registrar?.readAgain(adapter: number)
        case .openSocket(let request, let place, let mtu): openSocket(request, place, mtu: mtu)
        case .send(let value, let place):
            let isSent = sockets.withLock { $0[place] }?.send(value) ?? true
            if !isSent { update { $0.lostValues += 1 } }
        case .closeSocket(let place): sockets.withLock { $0.removeValue(forKey: place) }?.close()
        }
    }

    private func openSocket(
        _ request: DBusRequest, _ place: FakeCharacteristic.Socket, mtu: UInt16
    ) {
        guard let ends = try? DBusDescriptor.socketPair(keepingPackets: true),
            let other = ends.take(1), let own = ends.take(0)
        else {
            update { $0.socketEnded(place) }
            return request.refuse(.failed("No socket"))
        }
        let socket = PacketSocket(
            owning: own,
            receive: { [weak self] packet in
                guard !place.isNotify else { return }
                self?.update { $0.socketWrote(packet, place) }
            },
            ended: { [weak self] in self?.update { $0.socketEnded(place) } })
        sockets.withLock { $0[place] = socket }
        request.reply([.unixFD(0), .uint16(mtu)], passing: other)
    }

    /// Sets properties, even to values that the object's description does not allow.
    private func setProperties(
        _ values: [String: DBusValue?], _ interface: String, _ path: DBusObjectPath,
        _ connection: DBusConnection?
    ) {
        guard let connection else { return }
        do throws(DBusError) {
            try connection.set(values, of: interface, at: path)
        } catch  where error.kind == .unreachable {
            let signal = DBusSignal(
                DBusProperties.propertiesChanged, of: DBusProperties.interfaceName, at: path,
                [
                    .string(interface), .properties(values.compactMapValues { $0 }),
                    .strings([String]()),
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

    // MARK: - Backpressure

    /// Calls the bus after every ``valuesPerPing`` values. The reply shows that the bus has
    /// received them, as it keeps the order.
    private func countSent(_ connection: DBusConnection) {
        let count = state.run { state in
            state.bus?.sentCount += 1
            return state.bus?.sentCount
        }
        guard let count, count.isMultiple(of: Self.valuesPerPing) else { return }
        let question = DBusCall(
            DBusMessageBus.getID, of: DBusName.bus, at: .bus, on: DBusName.bus)
        connection.call(question, timeout: .seconds(60)) { [weak self] _ in
            self?.delivered(count, connection)
        }
    }

    private func delivered(_ count: Int, _ connection: DBusConnection) {
        state.run { state in
            guard state.bus?.connection === connection else { return }
            state.bus?.deliveredCount = count
        }
    }
}

extension DBusConnection {
    /// The time in which a bus notices the end of a program, at most.
    private static let takeoverTimeout: Duration = .seconds(10)

    /// Requests a free name; `false` if it has an owner. With `succeeds` it retries for a moment,
    /// as the bus may still hold the name for its previous owner.
    nonisolated(nonsending) func takeOver(
        _ name: String, succeeds: Bool
    ) async throws(DBusError) -> Bool {
        let end = ContinuousClock.now + Self.takeoverTimeout
        while try await requestName(name, [.doesNotQueue]) != .owner {
            guard succeeds, ContinuousClock.now < end else { return false }
            try? await Task.sleep(for: .milliseconds(1))
        }
        return true
    }
}
#endif
