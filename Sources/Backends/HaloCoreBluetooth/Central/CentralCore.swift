#if canImport(CoreBluetooth)
internal import CoreBluetooth
internal import Foundation
internal import HaloProtocol
internal import HaloTransport

/// The central of an app: the delegate of the system's manager, with all attempts, links and scans.
///
/// - **Peripherals are retained** from before the attempt until after the end: the system drops a
///   link when the last reference to its peripheral is dropped.
/// - **Before the state is known**, scans and attempts wait. While Bluetooth is off, they fail. If
///   the first state is "off", it counts after two seconds.
/// - **When Bluetooth goes off**, the system ends links and attempts without a call, and ignores
///   further calls. So they end here.
/// - **Failures have many forms.** An attempt fails by a failure, by the end of a link that never
///   was, or by a link that ends at once.
final class CentralCore: NSObject, CBCentralManagerDelegate, LinkOwner {
    struct Attempt: Sendable {
        let number: UInt64
        let identity: PeripheralIdentity
        let events: @Sendable (LinkEvent) -> Void
        let completion: BLECompletion<any LinkDriver>

        func fail(_ error: BLEError) { completion(.failure(error)) }

        func fail(_ kind: BLEError.Kind) { fail(BLEError(kind, .connect)) }
    }

    private enum Phase {
        case connecting(Attempt)
        case open(PeripheralLink)
        case closing(PeripheralLink, DisconnectReason)
        case ending(number: UInt64?)

        /// The number of the attempt that has begun the phase; `nil` for a link without one.
        var number: UInt64? {
            switch self {
            case .connecting(let attempt): attempt.number
            case .open(let link), .closing(let link, _): link.number
            case .ending(let number): number
            }
        }
    }

    private struct Device {
        let peripheral: CBPeripheral
        var phase: Phase
        /// The attempt that waits for the end of a link, or of an earlier attempt.
        var next: Attempt?
    }

    /// The time in which the system confirms the end of a link.
    static let endLimit = Duration.seconds(5)
    /// The maximum number of attempts, and of calls, that wait for the state of Bluetooth.
    static let maximumWaiting = 256
    /// The time in which "off", as some systems report it at first, is not final.
    static let settlingTime = Duration.seconds(2)

    /// The core's queue; set before anything else happens.
    weak var home: Confined<CentralCore>?
    private let board: Guarded<AdapterBoard>
    private var manager: CBCentralManager?
    private var devices: [UUID: Device] = [:]
    private var waiting: [Attempt] = []
    private var scans = ScanTable()
    private var heard = PeripheralTable()
    private var restored: [UUID: CBPeripheral] = [:]
    private var whenKnown: [@Sendable (CentralCore) -> Void] = []
    /// The devices whose end the system has not confirmed in time.
    private var overdue: Set<UUID> = []
    /// `true` once the system has reported a state.
    private var hasSettled = false

    init(_ board: Guarded<AdapterBoard>) {
        self.board = board
        super.init()
    }

    /// Receives the manager, which was made on the thread of the app.
    func use(_ manager: CBCentralManager) { self.manager = manager }

    private var state: AdapterState { board.withLock { $0.state } }

