internal import Foundation
internal import HaloProtocol
internal import HaloTransport

// Operations on open links, in the order of the calls.
extension PhoneSystem {
    /// The longest time for which the confirmation of a subscription is held back.
    private static let confirmationLimit = Duration.seconds(2)
    /// An error code that no list has.
    private static let unlistedCode = 114

    func perform(
        _ operation: PeripheralOperation, for reference: PeripheralReference, refusal: CBATTError?
    ) {
        queue.async { [self] in
            guard let device = devices[reference.identifier], let driver = device.driver,
                let owner = device.owners[reference.manager], owner.isConnected,
                owner.attempt == reference.attempt
            else { return }
            if let refusal { return answer(operation, .failed(refusal), to: reference) }
            begin(operation, for: reference, device, driver)
        }
    }

    private func answer(
        _ operation: PeripheralOperation, _ result: PeripheralAnswer,
        to reference: PeripheralReference
    ) {
        centrals[reference.manager]?.post(reference) { $0.answer(operation, result) }
    }

    private func begin(
        _ operation: PeripheralOperation, for reference: PeripheralReference, _ device: PhoneLink,
        _ driver: any LinkDriver
    ) {
        if operation.needsBond, let loss = traps.bondLoss(in: .operation) {
            return answer(operation, .failed(loss.error), to: reference)
        }
        switch operation {
        case .rssi: readRSSI(operation, for: reference, device, driver)
        case .services: discover(operation, for: reference, device)
        case .includedServices, .characteristics, .descriptors, .readConfiguration:
            answer(operation, .done, to: reference)
        case .read(let attribute), .readDescriptor(let attribute):
            driver.read(
                attribute,
                completion(operation, for: reference, device) { .value($0) })
        case .write(let attribute, let value), .writeDescriptor(let attribute, let value):
            driver.write(
                value, to: attribute, .withResponse,
                completion(operation, for: reference, device) { .done })
        case .command(let attribute, let value):
            command(operation, value, attribute, for: reference, driver)
        case .notify(let attribute, let isOn):
            subscribe(operation, attribute, isOn, for: reference, device, driver)
        }
    }

    /// Returns a completion that announces the answer, unless the link has ended meanwhile.
    private func completion<Value: Sendable>(
        _ operation: PeripheralOperation, for reference: PeripheralReference, _ device: PhoneLink,
        _ convert: @escaping @Sendable (Value) -> PeripheralAnswer
    ) -> BLECompletion<Value> {
        let number = device.openNumber
        return { [weak self] result in
            guard let self else { return }
            queue.async {
                guard device.openNumber == number else { return }
                switch result {
                case .success(let value): self.answer(operation, convert(value), to: reference)
                case .failure(let error):
                    guard let error = error.asSystemError else { return }
                    self.answer(operation, .failed(error), to: reference)
                }
            }
        }
    }

    private func readRSSI(
        _ operation: PeripheralOperation, for reference: PeripheralReference, _ device: PhoneLink,
        _ driver: any LinkDriver
    ) {
        guard radio?.features.contains(.connectedRSSI) == true else {
            return answer(operation, .failed(CBError(.operationNotSupported)), to: reference)
        }
        if has(.rssiNeverComes) { return }
        driver.readRSSI(completion(operation, for: reference, device) { .rssi($0) })
    }

    private func command(
        _ operation: PeripheralOperation, _ value: [UInt8], _ attribute: AttributeID,
        for reference: PeripheralReference, _ driver: any LinkDriver
    ) {
        driver.write(value, to: attribute, .withoutResponse) { [weak self] _ in
            guard let self else { return }
            queue.async {
                self.centrals[reference.manager]?.post(reference) { $0.returnCredit() }
                guard self.has(.answersWritesWithoutResponse),
                    let code = CBATTError.Code(rawValue: Self.unlistedCode)
                else { return }
                self.answer(operation, .failed(CBATTError(code)), to: reference)
            }
        }
    }

    // MARK: Subscriptions

