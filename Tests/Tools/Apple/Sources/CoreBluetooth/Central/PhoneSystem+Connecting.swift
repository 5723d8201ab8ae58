internal import Foundation
internal import HaloProtocol
internal import HaloTransport

// Attempts and links.
extension PhoneSystem {
    /// The pause before the radio tries again to reach a device that is not there.
    private static let absencePause = Duration.seconds(1)
    /// The pause before the radio tries again to connect to a device that is busy.
    private static let busyPause = Duration.milliseconds(50)
    /// The longest time for which the end of a cancelled link is held back.
    private static let holdLimit = Duration.seconds(30)

    func connect(_ reference: PeripheralReference) {
        queue.async { [self] in
            guard shared.value.state == .poweredOn, let record = centrals[reference.manager],
                let device = devices[reference.identifier], isGranted(device.identifier)
            else { return }
            let owner = device.owners[reference.manager]
            if owner?.attempt == reference.attempt, owner?.isConnected == true {
                return announceConnected(device, reference.manager)
            }
            if refuses(reference, device, record) { return }
            device.owners[reference.manager] = PhoneLink.Owner(attempt: reference.attempt)
            if device.driver != nil { return announceConnected(device, reference.manager) }
            openIfWanted(device)
        }
    }

    /// Answers an attempt that a trap ends before it begins.
    private func refuses(
        _ reference: PeripheralReference, _ device: PhoneLink, _ record: CentralRecord
    ) -> Bool {
        let traps = traps
        var error: (any Error)?
        if traps.contains(.connectFails) {
            error = CBError(.unknown)
        } else if let loss = traps.bondLoss(in: .failedConnect) {
            error = loss.error
        } else if let limit = traps.connectionLimit, device.driver == nil,
            devices.values.count(where: { $0.driver != nil }) >= limit
        {
            error = CBError(.connectionLimitReached)
        }
        if let error {
            record.post { $0.failed(reference, error) }
            return true
        }
        if traps.contains(.connectFailsAsDisconnect) {
            record.post { $0.disconnected(reference, CBError(.connectionTimeout)) }
            return true
        }
        return false
    }

    /// Cancels a link or an attempt. The radio's link ends with its last owner.
    func cancel(_ reference: PeripheralReference) {
        queue.async { [self] in
            guard let record = centrals[reference.manager] else { return }
            let device = devices[reference.identifier]
            let wasConnected = device.map { leave($0, reference) } ?? false
            if let device, wasConnected, has(.lateDisconnect) {
                device.heldDisconnects.append(reference)
                return after(Self.holdLimit) { $0.releaseDisconnects(device) }
            }
            if !wasConnected, has(.cancelIsNotAnswered) { return }
            let isFailure = !wasConnected && has(.cancelAnswersAsFailure)
            record.post { manager in
                isFailure
                    ? manager.failed(reference, nil) : manager.disconnected(reference, nil)
            }
        }
    }

    /// Ends a link or an attempt whose object the app has dropped.
    func drop(_ reference: PeripheralReference, _ misuse: String) {
        queue.async { [self] in
            guard centrals[reference.manager] != nil, let device = devices[reference.identifier],
                device.owners[reference.manager]?.attempt == reference.attempt
            else { return }
            log(misuse)
            _ = leave(device, reference)
        }
    }

    /// Removes an owner; returns `true` if it was connected.
    private func leave(_ device: PhoneLink, _ reference: PeripheralReference) -> Bool {
        guard let owner = device.owners[reference.manager], owner.attempt == reference.attempt
        else { return false }
        device.owners[reference.manager] = nil
        unsubscribe(reference.manager, from: device)
        if !device.isWanted { close(device) }
        return owner.isConnected
    }

    /// Ends the links to devices that are not granted.
    func revokeLinks() {
        for device in devices.values where !isGranted(device.identifier) {
            for manager in device.owners.keys.sorted() {
                guard let reference = device.reference(of: manager) else { continue }
                _ = leave(device, reference)
                let error = CBError(.peripheralDisconnected)
                centrals[manager]?.post { $0.disconnected(reference, error) }
            }
        }
    }

    /// Announces the ends of links that were held back.
    func releaseDisconnects(_ device: PhoneLink) {
        for reference in device.heldDisconnects {
            centrals[reference.manager]?.post { $0.disconnected(reference, nil) }
        }
        device.heldDisconnects = []
    }

    /// Runs a function on the queue after a time of the radio.
    func after(_ pause: Duration, _ body: @escaping @Sendable (PhoneSystem) -> Void) {
        guard let radio else { return }
        _ = radio.time.schedule(at: radio.time.now() + pause) { [weak self] in
            guard let self else { return }
            queue.async { body(self) }
        }
    }

    // MARK: The radio's link

    /// Ends the radio's link, or its attempt.
    func close(_ device: PhoneLink) {
        switch device.phase {
        case .idle, .closing: break
        case .opening(_, let attempt): attempt?.cancel()
        case .waiting(_, let timer):
            timer.cancel()
            device.phase = .idle
        case .open(let number, let driver):
            device.phase = .closing(number)
            device.forget()
            driver.disconnect()
        }
    }

