internal import HaloProtocol
internal import HaloTransport

/// The heart of a ``HeartRateSensor``: makes its link, makes it again, and hands out what comes.
///
/// Rules:
/// - Nothing is called while the state is locked, the clock neither. What is to be called goes
///   into one queue, which one thread at a time empties, so everything happens in one order.
///   Virtual time does not jump meanwhile.
/// - There is one attempt to connect at a time, and it has a limit; what an earlier attempt or its
///   link still says is ignored.
/// - The first attempt is the only one of its kind: when it fails, everything has ended. Later ones
///   are made as the policy says. A device that has turned out to be none of the kind is not
///   connected to again.
/// - The sensor is subscribed to while a loop wants what it sends. All loops share that.
final class HeartRateSensorCore: Sendable {
    typealias State = HeartRateSensorState

    let identity: PeripheralIdentity
    let time: any TransportTime
    let options: HeartRateSensorOptions
    private let state = Locked(State())
    let openLink:
        @Sendable (Duration, @escaping @Sendable (Result<BLELink, BLEError>) -> Void)
            -> Registration

    init(
        _ identity: PeripheralIdentity, _ transport: some BLETransport,
        _ options: HeartRateSensorOptions
    ) {
        self.identity = identity
        self.options = options
        time = transport.time
        openLink = { timeout, completion in
            transport.submitConnect(to: identity, timeout: timeout, completion)
        }
    }

    /// Changes the state, and then does what has to be done about it.
    @discardableResult
    func update<Result>(_ change: (inout State) -> Result) -> Result {
        state.update(on: time, change)
    }
}

/// What a program asks for.
extension HeartRateSensorCore {
    var link: BLELink? { state.withLock { $0.link } }

    var connectionState: ConnectionState { state.withLock { $0.connectionState } }

    /// The link, if the sensor can be asked.
    func needLink() throws(BLEError) -> BLELink {
        let (link, phase) = state.withLock { ($0.link, $0.phase) }
        if case .connected = phase, let link { return link }
        guard case .ended(let error) = phase else { throw BLEError(.disconnected, .connect) }
        throw BLEError(.disconnected, .connect, reason: error.reason)
    }

    nonisolated(nonsending) func connect(
        within timeout: Duration
    ) async throws(DeviceError) {
        let connected = Promise<Void>(for: .connect, on: time)
        update { state in
            state.connectionWaiters.append(connected)
            begin(0, within: timeout, in: &state)
        }
        try await wait(for: connected)
    }

    nonisolated(nonsending) func waitUntilConnected() async throws(DeviceError) {
        let connected = Promise<Void>(for: .connect, on: time)
        let ended: DeviceError? = update { state in
            switch state.phase {
            case .ended(let error): return error
            case .connected: state.outbox.append { connected.resolve(.success(())) }
            case .idle, .connecting, .waiting: state.connectionWaiters.append(connected)
            }
            return nil
        }
        if let ended { throw ended }
        defer { update { state in state.connectionWaiters.removeAll { $0 === connected } } }
        try await wait(for: connected)
    }

    private nonisolated(nonsending) func wait(
        for promise: Promise<Void>
    ) async throws(DeviceError) {
        do throws(BLEError) {
            try await promise.value()
        } catch {
            throw DeviceError(error)
        }
    }

    func disconnect() {
        update { state in
            state.end(
                DeviceError(.disconnected, reason: DisconnectReason(.local)), isWanted: true)
        }
    }

    nonisolated(nonsending) func disconnectAndWait() async {
        let link = link
        disconnect()
        await link?.disconnect()
    }

    func listenToStates() -> Mailbox<ConnectionState> {
        let mailbox = Mailbox<ConnectionState>(limit: options.bufferLimit, .listens, time)
        update { state in
            let now = state.connectionState
            state.outbox.append { mailbox.send(now) }
            if case .ended = state.phase {
                state.outbox.append { mailbox.finish(.success(())) }
            } else {
                state.stateListeners.append(mailbox)
            }
        }
        return mailbox
    }

    func listenToMeasurements() -> Mailbox<HeartRateReport> {
        let mailbox = Mailbox<HeartRateReport>(limit: options.bufferLimit, .waits, time)
        update { state in
            if let end = state.endForNewListener {
                state.outbox.append { mailbox.finish(end) }
            } else {
                state.measurementListeners.append(mailbox)
                subscribeIfWanted(.measurement, in: &state)
            }
        }
        return mailbox
    }

    func listenToBattery() -> Mailbox<BatteryLevel> {
        let mailbox = Mailbox<BatteryLevel>(limit: options.bufferLimit, .listens, time)
        update { state in
            if let end = state.endForNewListener {
                state.outbox.append { mailbox.finish(end) }
            } else {
                state.batteryListeners.append(mailbox)
                subscribeIfWanted(.battery, in: &state)
            }
        }
        return mailbox
    }

    func endListening(toStates mailbox: Mailbox<ConnectionState>) {
        update { state in state.stateListeners.removeAll { $0 === mailbox } }
    }

    func endListening(toMeasurements mailbox: Mailbox<HeartRateReport>) {
        update { state in
            state.measurementListeners.removeAll { $0 === mailbox }
            if state.measurementListeners.isEmpty { state.unsubscribe(.measurement) }
        }
    }

    func endListening(toBattery mailbox: Mailbox<BatteryLevel>) {
        update { state in
            state.batteryListeners.removeAll { $0 === mailbox }
            if state.batteryListeners.isEmpty { state.unsubscribe(.battery) }
        }
    }
}

extension HeartRateSensorState {
    /// How a loop ends that begins when everything is over.
    fileprivate var endForNewListener: Result<Void, DeviceError>? {
        guard case .ended(let error) = phase else { return nil }
        return error.reason?.kind == .local ? .success(()) : .failure(error)
    }
}