    /// The radio's subscription is that of all managers together.
    private func subscribe(
        _ operation: PeripheralOperation, _ attribute: AttributeID, _ isOn: Bool,
        for reference: PeripheralReference, _ device: PhoneLink, _ driver: any LinkDriver
    ) {
        let others = device.subscribers[attribute, default: []].subtracting([reference.manager])
        if isOn { device.subscribers[attribute, default: []].insert(reference.manager) }
        let confirm: @Sendable (PeripheralAnswer) -> Void = { [self] result in
            let isSubscribed = isOn && result.error == nil
            if !isSubscribed { device.subscribers[attribute]?.remove(reference.manager) }
            answer(operation, result, to: reference)
        }
        guard others.isEmpty else { return confirm(.done) }
        let number = device.openNumber
        driver.setNotify(isOn, for: attribute) { [weak self] result in
            guard let self else { return }
            queue.async {
                guard device.openNumber == number else { return }
                if case .failure(let error) = result {
                    if let error = error.asSystemError { confirm(.failed(error)) }
                } else if isOn, self.has(.valuesBeforeAcknowledgement) {
                    self.hold({ confirm(.done) }, for: attribute, of: device)
                } else {
                    confirm(.done)
                }
            }
        }
    }

    /// Holds back the confirmation of a subscription until a value has come.
    private func hold(
        _ confirm: @escaping @Sendable () -> Void, for attribute: AttributeID,
        of device: PhoneLink
    ) {
        device.heldConfirmations[attribute] = confirm
        after(Self.confirmationLimit) { _ in
            device.heldConfirmations.removeValue(forKey: attribute)?()
        }
    }

    /// Ends the subscriptions of a manager.
    func unsubscribe(_ manager: UInt64, from device: PhoneLink) {
        for attribute in device.subscribers.keys {
            guard device.subscribers[attribute]?.remove(manager) != nil,
                device.subscribers[attribute]?.isEmpty == true
            else { continue }
            device.driver?.setNotify(false, for: attribute) { _ in }
        }
    }

    // MARK: Discovery

    private func discover(
        _ operation: PeripheralOperation, for reference: PeripheralReference, _ device: PhoneLink
    ) {
        if has(.discoveryNeverAnswers) { return }
        if has(.firstDiscoveryIsEmpty), !device.wasEmptyOnce {
            device.wasEmptyOnce = true
            return answer(operation, .services([]), to: reference)
        }
        withTable(of: device) { [weak self] table in
            self?.answer(operation, .services(table), to: reference)
        }
    }

    /// Calls a function on the queue with the services, which are discovered once for each link.
    func withTable(
        of device: PhoneLink, _ body: @escaping @Sendable ([GATTService]) -> Void
    ) {
        if let table = device.table { return body(table) }
        device.waitingForTable.append(body)
        guard !device.isDiscovering, let driver = device.driver, let number = device.openNumber
        else { return }
        device.isDiscovering = true
        driver.discoverServices { [weak self] result in
            guard let self else { return }
            queue.async {
                guard device.openNumber == number, device.isDiscovering else { return }
                device.isDiscovering = false
                guard case .success(let found) = result else { return }
                let first = device.firstTable ?? found
                device.firstTable = first
                let table = self.has(.staleServices) ? first : found
                device.table = table
                let waiting = device.waitingForTable
                device.waitingForTable = []
                for body in waiting { body(table) }
            }
        }
    }

    /// Discovers the services again after a change, and announces those that are gone.
    func rediscover(_ device: PhoneLink) {
        guard !has(.staleServices) else { return }
        let wasFound = device.table != nil
        device.table = nil
        guard wasFound else { return }
        withTable(of: device) { [weak self, unowned device] table in
            guard let self else { return }
            for reference in device.connectedReferences {
                centrals[reference.manager]?.post(reference) { $0.modified(table) }
            }
        }
    }
}

extension PeripheralOperation {
    /// `true` for operations that need the keys of a bond where the attribute demands it.
    fileprivate var needsBond: Bool {
        switch self {
        case .read, .write, .notify: true
        default: false
        }
    }
}

extension BLEError {
    /// The error as apps get it; `nil` for operations that the end of the link leaves unanswered.
    fileprivate var asSystemError: (any Error)? {
        if let attError {
            return CBATTError.Code(rawValue: Int(attError.code)).map { CBATTError($0) }
        }
        switch kind {
        case .disconnected, .cancelled, .bluetoothOff: return nil
        case .noSuchAttribute: return CBATTError(.invalidHandle)
        case .notPermitted:
            return CBATTError(operation == .read ? .readNotPermitted : .writeNotPermitted)
        case .tooLong: return CBATTError(.invalidAttributeValueLength)
        case .bondLost: return CBError(.peerRemovedPairingInformation)
        default: return CBError(.unknown)
        }
    }
}
