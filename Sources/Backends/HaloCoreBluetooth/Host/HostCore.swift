#if canImport(CoreBluetooth) && !os(tvOS) && !os(watchOS) && !os(visionOS)
internal import CoreBluetooth
internal import Foundation
internal import HaloProtocol
internal import HaloTransport

/// A hosted device on the air: the delegate of the system's peripheral manager.
///
/// - **The central** is the one that makes the first request or subscription: the system does not
///   report connections. It is gone when it has ended its last subscription, and without one when
///   it has made no request for 30 s, or when another central makes one. While it is subscribed,
///   requests of others are refused.
/// - **Advertising** pauses while a central is subscribed: only that ends for certain.
/// - **Values** wait in order while the system's queue is full, at most 4096.
/// - **Indications** count as confirmed when the system has accepted them.
/// - **Requests** are responded to once: by the device, or with `unlikely` after 25 s. After 30 s
///   the central would end the link.
/// - **Closing the link** is not possible for an app. If the device closes it, the device receives
///   `disconnected`, and the next request counts as a new connection.
final class HostCore: NSObject, CBPeripheralManagerDelegate {
    private enum Phase {
        case waiting
        case describing(
            missing: Set<AttributeID>, values: [AttributeID: [UInt8]],
            since: ContinuousClock.Instant)
        case adding(CBMutableService, since: ContinuousClock.Instant)
        case serving
        case ended
    }

    private struct Central {
        /// The object of the last request: the system may make a new one for each link.
        var central: CBCentral
        var maximumLength: Int?
        var subscriptions: Set<AttributeID> = []
        var lastRequest = ContinuousClock.now
    }

    /// The time in which the device provides the values of its descriptors.
    static let describingLimit = Duration.seconds(2)
    /// The time in which the system publishes a service, or refuses it.
    static let addingLimit = Duration.seconds(5)
    /// The time after which a central without a subscription counts as gone.
    static let idleLimit = Duration.seconds(30)
    /// The time in which the device responds to a request.
    static let responseLimit = Duration.seconds(25)
    /// The time between two checks of what is overdue.
    static let interval = Duration.seconds(1)
    /// The time after which values are sent again, if the system had no room for them.
    static let retryInterval = Duration.milliseconds(50)
    static let maximumValues = 4096
    static let longestValue = 512

    weak var home: Confined<HostCore>?
    private var manager: CBPeripheralManager?
    private let peripheral: any PeripheralHosting
    private let start: @Sendable () -> Void
    private let handle: HostHandle
    private var ready: BLECompletion<Void>?
    private let whenEnded: @Sendable () -> Void
    private var phase = Phase.waiting
    private var database = HostedDatabase([], values: [:])
    private var wanted: SystemAdvertisement?
    private var central: Central?
    private var requests = HostRequests()
    private var values: [(AttributeID, [UInt8], isIndication: Bool)] = []
    private var hasStarted = false
    private var isSending = false
    private var isRetrying = false
    /// `true` once the system has reported a state.
    private var hasSettled = false

    init(
        _ peripheral: any PeripheralHosting, start: @escaping @Sendable () -> Void,
        handle: HostHandle, ready: @escaping BLECompletion<Void>,
        whenEnded: @escaping @Sendable () -> Void
    ) {
        self.peripheral = peripheral
        self.start = start
        self.handle = handle
        self.ready = ready
        self.whenEnded = whenEnded
        super.init()
    }

    /// Receives the manager, which was made on the thread of the app.
    func use(_ manager: CBPeripheralManager) {
        self.manager = manager
        poll()
    }

