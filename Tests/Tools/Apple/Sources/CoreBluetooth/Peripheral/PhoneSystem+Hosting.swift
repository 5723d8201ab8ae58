internal import Foundation
internal import HaloProtocol
internal import HaloTransport

// The peripheral role: what apps host, and what a central does with it.
extension PhoneSystem {
    /// The time in which the radio sends one update.
    private static let sendingTime = Duration.milliseconds(15)

    /// Returns a number for a hosted attribute.
    func makeAttribute() -> AttributeID { AttributeID(UInt32(truncatingIfNeeded: makeNumber())) }

    func register(_ manager: CBPeripheralManager) {
        let record = Unchecked(HostRecord(manager))
        queue.async { [self] in
            let record = record.value
            hosts[record.number] = record
            let state = shared.value.state
            guard state == .poweredOn, has(.poweredOffFirst) else {
                return record.post { $0.enter(state, isCleared: false) }
            }
            let number = record.number
            record.post { $0.enter(.poweredOff, isCleared: false) }
            after(Self.firstPause) { system in
                let state = system.shared.value.state
                system.hosts[number]?.post { $0.enter(state, isCleared: false) }
            }
        }
    }

    func unregisterHost(_ number: UInt64) {
        queue.async { [self] in
            guard hosts.removeValue(forKey: number) != nil else { return }
            log("XPC connection invalid")
            clear { $0 == number }
        }
    }

    /// Ends the managers of a terminated app: their services are gone, the link stays.
    func terminateHosts() {
        for record in hosts.values { record.isTerminated.withLock { $0 = true } }
        hosts = [:]
        clear { _ in true }
    }

    /// Reports a state. Switching off ends the link; it also clears what is hosted, unless that
    /// survives by a trap.
    func hostsEnter(_ state: CBManagerState) {
        let survives = state == .poweredOff && has(.servicesSurvivePowerOff)
        let isCleared = state != .poweredOn && !survives
        if state != .poweredOn {
            hosting.subscriptions = []
            hosting.openRequests = []
            perform(.disconnect)
            if isCleared { clear { _ in true } }
        }
        advertise()
        for number in hosts.keys.sorted() {
            hosts[number]?.post { $0.enter(state, isCleared: isCleared) }
        }
    }

    // MARK: The device on the air

    /// Puts the phone's device on the air, once; returns `false` for a radio that cannot host.
    private func placeDevice() -> Bool {
        if hosting.device != nil { return true }
        let device = PhoneDevice { [weak self] event in
            guard let self else { return }
            queue.async { self.receive(event) }
        }
        hosting.device = radio?.host(device)
        return hosting.device != nil
    }

    private func perform(_ effect: PeripheralEffect) {
        hosting.device?.modify { $0.effects.append(effect) }
    }

    /// Advertises for the first manager that wants to.
    private func advertise() {
        let first = hosting.advertisements.min { $0.key < $1.key }?.value
        let isOn = shared.value.state == .poweredOn
        perform(.advertise(isOn ? first?.onAir : nil))
    }

    private func publish() {
        let services = hosting.services.map(\.service.description)
        hosting.device?.modify { device in
            device.services = services
            device.effects.append(.servicesChanged)
        }
    }

    private func clear(_ isMeant: (UInt64) -> Bool) {
        hosting.advertisements = hosting.advertisements.filter { !isMeant($0.key) }
        advertise()
        removeServices { manager, _ in isMeant(manager) }
    }

    private func removeServices(_ isMeant: (UInt64, HostedService) -> Bool) {
        let before = hosting.services.count
        hosting.services.removeAll { isMeant($0.manager, $0.service) }
        hosting.subscriptions = hosting.subscriptions.filter { hosting.attribute($0) != nil }
        if hosting.services.count != before { publish() }
    }

    // MARK: Commands of apps

    func add(_ service: HostedService, for manager: UInt64) {
        queue.async { [self] in
            guard shared.value.state == .poweredOn, let record = hosts[manager] else { return }
            let canHost = placeDevice()
            if canHost {
                hosting.services.append((manager, service))
                publish()
            }
            let error = canHost ? nil : CBError(.operationNotSupported)
            record.post { $0.didAdd(service.characteristics, error) }
        }
    }

    func remove(_ characteristics: [AttributeID], of manager: UInt64) {
        queue.async { [self] in
            removeServices { $0 == manager && $1.characteristics == characteristics }
        }
    }

    func removeServices(of manager: UInt64) {
        queue.async { [self] in removeServices { number, _ in number == manager } }
    }

    func advertise(_ advertisement: HostedAdvertisement, for manager: UInt64) {
        queue.async { [self] in
            guard shared.value.state == .poweredOn, let record = hosts[manager] else { return }
            var error: CBError?
            if hosting.advertisements[manager] != nil {
                error = CBError(.alreadyAdvertising)
            } else if placeDevice() {
                hosting.advertisements[manager] = advertisement
                advertise()
            } else {
                error = CBError(.operationNotSupported)
            }
            record.post { [error] in $0.didStartAdvertising(error) }
        }
    }

    func stopAdvertising(for manager: UInt64) {
        queue.async { [self] in
            hosting.advertisements[manager] = nil
            advertise()
        }
    }

