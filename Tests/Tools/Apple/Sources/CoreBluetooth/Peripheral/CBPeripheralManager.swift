public import Foundation
internal import HaloProtocol
internal import HaloTransport

/// The role of the peripheral: hosting services and advertising.
public class CBPeripheralManager: CBManager {
    private struct Current {
        var isAdvertising = false
        /// The room for updates.
        var credits = CBPeripheralManager.maximumCredits
        /// `true` once an update was refused.
        var isStarved = false
        /// Batches of writes without response that the delegate has not been told of.
        var batches: [[HostedWrite]] = []
    }

    /// The maximum number of updates that wait; a further one is refused.
    static let maximumCredits = 5
    /// The services that apps may not host, in their short form.
    private static let reserved: Set<UInt16> = [
        0x1800, 0x1801, 0x1805, 0x180A, 0x180F, 0x1812, 0x181E,
    ]

    private let current = Guarded(Current())
    private let added = Guarded<[CBMutableService]>([])
    private var central: (connection: UInt64, object: CBCentral)?

    /// The delegate, which is not kept.
    public weak var delegate: (any CBPeripheralManagerDelegate)?

    /// Creates a manager without a delegate, on the main queue.
    public convenience init() { self.init(delegate: nil, queue: nil, options: nil) }

    /// Creates a manager, which calls its delegate on a queue; `nil` for the main queue.
    public convenience init(
        delegate: (any CBPeripheralManagerDelegate)?, queue: DispatchQueue?
    ) {
        self.init(delegate: delegate, queue: queue, options: nil)
    }

    /// Creates a manager with options. Nothing is restored for this role.
    public init(
        delegate: (any CBPeripheralManagerDelegate)?, queue: DispatchQueue?,
        options: [String: Any]? = nil
    ) {
        self.delegate = delegate
        super.init(queue: queue)
        system.showPowerAlert(options?[CBPeripheralManagerOptionShowPowerAlertKey])
        system.register(self)
    }

    deinit { system.unregisterHost(number) }

    /// `true` while this manager advertises, also while a central is connected.
    public var isAdvertising: Bool { current.value.isAdvertising }

    /// Advertises a name and services; other keys are ignored.
    public func startAdvertising(_ advertisementData: [String: Any]?) {
        guard acceptsCommands() else { return }
        let services = advertisementData?[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID]
        system.advertise(
            HostedAdvertisement(
                name: advertisementData?[CBAdvertisementDataLocalNameKey] as? String,
                services: (services ?? []).map(\.bluetooth)),
            for: number)
    }

    /// Stops advertising.
    public func stopAdvertising() {
        guard acceptsCommands() else { return }
        current.withLock { $0.isAdvertising = false }
        system.stopAdvertising(for: number)
    }

    /// Asks the central for other connection parameters.
    public func setDesiredConnectionLatency(
        _ latency: CBPeripheralManagerConnectionLatency, for central: CBCentral
    ) {
        guard acceptsCommands() else { return }
        system.requestLatency(latency)
    }

    /// Adds a service. A service that was added already is fatal, and so is a constant value that
    /// centrals could write.
    public func add(_ service: CBMutableService) {
        guard acceptsCommands() else { return }
        if let problem = problem(with: service) { return system.shared.value.fatal(problem) }
        if let refusal = refusal(of: service) {
            return queue.async { [manager = Weak(self), kept = Unchecked(service)] in
                guard let manager = manager.object else { return }
                manager.delegate?.peripheralManager(manager, didAdd: kept.value, error: refusal)
            }
        }
        service.isAdded = true
        added.withLock { $0.append(service) }
        system.add(HostedService(service, system), for: number)
    }

