#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

/// A hosted device: the app's handle and the session's callbacks.
///
/// The session and this object hold each other until the end, so that the app need not hold it.
final class BlueZHost: HostControl, HostClient {
    private struct State {
        var peripheral: (any PeripheralHosting)?
        var startPeripheral: (@Sendable () -> Void)?
        var identity: PeripheralIdentity?
        var waiters: [UInt64: Promise<BLEError?, Never>] = [:]
        /// The callers that wait in ``remove()``, even after their task is cancelled.
        var removers: [@Sendable () -> Void] = []
        var lastWaiter: UInt64 = 0
        var hasEnded = false
        var error: BLEError?
    }

    private let state = Locked(State())
    private let hub: BlueZHub
    private let number: UInt64
    private let isReady: Promise<Void, BLEError>

    init(on hub: BlueZHub) {
        self.hub = hub
        number = hub.update { $0.nextNumber() }
        isReady = Promise(for: .host, on: hub.time)
    }

    func start<Device: GATTPeripheral>(
        _ peripheral: PeripheralHost<Device>, _ options: HostingOptions
    ) async throws(BLEError) {
        state.withLock { state in
            state.peripheral = peripheral
            state.startPeripheral = { peripheral.start() }
        }
        let machine = HostMachine(
            at: HostedApplication.nextRoot(), renamesAdapter: options.renamesAdapter,
            powersOn: hub.options.powersOn)
        hub.update { $0.host(number, machine, self) }
        do throws(BLEError) { try await isReady.value() } catch {
            // Cancellation also ends here: the device is removed in the background.
            update(.remove)
            throw error
        }
    }

    func perform(_ effect: PeripheralEffect) {
        guard effect == .servicesChanged else { return update(.effect(effect)) }
        update(.services(state.withLock { $0.peripheral }?.services ?? []))
    }

    private func update(_ input: HostInput) { hub.update { $0.updateHost(number, input) } }

    // MARK: For the app

    var identity: PeripheralIdentity? { state.withLock { $0.identity } }

    var isConnected: Bool { hub.read { $0.hosts[number]?.machine.isConnected == true } }

    /// Removes the device. A cancelled task waits, too, as programs end in that way; the calls have
    /// short timeouts.
    func remove() async {
        update(.remove)
        await withUnsafeContinuation { (done: UnsafeContinuation<Void, Never>) in
            let hasEnded = state.withLock { state in
                if !state.hasEnded { state.removers.append { done.resume() } }
                return state.hasEnded
            }
            if hasEnded { done.resume() }
        }
    }

    func waitUntilEnded() async -> BLEError? {
        let promise = Promise<BLEError?, Never>(cancelled: .success(nil), on: hub.time)
        let (number, hasEnded, error) = state.withLock { state in
            state.lastWaiter &+= 1
            if !state.hasEnded { state.waiters[state.lastWaiter] = promise }
            return (state.lastWaiter, state.hasEnded, state.error)
        }
        if hasEnded { promise.resolve(.success(error)) }
        defer { state.withLock { _ = $0.waiters.removeValue(forKey: number) } }
        return await promise.value()
    }

    // MARK: For the session

    func start() {
        let (peripheral, startPeripheral) = state.withLock { state in
            defer { state.startPeripheral = nil }
            return (state.peripheral, state.startPeripheral)
        }
        startPeripheral?()
        // After the device's first effects: a beacon is not ready before it advertises.
        hub.time.loop.later { [self] in update(.started(peripheral?.services ?? [])) }
    }

    func deliver(_ event: PeripheralEvent) { state.withLock { $0.peripheral }?.handle(event) }

    func ready() {
        let address = hub.read { $0.hosts[number]?.machine.address }
        state.withLock { $0.identity = address.map { PeripheralIdentity($0) } }
        isReady.resolve(.success(()))
    }

    /// Resumes all waiting callers, and releases everything.
    func ended(_ error: BLEError?) {
        let old = state.withLock { state in
            defer { state = State(identity: state.identity, hasEnded: true, error: error) }
            return state
        }
        old.peripheral?.stop()
        isReady.resolve(.failure(error ?? BLEError(.cancelled, .host)))
        for waiter in old.waiters.values { waiter.resolve(.success(error)) }
        for remover in old.removers { remover() }
    }
}

extension BlueZHub {
    /// Hosts a device on the adapter in use.
    func host<Device: GATTPeripheral>(
        _ device: Device, _ options: HostingOptions
    ) async throws(BLEError) -> Hosted<Device> {
        let host = BlueZHost(on: self)
        let peripheral = PeripheralHost(device, on: time) { [weak host] in host?.perform($0) }
        try await host.start(peripheral, options)
        return Hosted(peripheral, host)
    }

    /// Sends a message for a hosted device. A value that the bus does not accept is lost, as it
    /// would be on the air.
    func send(_ message: HostMessage) {
        switch message {
        case .export(let object, let number):
            try? connection()?.export(object.object, at: object.path) { [weak self] request in
                self?.update { $0.asked(request, of: number) }
            }
        case .unexport(let path): connection()?.unexport(path)
        case .value(let value, let path):
            try? connection()?.set(
                [GattCharacteristic1.value: .bytes(value)],
                of: GattCharacteristic1.interfaceName, at: path)
        case .reply(let values, let request): request.reply(values)
        case .refuse(let refusal, let request): request.refuse(refusal)
        }
    }
}
#endif