    func requestLatency(_ latency: CBPeripheralManagerConnectionLatency) {
        let interval: Duration =
            switch latency {
            case .low: .milliseconds(15)
            case .medium: .milliseconds(60)
            case .high: .milliseconds(180)
            }
        queue.async { [self] in
            perform(
                .requestParameters(
                    LinkParameters(
                        interval: interval, latency: 0, supervisionTimeout: .seconds(5))))
        }
    }

    /// Answers a request: with a value for a read, without one for a write. Only the first answer
    /// counts.
    func respond(to token: ResponseToken, _ value: [UInt8]?, _ result: ATTError) {
        queue.async { [self] in
            guard hosting.openRequests.remove(token) != nil else {
                return log("API MISUSE: the request was answered already, or its central is gone")
            }
            guard result.code == 0 else { return perform(.refuse(result, token)) }
            perform(value.map { .value($0, token) } ?? .done(token))
        }
    }

    func update(
        _ value: [UInt8], of attribute: AttributeID, for manager: UInt64, isIndication: Bool
    ) {
        queue.async { [self] in
            guard hosting.subscriptions.contains(attribute), let radio else {
                hosts[manager]?.post { $0.returnCredit() }
                return
            }
            if isIndication {
                hosting.indications[attribute, default: []].append(manager)
                return perform(.indicate(attribute, value))
            }
            perform(.notify(attribute, value))
            let now = radio.time.now()
            hosting.sendingUntil = max(now, hosting.sendingUntil) + Self.sendingTime
            after(hosting.sendingUntil.duration(since: now)) { system in
                system.hosts[manager]?.post { $0.returnCredit() }
            }
        }
    }

    // MARK: Events of the central

    private func receive(_ event: PeripheralEvent) {
        switch event {
        case .connected:
            hosting.central = HostedCentral(
                connection: makeNumber(),
                identifier: identifier(of: PeripheralIdentity("central")),
                length: Guarded(CBPeripheral.smallestPacket))
        case .maximumLength(let length): hosting.central?.length.withLock { $0 = length }
        case .disconnected: centralLeft()
        case .read(let attribute, let offset, let token):
            read(HostedRead(attribute: attribute, offset: offset, token: token))
        case .write(let attribute, let value, let token):
            write(HostedWrite(attribute: attribute, value: value, token: token))
        case .subscription(let attribute, let isOn): subscribe(attribute, isOn)
        case .confirmed(let attribute):
            guard var waiting = hosting.indications[attribute], !waiting.isEmpty else { return }
            hosts[waiting.removeFirst()]?.post { $0.returnCredit() }
            hosting.indications[attribute] = waiting
        case .started, .woken, .changed: break
        }
    }

    /// Subscriptions end with the link: the only sign of its end that apps get.
    private func centralLeft() {
        for attribute in hosting.subscriptions.sorted(by: { $0.rawValue < $1.rawValue }) {
            subscribe(attribute, false)
        }
        for manager in hosting.indications.values.joined() {
            hosts[manager]?.post { $0.returnCredit() }
        }
        hosting.indications = [:]
        hosting.openRequests = []
        hosting.central = nil
    }

    private func subscribe(_ attribute: AttributeID, _ isOn: Bool) {
        guard let central = hosting.central, let (manager, _) = hosting.attribute(attribute) else {
            return
        }
        if isOn {
            hosting.subscriptions.insert(attribute)
        } else {
            hosting.subscriptions.remove(attribute)
        }
        hosting.endsBatch = true
        hosts[manager]?.post { $0.subscribed(attribute, isOn, central) }
    }

    private func read(_ read: HostedRead) {
        guard let (manager, attribute) = hosting.attribute(read.attribute),
            let central = hosting.central
        else { return perform(.refuse(.invalidHandle, read.token)) }
        let readable: CBAttributePermissions = [.readable, .readEncryptionRequired]
        guard !attribute.permissions.isDisjoint(with: readable) else {
            return perform(.refuse(.readNotPermitted, read.token))
        }
        if let constant = attribute.constant {
            guard read.offset <= constant.count else {
                return perform(.refuse(.invalidOffset, read.token))
            }
            return perform(.value(Array(constant[read.offset...]), read.token))
        }
        hosting.openRequests.insert(read.token)
        hosting.endsBatch = true
        hosts[manager]?.post { $0.received(read, from: central) }
    }

    /// Hands a write to the app. Writes without response that come before the app has looked are
    /// handed over in one call.
    private func write(_ write: HostedWrite) {
        guard let (manager, attribute) = hosting.attribute(write.attribute),
            let central = hosting.central
        else {
            if let token = write.token { perform(.refuse(.invalidHandle, token)) }
            return
        }
        let writeable: CBAttributePermissions = [.writeable, .writeEncryptionRequired]
        guard !attribute.permissions.isDisjoint(with: writeable) else {
            if let token = write.token { perform(.refuse(.writeNotPermitted, token)) }
            return
        }
        if let token = write.token {
            hosting.openRequests.insert(token)
            hosts[manager]?.post { $0.received(write, from: central) }
            hosting.endsBatch = true
        } else {
            let object = hosts[manager]?.manager.object
            let isFirst = object?.collect(write, startsBatch: hosting.endsBatch) ?? false
            hosting.endsBatch = false
            if isFirst { hosts[manager]?.post { $0.receivedBatch(from: central) } }
        }
    }
}