    // MARK: The state of Bluetooth

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        if case .ended = phase { return }
        manager = peripheral
        let state = AdapterState(peripheral.state)
        let isFirst = !hasSettled
        hasSettled = true
        switch state {
        case .poweredOn: publish()
        case .poweredOff where isFirst:
            home?.run(after: CentralCore.settlingTime) { core in
                if let manager = core.manager { core.peripheralManagerDidUpdateState(manager) }
            }
        case .poweredOff where ready != nil: end(BLEError(.bluetoothOff, .host))
        case .poweredOff, .unknown: pause()
        case .unsupported, .unauthorized: end(BLEError(state.failure ?? .backend, .host))
        }
    }

    private func pause() {
        phase = .waiting
        requests.removeAll(olderThan: .zero)
        forgetCentral()
    }

    /// Ends the hosting, with an error or because the app has removed the device.
    func end(_ error: BLEError?) {
        if case .ended = phase { return }
        phase = .ended
        for request in requests.removeAll(olderThan: .zero) { respond(to: request, [], .unlikely) }
        peripheral.stop()
        if let manager, manager.state == .poweredOn {
            manager.stopAdvertising()
            manager.removeAllServices()
        }
        // The app may host again as soon as it learns of the end.
        handle.end(error)
        whenEnded()
        ready?(.failure(error ?? BLEError(.cancelled, .host)))
    }

    // MARK: Publishing

    /// Publishes the services from the beginning. Whatever was published before is removed, because
    /// systems differ in what they keep while Bluetooth is off.
    private func publish() {
        guard let manager, manager.state == .poweredOn else { return }
        manager.stopAdvertising()
        manager.removeAllServices()
        values = []
        // Subscriptions end with the services; a central subscribes again.
        let ended = central?.subscriptions.sorted { $0.rawValue < $1.rawValue } ?? []
        central?.subscriptions = []
        for id in ended { peripheral.handle(.subscription(id, isOn: false)) }
        if !hasStarted {
            hasStarted = true
            start()
        }
        let missing = HostedDatabase.descriptors(of: peripheral.services).map(\.id)
        phase = .describing(missing: Set(missing), values: [:], since: .now)
        for id in missing {
            let token = requests.add(.descriptor(id))
            peripheral.handle(.read(id, offset: 0, token: token))
        }
        if missing.isEmpty { add() }
    }

    private func described(_ id: AttributeID, _ value: [UInt8]?) {
        guard case .describing(var missing, var values, let since) = phase,
            missing.remove(id) != nil
        else { return }
        values[id] = value
        phase = .describing(missing: missing, values: values, since: since)
        if missing.isEmpty { add() }
    }

    private func add() {
        guard case .describing(_, let values, _) = phase else { return }
        database = HostedDatabase(peripheral.services, values: values)
        for note in database.notes { handle.note(note) }
        addNext()
    }

    private func addNext() {
        guard let manager else { return }
        if let service = database.nextService() {
            phase = .adding(service, since: .now)
            return manager.add(service)
        }
        phase = .serving
        advertise()
        ready?(.success(()))
        ready = nil
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?
    ) {
        // A service of an earlier publication may be confirmed late.
        guard case .adding(let expected, _) = phase, expected === service else { return }
        added(service, error.map { SystemError($0).details })
    }

    private func added(_ service: CBService, _ error: String?) {
        if let error {
            handle.note(
                HostingNote(
                    .service, uuid: BluetoothUUID(service.uuid),
                    "the system does not publish it: \(error)"))
        }
        addNext()
    }

    /// Advertises as the device wants it, unless there is a central.
    private func advertise() {
        guard let manager, manager.state == .poweredOn, case .serving = phase else { return }
        // The system keeps an advertisement that is under way, or about to begin.
        manager.stopAdvertising()
        guard central?.subscriptions.isEmpty != false, let wanted, !wanted.isEmpty else { return }
        manager.startAdvertising(wanted.dictionary)
    }

    func peripheralManagerDidStartAdvertising(
        _ peripheral: CBPeripheralManager, error: (any Error)?
    ) {
        guard let error else { return }
        handle.note(HostingNote(.advertisement, SystemError(error).details))
    }

    // MARK: The device's effects

    func perform(_ effect: PeripheralEffect) {
        if case .ended = phase { return }
        switch effect {
        case .value(let value, let token): respond(token, value, nil)
        case .done(let token): respond(token, [], nil)
        case .refuse(let error, let token): respond(token, [], error)
        case .notify(let id, let value): send(id, value, isIndication: false)
        case .indicate(let id, let value): send(id, value, isIndication: true)
        case .disconnect:
            handle.note(HostingNote(.link, "the system does not let an app close a link"))
            forgetCentral()
            advertise()
        case .advertise(let advertisement):
            wanted = advertisement.map { SystemAdvertisement($0) }
            for note in wanted?.notes ?? [] { handle.note(note) }
            advertise()
        case .servicesChanged:
            switch phase {
            case .adding, .serving, .describing: publish()
            case .waiting, .ended: break
            }
        case .requestParameters(let parameters):
            guard let manager, let central else { return }
            manager.setDesiredConnectionLatency(Self.latency(parameters), for: central.central)
        case .wake: break
        }
    }

    private static func latency(
        _ parameters: LinkParameters
    ) -> CBPeripheralManagerConnectionLatency {
        switch parameters.interval {
        case ..<Duration.milliseconds(30): .low
        case ..<Duration.milliseconds(100): .medium
        default: .high
        }
    }

    // MARK: Requests

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest
    ) {
        guard let id = admit(request) else { return }
        let token = requests.add(.read(request))
        self.peripheral.handle(.read(id, offset: request.offset, token: token))
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]
    ) {
        guard let first = requests.first, admit(first) != nil else { return }
        guard let values = HostRequests.values(of: requests) else {
            return peripheral.respond(to: first, withResult: .invalidOffset)
        }
        let known = values.compactMap { characteristic, value in
            database.number(characteristic).map { ($0, value) }
        }
        guard known.count == values.count else {
            return peripheral.respond(to: first, withResult: .attributeNotFound)
        }
        guard known.allSatisfy({ $0.1.count <= Self.longestValue }) else {
            return peripheral.respond(to: first, withResult: .invalidAttributeValueLength)
        }
        let writes = HostRequests.Writes(first, open: known.count)
        for (id, value) in known {
            let token = self.requests.add(.write(writes))
            self.peripheral.handle(.write(id, value, token: token))
        }
    }

    /// Accepts a request of the central; refuses those of others, and of unknown characteristics.
    private func admit(_ request: CBATTRequest) -> AttributeID? {
        guard let manager, case .serving = phase, let id = database.number(request.characteristic)
        else {
            manager?.respond(to: request, withResult: .attributeNotFound)
            return nil
        }
        guard connect(request.central), !requests.isFull else {
            manager.respond(to: request, withResult: .insufficientResources)
            return nil
        }
        return id
    }

    private func respond(_ token: ResponseToken, _ value: [UInt8], _ error: ATTError?) {
        guard let request = requests.remove(token) else { return }
        respond(to: request, value, error)
    }

    private func respond(
        to request: HostRequests.Request, _ value: [UInt8], _ error: ATTError?
    ) {
        switch request {
        case .descriptor(let id): described(id, error == nil ? value : nil)
        case .read(let request):
            request.value = Data(value.prefix(Self.longestValue))
            manager?.respond(to: request, withResult: Self.code(error))
        case .write(let writes):
            writes.open -= 1
            writes.error = writes.error ?? error
            guard writes.open == 0 else { return }
            manager?.respond(to: writes.first, withResult: Self.code(writes.error))
        }
    }

    private static func code(_ error: ATTError?) -> CBATTError.Code {
        guard let error else { return .success }
        return CBATTError.Code(rawValue: Int(error.code)) ?? .unlikelyError
    }

    // MARK: The central

    /// Notes a central's request or subscription; `false` if the device has another one.
    private func connect(_ peer: CBCentral) -> Bool {
        if let central, central.central.identifier != peer.identifier {
            guard central.subscriptions.isEmpty else { return false }
            forgetCentral()
        }
        if central == nil {
            central = Central(central: peer)
            handle.connected(true)
            peripheral.handle(.connected)
        }
        central?.central = peer
        central?.lastRequest = .now
        let length = peer.maximumUpdateValueLength
        if central?.maximumLength != length {
            central?.maximumLength = length
            peripheral.handle(.maximumLength(length))
        }
        return true
    }

    private func forgetCentral() {
        values = []
        guard central != nil else { return }
        central = nil
        handle.connected(false)
        peripheral.handle(.disconnected)
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral,
        didSubscribeTo characteristic: CBCharacteristic
    ) {
        guard case .serving = phase, let id = database.number(characteristic), connect(central)
        else { return }
        guard self.central?.subscriptions.insert(id).inserted == true else { return }
        self.peripheral.handle(.subscription(id, isOn: true))
        advertise()
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral,
        didUnsubscribeFrom characteristic: CBCharacteristic
    ) {
        guard self.central?.central.identifier == central.identifier,
            let id = database.number(characteristic),
            self.central?.subscriptions.remove(id) != nil
        else { return }
        self.peripheral.handle(.subscription(id, isOn: false))
        guard self.central?.subscriptions.isEmpty == true else { return }
        if requests.isEmpty { forgetCentral() }
        advertise()
    }

    // MARK: Values

    private func send(_ id: AttributeID, _ value: [UInt8], isIndication: Bool) {
        guard case .serving = phase, database.object(id) != nil else { return }
        guard values.count < Self.maximumValues else {
            return handle.note(HostingNote(.values, "more values than the link can carry"))
        }
        values.append((id, value, isIndication))
        sendValues()
    }

    func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
        sendValues()
    }

    private func sendValues() {
        // The system may report room while it refuses a value.
        guard case .serving = phase, let manager, !isSending else { return }
        isSending = true
        defer { isSending = false }
        while let (id, value, isIndication) = values.first,
            let characteristic = database.object(id)
        {
            // The system may know of a subscription that it has not reported yet, and only without
            // a list does it send the value there. Without a subscription, it drops the value.
            let isKnown = central?.subscriptions.contains(id) == true
            let centrals = isKnown ? central.map { [$0.central] } : nil
            guard
                manager.updateValue(
                    Data(value), for: characteristic, onSubscribedCentrals: centrals)
            else { return retry() }
            values.removeFirst()
            if isIndication, isKnown { peripheral.handle(.confirmed(id)) }
        }
    }

    /// Tries again soon: the system may have reported room before it was waited for.
    private func retry() {
        guard !isRetrying else { return }
        isRetrying = true
        home?.run(after: Self.retryInterval) { core in
            core.isRetrying = false
            core.sendValues()
        }
    }

    // MARK: Time

    private func poll() {
        if case .ended = phase { return }
        for request in requests.removeAll(olderThan: Self.responseLimit) {
            respond(to: request, [], .unlikely)
        }
        if case .describing(_, _, let since) = phase,
            since.duration(to: .now) >= Self.describingLimit
        {
            add()
        }
        if case .adding(let service, let since) = phase,
            since.duration(to: .now) >= Self.addingLimit
        {
            added(service, "no confirmation")
        }
        if let central, central.subscriptions.isEmpty, requests.isEmpty,
            central.lastRequest.duration(to: .now) >= Self.idleLimit
        {
            forgetCentral()
        }
        home?.run(after: Self.interval) { $0.poll() }
    }
}
#endif
