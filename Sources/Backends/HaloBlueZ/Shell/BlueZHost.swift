#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

/// A hosted device: the app's handle, and the device's objects on the bus.
///
/// The session and this object hold each other until the end, so that the app need not hold it.
final class BlueZHost: HostControl {
    private struct State {
        var peripheral: (any PeripheralHosting)?
        var identity: PeripheralIdentity?
        var requests: [UInt64: DBusRequest] = [:]
        var waiters: [UInt64: @Sendable (BLEError?) -> Void] = [:]
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

    func start(
        _ peripheral: any PeripheralHosting, _ options: HostingOptions
    ) async throws(BLEError) {
        state.withLock { $0.peripheral = peripheral }
        let machine = HostMachine(
            at: HostedApplication.nextRoot(), renamesAdapter: options.renamesAdapter,
            powersOn: hub.options.powersOn)
        hub.update { $0.host(number, machine) { [self] effect in perform(effect) } }
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
        await withUnsafeContinuation { done in _ = whenEnded { _ in done.resume() } }
    }

    func waitUntilEnded() async -> BLEError? {
        let promise = Promise<BLEError?, Never>(cancelled: .success(nil), on: hub.time)
        let number = whenEnded { promise.resolve(.success($0)) }
        defer { state.withLock { _ = $0.waiters.removeValue(forKey: number) } }
        return await promise.value()
    }

    /// Calls a function at the end, or at once after it.
    private func whenEnded(_ body: @escaping @Sendable (BLEError?) -> Void) -> UInt64 {
        let (number, hasEnded, error) = state.withLock { state in
            state.lastWaiter &+= 1
            if !state.hasEnded { state.waiters[state.lastWaiter] = body }
            return (state.lastWaiter, state.hasEnded, state.error)
        }
        if hasEnded { body(error) }
        return number
    }

    // MARK: For the session

    /// Performs an effect of the device's machine. A value that the bus does not accept is lost, as
    /// it would be on the air.
    private func perform(_ effect: HostEffect) {
        switch effect {
        case .export(let object):
            try? hub.connection()?.export(object.object, at: object.path) { [weak self] request in
                self?.receive(request)
            }
        case .unexport(let path): hub.connection()?.unexport(path)
        case .value(let value, let path):
            try? hub.connection()?.set(
                [GattCharacteristic1.value: .bytes(value)],
                of: GattCharacteristic1.interfaceName, at: path)
        case .reply(let values, let request): takeRequest(request)?.reply(values)
        case .refuse(let refusal, let request): takeRequest(request)?.refuse(refusal)
        case .start: start()
        case .deliver(let event): state.withLock { $0.peripheral }?.handle(event)
        case .ready: ready()
        case .ended(let error): end(error)
        case .reportFault(let text): LocalSystem.reportFault(text)
        // The session's own.
        case .ask: break
        }
    }

    private func receive(_ request: DBusRequest) {
        let asked = hub.update { $0.hosts[number] == nil ? nil : $0.nextNumber() }
        guard let asked else { return request.refuse(DeviceRefusal.refusal(.unlikely)) }
        state.withLock { $0.requests[asked] = request }
        update(
            .request(
                HostedRequest(
                    number: asked, path: request.path, interface: request.interface,
                    member: request.member, arguments: request.arguments, sender: request.sender)))
    }

    private func takeRequest(_ number: UInt64) -> DBusRequest? {
        state.withLock { $0.requests.removeValue(forKey: number) }
    }

    private func start() {
        let peripheral = state.withLock { $0.peripheral }
        peripheral?.handle(.started(hub.time.wallClock()))
        // After the device's first effects: a beacon is not ready before it advertises.
        hub.time.loop.later { [self] in update(.started(peripheral?.services ?? [])) }
    }

    private func ready() {
        let address = hub.read { $0.hosts[number]?.machine.address }
        state.withLock { $0.identity = address.map { PeripheralIdentity($0) } }
        isReady.resolve(.success(()))
    }

    private func end(_ error: BLEError?) {
        let old = state.withLock { state in
            defer { state = State(identity: state.identity, hasEnded: true, error: error) }
            return state
        }
        old.peripheral?.stop()
        isReady.resolve(.failure(error ?? BLEError(.cancelled, .host)))
        for (_, waiter) in old.waiters.sortedByKey { waiter(error) }
    }
}

extension BlueZHub {
    func host<Device: GATTPeripheral>(
        _ device: Device, _ options: HostingOptions
    ) async throws(BLEError) -> Hosted<Device> {
        let host = BlueZHost(on: self)
        let peripheral = PeripheralHost(device, on: time) { [weak host] in host?.perform($0) }
        try await host.start(peripheral, options)
        return Hosted(peripheral, host)
    }
}
#endif
