#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// A hosted device, for those who hold it, and for the session in which its life is.
///
/// While it goes on, the session holds it, and it holds the session: nobody else has to.
final class BlueZHost: HostControl, HostClient {
    private struct State {
        var peripheral: (any PeripheralHosting)?
        var bringToLife: (@Sendable () -> Void)?
        var identity: PeripheralIdentity?
        var waiters: [UInt64: Promise<BLEError?>] = [:]
        /// Who waits for the end whatever happens to the task.
        var removers: [@Sendable () -> Void] = []
        var lastWaiter: UInt64 = 0
        var isOver = false
        var error: BLEError?
    }

    private let state = Locked(State())
    private let hub: BlueZHub
    private let number: UInt64
    private let isReady: Promise<Void>

    init(on hub: BlueZHub) {
        self.hub = hub
        number = hub.update { $0.nextNumber() }
        isReady = Promise(for: .host, on: hub.time)
    }

    func begin<Device: GATTPeripheral>(
        _ peripheral: PeripheralHost<Device>, _ options: HostingOptions
    ) async throws(BLEError) {
        state.withLock { state in
            state.peripheral = peripheral
            state.bringToLife = { peripheral.start() }
        }
        let machine = HostMachine(
            at: HostedApplication.nextRoot(), renamesAdapter: options.renamesAdapter,
            powersOn: hub.options.powersOn)
        hub.update { $0.host(number, machine, self) }
        do throws(BLEError) { try await isReady.value() } catch {
            // Also when the task was cancelled: then the device goes while nobody waits.
            tell(.remove)
            throw error
        }
    }

    func carryOut(_ effect: PeripheralEffect) {
        guard effect == .servicesChanged else { return tell(.did(effect)) }
        tell(.consists(state.withLock { $0.peripheral }?.services ?? []))
    }

    private func tell(_ input: HostInput) { hub.update { $0.tellHost(number, input) } }

    // MARK: For those who hold it

    var identity: PeripheralIdentity? { state.withLock { $0.identity } }

    var isConnected: Bool { hub.read { $0.hosts[number]?.machine.isConnected == true } }

    /// Also a task that was cancelled waits for it, for that is when programs end: what the
    /// daemon is asked has short deadlines.
    func remove() async {
        tell(.remove)
        await withUnsafeContinuation { (done: UnsafeContinuation<Void, Never>) in
            let isOver = state.withLock { state in
                if !state.isOver { state.removers.append { done.resume() } }
                return state.isOver
            }
            if isOver { done.resume() }
        }
    }

    func ended() async -> BLEError? {
        let promise = Promise<BLEError?>(for: .host, on: hub.time)
        let (number, isOver, error) = state.withLock { state in
            state.lastWaiter &+= 1
            if !state.isOver { state.waiters[state.lastWaiter] = promise }
            return (state.lastWaiter, state.isOver, state.error)
        }
        if isOver { promise.resolve(.success(error)) }
        defer { state.withLock { _ = $0.waiters.removeValue(forKey: number) } }
        return (try? await promise.value()) ?? nil
    }

    // MARK: For the session

    func start() {
        let (peripheral, bringToLife) = state.withLock { state in
            defer { state.bringToLife = nil }
            return (state.peripheral, state.bringToLife)
        }
        bringToLife?()
        tell(.started(peripheral?.services ?? []))
    }

    func tell(_ event: PeripheralEvent) { state.withLock { $0.peripheral }?.handle(event) }

    func ready() {
        let address = hub.read { $0.hosts[number]?.machine.address }
        state.withLock { $0.identity = address.map { PeripheralIdentity($0) } }
        isReady.resolve(.success(()))
    }

    /// Lets everybody know that it is over, and lets go of everything.
    func ended(_ error: BLEError?) {
        let old = state.withLock { state in
            defer { state = State(identity: state.identity, isOver: true, error: error) }
            return state
        }
        old.peripheral?.stop()
        isReady.resolve(.failure(error ?? BLEError(.cancelled, .host)))
        for waiter in old.waiters.values { waiter.resolve(.success(error)) }
        for remover in old.removers { remover() }
    }
}

extension BlueZHub {
    /// Hosts a device, on the adapter that is used.
    func host<Device: GATTPeripheral>(
        _ device: Device, _ options: HostingOptions
    ) async throws(BLEError) -> Hosted<Device> {
        let host = BlueZHost(on: self)
        let peripheral = PeripheralHost(device, on: time) { [weak host] in host?.carryOut($0) }
        try await host.begin(peripheral, options)
        return Hosted(peripheral, host)
    }

    /// Says something for a hosted device. What the bus does not take is lost, as on the air.
    func send(_ message: HostMessage) {
        switch message {
        case .export(let object, let number):
            let bus = read(\.daemon.connection)
            try? connection()?.export(object.object, at: object.path) { [weak self] request in
                self?.update(from: bus) { $0.asked(request, of: number) }
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