    /// Begins an attempt of the radio, if a link is wanted and there is none.
    func openIfWanted(_ device: PhoneLink) {
        guard let radio, device.isWanted, case .idle = device.phase,
            shared.value.state == .poweredOn
        else { return }
        let number = makeNumber()
        device.phase = .opening(number, nil)
        let attempt = radio.openLink(to: device.identity) { [weak self] event in
            guard let self else { return }
            queue.async { self.receive(event, device, number) }
        } completion: { [weak self] result in
            guard let self else {
                if case .success(let driver) = result { driver.disconnect() }
                return
            }
            queue.async { self.opened(result, device, number) }
        }
        device.phase = .opening(number, attempt)
    }

    private func opened(
        _ result: Result<any LinkDriver, BLEError>, _ device: PhoneLink, _ number: UInt64
    ) {
        guard case .opening(number, _) = device.phase else { return }
        switch result {
        case .success(let driver):
            device.phase = .open(number, driver)
            guard device.isWanted else { return close(device) }
            for manager in device.owners.keys.sorted() { announceConnected(device, manager) }
            // The system itself knows the services of the devices that it holds.
            if device.isHeld { withTable(of: device) { _ in } }
        case .failure(let error):
            device.phase = .idle
            failed(device, error)
        }
    }

    /// Tries again, unless the radio says that the device itself has refused.
    private func failed(_ device: PhoneLink, _ error: BLEError) {
        switch error.kind {
        case .cancelled: openIfWanted(device)
        case .disconnected, .refused: fail(device, CBError(.connectionFailed))
        case .bondLost: fail(device, CBError(.peerRemovedPairingInformation))
        case .notFound: retry(device, after: Self.absencePause)
        default: retry(device, after: Self.busyPause)
        }
    }

    private func fail(_ device: PhoneLink, _ error: CBError) {
        for manager in device.owners.keys.sorted() {
            guard let reference = device.reference(of: manager) else { continue }
            centrals[manager]?.post { $0.failed(reference, error) }
        }
        device.owners = [:]
        openIfWanted(device)
    }

    private func retry(_ device: PhoneLink, after pause: Duration) {
        guard let radio, device.isWanted else { return }
        let number = makeNumber()
        let timer = radio.time.schedule(at: radio.time.now() + pause) { [weak self] in
            guard let self else { return }
            queue.async {
                guard case .waiting(number, _) = device.phase else { return }
                device.phase = .idle
                self.openIfWanted(device)
            }
        }
        device.phase = .waiting(number, timer)
    }

    private func announceConnected(_ device: PhoneLink, _ manager: UInt64) {
        guard let reference = device.reference(of: manager) else { return }
        device.owners[manager]?.isConnected = true
        let length = device.packetLength
        let record = centrals[manager]
        record?.post { $0.connected(reference, packetLength: length) }
        releaseDisconnects(device)
        let traps = traps
        var error = traps.bondLoss(in: .disconnect)?.error
        if traps.contains(.connectThenDrops) { error = CBError(.peripheralDisconnected) }
        guard let error else { return }
        _ = leave(device, reference)
        record?.post { $0.disconnected(reference, error) }
    }

    // MARK: Events

    private func receive(_ event: LinkEvent, _ device: PhoneLink, _ number: UInt64) {
        if case .disconnected(let reason) = event { return ended(device, number, reason) }
        guard device.openNumber == number else { return }
        switch event {
        case .value(let attribute, let value):
            for reference in device.connectedReferences
            where device.subscribers[attribute]?.contains(reference.manager) == true {
                centrals[reference.manager]?.post(reference) {
                    $0.received(attribute, .value(value))
                }
            }
            device.heldConfirmations.removeValue(forKey: attribute)?()
        case .servicesChanged: rediscover(device)
        case .maximumLengthChanged:
            let length = device.packetLength
            for reference in device.connectedReferences {
                centrals[reference.manager]?.post(reference) { peripheral in
                    peripheral.current.withLock { $0.packetLength = length }
                }
            }
        case .disconnected: break
        }
    }

    /// The radio's link has ended: connected apps are told; nothing more comes for this link.
    private func ended(_ device: PhoneLink, _ number: UInt64, _ reason: DisconnectReason) {
        switch device.phase {
        case .open(number, _), .closing(number): break
        default: return
        }
        device.phase = .idle
        device.forget()
        var error: CBError? = CBError(reason)
        if has(.disconnectsWithUnknownError) { error = CBError(.unknown) }
        if has(.disconnectsWithoutError) { error = nil }
        for reference in device.connectedReferences {
            device.owners[reference.manager] = nil
            // Apps are told that Bluetooth is off, and not that links have ended.
            guard reason.kind != .adapterGone else { continue }
            centrals[reference.manager]?.post { [error] in $0.disconnected(reference, error) }
        }
        openIfWanted(device)
    }
}

extension CBError {
    /// The error for the end of a link.
    fileprivate init(_ reason: DisconnectReason) {
        switch reason.kind {
        case .remote: self.init(.peripheralDisconnected)
        case .outOfReach, .noResponse: self.init(.connectionTimeout)
        case .bondLost: self.init(.peerRemovedPairingInformation)
        default: self.init(.unknown)
        }
    }
}