    /// The exception that a service causes.
    private func problem(with service: CBMutableService) -> String? {
        if service.isAdded { return "Services cannot be added more than once" }
        for characteristic in service.characteristics ?? [] {
            let isReadOnly =
                characteristic.properties.isSubset(of: .read)
                && (characteristic as? CBMutableCharacteristic)?.permissions == .readable
            if characteristic.value != nil, !isReadOnly {
                return "Characteristics with cached values must be read-only"
            }
            for descriptor in characteristic.descriptors ?? [] {
                let number = descriptor.uuid.bluetooth.short16
                let isText = descriptor.value is String || descriptor.value is NSString
                let isData = descriptor.value is Data || descriptor.value is NSData
                if number == 0x2901 && !isText || number == 0x2904 && !isData {
                    return "The value of descriptor \(descriptor.uuid) has the wrong type"
                }
            }
        }
        return nil
    }

    /// The error with which the system refuses a service.
    private func refusal(of service: CBMutableService) -> CBError? {
        let isShort = service.uuid.data.count == 2
        if isShort, let number = service.uuid.bluetooth.short16, Self.reserved.contains(number) {
            return CBError(.uuidNotAllowed)
        }
        let descriptors = (service.characteristics ?? []).flatMap { $0.descriptors ?? [] }
        let isRefused = descriptors.contains { descriptor in
            [0x2900, 0x2902, 0x2903].contains(descriptor.uuid.bluetooth.short16)
        }
        return isRefused ? CBError(.invalidParameters) : nil
    }

    /// Removes a service of this manager.
    public func remove(_ service: CBMutableService) {
        guard acceptsCommands() else { return }
        added.withLock { $0.removeAll { $0 === service } }
        forget(service)
        system.remove((service.characteristics ?? []).map(\.attribute), of: number)
    }

    /// Removes all services of this manager.
    public func removeAllServices() {
        guard acceptsCommands() else { return }
        forgetServices()
        system.removeServices(of: number)
    }

    /// Answers a request: once for each read, and once for each call with writes, for its first.
    public func respond(to request: CBATTRequest, withResult result: CBATTError.Code) {
        guard acceptsCommands(), let token = request.token else { return }
        let value = request.isRead ? [UInt8](request.value ?? Data()) : nil
        system.respond(to: token, value, ATTError(code: UInt8(clamping: result.rawValue)))
    }

    /// Sends a value to the subscribed centrals, cut to their maximum length; `false` if there is
    /// no room.
    public func updateValue(
        _ value: Data, for characteristic: CBMutableCharacteristic,
        onSubscribedCentrals centrals: [CBCentral]?
    ) -> Bool {
        guard acceptsCommands() else { return false }
        // Without a list, the system takes the centrals that it knows, also those of which the
        // app was not told yet.
        let subscribed = characteristic.subscribedCentrals ?? []
        guard centrals.map({ $0.contains { subscribed.contains($0) } }) ?? true else {
            return true
        }
        let length =
            subscribed.map(\.maximumUpdateValueLength).min() ?? CBPeripheral.maximumValue
        let hasRoom = current.withLock { now in
            guard now.credits > 0 else {
                now.isStarved = true
                return false
            }
            now.credits -= 1
            return true
        }
        guard hasRoom else {
            if system.has(.readyToUpdateBeforeFalse) {
                current.withLock { $0.isStarved = false }
                delegate?.peripheralManagerIsReady(toUpdateSubscribers: self)
            }
            return false
        }
        system.update(
            [UInt8](value.prefix(length)), of: characteristic.attribute, for: number,
            isIndication: !characteristic.properties.contains(.notify))
        return true
    }

    // MARK: What the system announces, on the queue

    /// Reports a state; services and advertising may be gone with it.
    func enter(_ state: CBManagerState, isCleared: Bool) {
        guard setState(state) != state else { return }
        if state != .poweredOn { endSubscriptions() }
        if isCleared {
            current.withLock { $0.isAdvertising = false }
            forgetServices()
        }
        delegate?.peripheralManagerDidUpdateState(self)
    }

    private func endSubscriptions() {
        central = nil
        current.withLock { now in
            now.credits = Self.maximumCredits
            now.isStarved = false
            now.batches = []
        }
        for characteristic in hostedCharacteristics { characteristic.subscribedCentrals = [] }
    }