    // MARK: The state of Bluetooth

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        manager = central
        let (before, state) = (self.state, AdapterState(central.state))
        if !hasSettled {
            hasSettled = true
            if state == .poweredOff {
                home?.run(after: Self.settlingTime) { core in
                    if let manager = core.manager { core.centralManagerDidUpdateState(manager) }
                }
                return
            }
        }
        let observers = board.withLock { $0.change(to: state) }
        if before == .poweredOn, state != .poweredOn { endAll(state) }
        // Objects of before the system's Bluetooth service started again are invalid.
        if [.resetting, .unsupported, .unauthorized].contains(central.state) {
            heard.removeAll()
            restored = [:]
        }
        for observer in observers { observer(state) }
        guard state != .unknown else { return }
        let (actions, attempts) = (whenKnown, waiting)
        (whenKnown, waiting) = ([], [])
        for action in actions { action(self) }
        for attempt in attempts { open(attempt) }
        if let kind = state.failure { scans.endAll(BLEError(kind, .scan)) }
        scans.update(manager, state)
    }

    private func endAll(_ state: AdapterState) {
        let kind = state.failure ?? .backend
        let reason = DisconnectReason(state == .poweredOff ? .adapterGone : .backendGone)
        restored = [:]
        let ended = devices.sorted { $0.key.uuidString < $1.key.uuidString }.map(\.value)
        devices = [:]
        overdue = []
        for device in ended {
            switch device.phase {
            case .connecting(let attempt): attempt.fail(kind)
            case .open(let link), .closing(let link, _): link.end(reason)
            case .ending: break
            }
            device.next?.fail(kind)
        }
        scans.endAll(BLEError(kind, .scan))
    }

    /// Calls a function as soon as the state of Bluetooth is known, or at once if too many wait.
    func whenKnown(_ body: @escaping @Sendable (CentralCore) -> Void) {
        guard state == .unknown, whenKnown.count < Self.maximumWaiting else { return body(self) }
        whenKnown.append(body)
    }

    // MARK: Scanning

    func scan(_ number: UInt64, _ filter: ScanFilter, _ report: @escaping BLECompletion<Discovery>)
    {
        if let kind = state.failure { return report(.failure(BLEError(kind, .scan))) }
        scans.add(number, filter, report)
        scans.update(manager, state)
    }

    func endScan(_ number: UInt64) {
        scans.remove(number)
        scans.update(manager, state)
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any], rssi RSSI: NSNumber
    ) {
        heard.insert(peripheral)
        scans.report(Discovery(peripheral, advertisementData, rssi: RSSI))
    }

    func retrieveConnected(
        _ services: [BluetoothUUID], _ completion: BLECompletion<[Discovery]>
    ) {
        guard state == .poweredOn, let manager else {
            return completion(.failure(BLEError(state.failure ?? .cancelled, .scan)))
        }
        var found: [Discovery] = []
        // The system does not tell which of the services a device has.
        for service in services {
            let peripherals = manager.retrieveConnectedPeripherals(withServices: [service.system])
            for peripheral in peripherals where devices[peripheral.identifier] == nil {
                heard.insert(peripheral)
                let identity = PeripheralIdentity(peripheral)
                if let index = found.firstIndex(where: { $0.identity == identity }) {
                    found[index].services.append(service)
                } else {
                    found.append(
                        Discovery(identity, name: peripheral.name, services: [service]))
                }
            }
        }
        completion(.success(found))
    }

    // MARK: Restoration

    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
        let peripherals = dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral]
        for peripheral in peripherals ?? [] { restored[peripheral.identifier] = peripheral }
    }

    var restoredIdentities: [PeripheralIdentity] {
        restored.values.map { PeripheralIdentity($0) }.sorted { $0.rawValue < $1.rawValue }
    }

    func release(_ identity: PeripheralIdentity) {
        guard let identifier = identity.system,
            let peripheral = restored.removeValue(forKey: identifier), state == .poweredOn
        else { return }
        end(peripheral)
    }

    /// Ends a link, or an attempt, that no attempt of the app waits for.
    private func end(_ peripheral: CBPeripheral) {
        devices[peripheral.identifier] = Device(
            peripheral: peripheral, phase: .ending(number: nil))
        cancel(peripheral.identifier)
    }

    // MARK: Attempts

    /// Connects to a device, now or when the state of Bluetooth is known.
    func open(_ attempt: Attempt) {
        guard let identifier = attempt.identity.system else { return attempt.fail(.notFound) }
        if let kind = state.failure { return attempt.fail(kind) }
        guard state == .poweredOn else {
            guard waiting.count < Self.maximumWaiting else { return attempt.fail(.overloaded) }
            waiting.append(attempt)
            return
        }
        guard let device = devices[identifier] else { return connect(attempt, identifier) }
        switch device.phase {
        case .ending where device.next == nil, .closing where device.next == nil:
            devices[identifier]?.next = attempt
        case .connecting, .open, .closing, .ending: attempt.fail(.alreadyConnected)
        }
    }

    private func connect(_ attempt: Attempt, _ identifier: UUID) {
        let known =
            restored.removeValue(forKey: identifier)
            ?? manager?.retrievePeripherals(withIdentifiers: [identifier]).first
            ?? heard[identifier]
        guard let manager, let known else { return attempt.fail(.notFound) }
        devices[identifier] = Device(peripheral: known, phase: .connecting(attempt))
        manager.connect(known, options: nil)
    }

    func cancelAttempt(_ number: UInt64) {
        if let index = waiting.firstIndex(where: { $0.number == number }) {
            return waiting.remove(at: index).fail(.cancelled)
        }
        for (identifier, device) in devices {
            if case .connecting(let attempt) = device.phase, attempt.number == number {
                devices[identifier]?.phase = .ending(number: number)
                cancel(identifier)
                return attempt.fail(.cancelled)
            }
            if let next = device.next, next.number == number {
                devices[identifier]?.next = nil
                return next.fail(.cancelled)
            }
        }
    }

    /// Asks the system to end a link or an attempt, and waits for its end.
    private func cancel(_ identifier: UUID) {
        guard let manager, let device = devices[identifier] else { return }
        let number = device.phase.number
        manager.cancelPeripheralConnection(device.peripheral)
        home?.run(after: Self.endLimit) { $0.endIsOverdue(identifier, number) }
    }

    private func endIsOverdue(_ identifier: UUID, _ number: UInt64?) {
        guard let device = devices[identifier], device.phase.number == number else { return }
        overdue.insert(identifier)
        ended(identifier, nil)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        let identifier = peripheral.identifier
        switch devices[identifier]?.phase {
        case .connecting(let attempt):
            let link = PeripheralLink(
                attempt.number, peripheral, owner: self, events: attempt.events)
            devices[identifier] = Device(peripheral: peripheral, phase: .open(link))
            peripheral.delegate = link
            attempt.completion(.success(driver(attempt, link)))
        // An end that was requested comes after it.
        case .open, .closing, .ending: break
        case nil where restored[identifier] != nil: break
        case nil: end(peripheral)
        }
    }

    private func driver(_ attempt: Attempt, _ link: PeripheralLink) -> CoreBluetoothLink {
        let number = attempt.number
        return CoreBluetoothLink(attempt.identity, lengths: link.lengths) { [home] action in
            home?.run { $0.perform(action, number) }
        }
    }

    func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        switch devices[peripheral.identifier]?.phase {
        case .connecting, .ending: ended(peripheral.identifier, error)
        case .open, .closing, nil: break
        }
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        let identifier = peripheral.identifier
        restored[identifier] = nil
        // The end of an earlier link, after its time: the next attempt, or its link, goes on.
        if overdue.remove(identifier) != nil,
            [.connecting, .connected].contains(peripheral.state)
        {
            return
        }
        ended(identifier, error)
    }

    private func ended(_ identifier: UUID, _ error: (any Error)?) {
        guard let device = devices.removeValue(forKey: identifier) else { return }
        switch device.phase {
        case .connecting(let attempt):
            let unknown = BLEError(
                .disconnected, .connect, disconnectReason: DisconnectReason(.remote))
            attempt.fail(error.map { SystemError($0).connectError } ?? unknown)
        case .open(let link): link.end(link.reason(error))
        case .closing(let link, let reason): link.end(reason)
        case .ending: break
        }
        if let next = device.next { open(next) }
    }

    // MARK: Links

    private func perform(_ action: CoreBluetoothLink.Action, _ number: UInt64) {
        guard let link = link(number) else {
            if case .request(let request) = action {
                request.fail(
                    BLEError(
                        .disconnected, request.operation, disconnectReason: DisconnectReason(.local)
                    ))
            }
            return
        }
        switch action {
        case .request(let request): link.request(request)
        case .disconnect: close(link, DisconnectReason(.local))
        case .drop:
            let identifier = link.peripheral.identifier
            devices[identifier]?.phase = .ending(number: number)
            link.end(DisconnectReason(.local))
            cancel(identifier)
        }
    }

    private func link(_ number: UInt64) -> PeripheralLink? {
        for device in devices.values {
            switch device.phase {
            case .open(let link), .closing(let link, _):
                if link.number == number { return link }
            case .connecting, .ending: break
            }
        }
        return nil
    }

    func close(_ link: PeripheralLink, _ reason: DisconnectReason) {
        let identifier = link.peripheral.identifier
        guard case .open(link) = devices[identifier]?.phase else { return }
        devices[identifier]?.phase = .closing(link, reason)
        cancel(identifier)
    }

    func poll(_ link: PeripheralLink, after delay: Duration) {
        let number = link.number
        home?.run(after: delay) { $0.link(number)?.poll() }
    }

    /// Ends everything but the links: the transport is gone.
    func abandon() {
        scans.endAll(BLEError(.cancelled, .scan))
        scans.update(manager, state)
        let actions = whenKnown
        whenKnown = []
        for action in actions { action(self) }
        let attempts =
            waiting.map(\.number)
            + devices.values.compactMap { device in
                if case .connecting(let attempt) = device.phase { return attempt.number }
                return device.next?.number
            }
        for number in attempts { cancelAttempt(number) }
    }
}
#endif