    private func forgetServices() {
        let services = added.withLock { added in
            defer { added = [] }
            return added
        }
        for service in services { forget(service) }
    }

    private func forget(_ service: CBMutableService) {
        service.isAdded = false
        for case let characteristic as CBMutableCharacteristic in service.characteristics ?? [] {
            characteristic.subscribedCentrals = []
        }
    }

    private var hostedCharacteristics: [CBMutableCharacteristic] {
        added.value.flatMap { $0.characteristics ?? [] }.compactMap {
            $0 as? CBMutableCharacteristic
        }
    }

    private func characteristic(_ attribute: AttributeID) -> CBMutableCharacteristic? {
        hostedCharacteristics.first { $0.attribute == attribute }
    }

    /// The object for the central of a connection.
    private func central(_ peer: HostedCentral) -> CBCentral {
        if let central, central.connection == peer.connection { return central.object }
        let object = CBCentral(peer.identifier, length: peer.length)
        central = (peer.connection, object)
        return object
    }

    func didAdd(_ attributes: [AttributeID], _ error: CBError?) {
        let service = added.value.first {
            ($0.characteristics ?? []).map(\.attribute) == attributes
        }
        guard let service else { return }
        delegate?.peripheralManager(self, didAdd: service, error: error)
    }

    func didStartAdvertising(_ error: CBError?) {
        if error == nil { current.withLock { $0.isAdvertising = true } }
        delegate?.peripheralManagerDidStartAdvertising(self, error: error)
    }

    func received(_ read: HostedRead, from peer: HostedCentral) {
        guard let characteristic = characteristic(read.attribute) else { return }
        let request = CBATTRequest(
            central(peer), characteristic, offset: read.offset, value: nil, token: read.token,
            isRead: true)
        delegate?.peripheralManager(self, didReceiveRead: request)
    }

    func received(_ write: HostedWrite, from peer: HostedCentral) {
        tell([write], from: peer)
    }

    /// Takes a write without response, from any thread; returns `true` for the first of a batch.
    func collect(_ write: HostedWrite, startsBatch: Bool) -> Bool {
        current.withLock { now in
            guard !startsBatch, let last = now.batches.indices.last else {
                now.batches.append([write])
                return true
            }
            now.batches[last].append(write)
            return false
        }
    }

    /// Reports the writes without response that have come meanwhile, in one call.
    func receivedBatch(from peer: HostedCentral) {
        let batch = current.withLock { now in
            now.batches.isEmpty ? [] : now.batches.removeFirst()
        }
        tell(batch, from: peer)
    }

    private func tell(_ writes: [HostedWrite], from peer: HostedCentral) {
        let requests = writes.compactMap { write in
            characteristic(write.attribute).map { characteristic in
                CBATTRequest(
                    central(peer), characteristic, offset: 0, value: Data(write.value),
                    token: write.token, isRead: false)
            }
        }
        guard !requests.isEmpty else { return }
        delegate?.peripheralManager(self, didReceiveWrite: requests)
    }

    func subscribed(_ attribute: AttributeID, _ isOn: Bool, _ peer: HostedCentral) {
        guard let characteristic = characteristic(attribute) else { return }
        let central = central(peer)
        characteristic.subscribedCentrals = isOn ? [central] : []
        if isOn {
            delegate?.peripheralManager(self, central: central, didSubscribeTo: characteristic)
        } else {
            delegate?.peripheralManager(self, central: central, didUnsubscribeFrom: characteristic)
        }
    }

    /// Returns the room of one update.
    func returnCredit() {
        let isReady = current.withLock { now in
            now.credits = min(now.credits + 1, Self.maximumCredits)
            defer { now.isStarved = false }
            return now.isStarved
        }
        if isReady { delegate?.peripheralManagerIsReady(toUpdateSubscribers: self) }
    }
}
