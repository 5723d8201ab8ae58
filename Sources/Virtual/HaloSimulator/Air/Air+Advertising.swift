internal import HaloProtocol
package import HaloTransport

extension Air {
    package func addCentral() -> CentralNumber {
        centrals.append(.poweredOn)
        return CentralNumber(centrals.count - 1)
    }

    package func adapterState(of central: CentralNumber) -> AdapterState {
        centrals.indices.contains(central.rawValue) ? centrals[central.rawValue] : .unsupported
    }

    /// Sets the state of a central's adapter. In any state but on, its links end, and its scans and
    /// attempts fail.
    package func setAdapterState(_ state: AdapterState, of central: CentralNumber) {
        guard centrals.indices.contains(central.rawValue) else { return }
        centrals[central.rawValue] = state
        guard state != .poweredOn else { return }
        for scan in scans where scan.central == central {
            emit(.failed(BLEError(state.errorKind, .scan), tag: scan.tag))
        }
        scans.removeAll { $0.central == central }
        for slot in slots {
            for attempt in slot.attempts where attempt.central == central {
                fail(attempt.tag, slot, BLEError(state.errorKind, .connect))
            }
            if slot.link?.central == central { end(slot, .adapterGone) }
            updateAdvertising(slot)
        }
    }

    package func startScan(
        central: CentralNumber, reportsDuplicates: Bool = false, tag: UInt64
    ) {
        let state = adapterState(of: central)
        guard state == .poweredOn else {
            return emit(.failed(BLEError(state.errorKind, .scan), tag: tag))
        }
        scans.append(Scan(central: central, tag: tag, reportsDuplicates: reportsDuplicates))
        if scans.count == 1 { slots.forEach(updateAdvertising) }
    }

    package func stopScan(tag: UInt64) {
        scans.removeAll { $0.tag == tag }
        if scans.isEmpty { slots.forEach(updateAdvertising) }
    }

    /// Connects at the device's next advertisement. The attempt waits for it without a timeout,
    /// until ``cancelConnect(tag:)``.
    package func connect(central: CentralNumber, to device: DeviceNumber, tag: UInt64) {
        let state = adapterState(of: central)
        guard state == .poweredOn else {
            return emit(.failed(BLEError(state.errorKind, .connect), tag: tag))
        }
        guard let slot = slot(device), !slot.isRemoved else {
            return emit(.failed(BLEError(.notFound, .connect), tag: tag))
        }
        let isHere = slot.link?.central == central
        guard !isHere, !slot.attempts.contains(where: { $0.central == central }) else {
            return emit(.failed(BLEError(.alreadyConnected, .connect), tag: tag))
        }
        slot.attempts.append(AirSlot.Attempt(central: central, tag: tag))
        attempts[tag] = device.rawValue
        updateAdvertising(slot)
    }

    /// Cancels a connection attempt, which fails as cancelled. Does nothing if it has ended.
    package func cancelConnect(tag: UInt64) {
        guard let number = attempts[tag] else { return }
        fail(tag, slots[number], BLEError(.cancelled, .connect))
    }

    /// Fails a connection attempt, and drops the link that it was establishing.
    func fail(_ tag: UInt64, _ slot: AirSlot, _ error: BLEError) {
        attempts[tag] = nil
        slot.attempts.removeAll { $0.tag == tag }
        if let link = slot.link, link.tag == tag, link.phase == .establishing { drop(slot, link) }
        emit(.failed(error, tag: tag))
        updateAdvertising(slot)
    }

    /// Drops a link before its first connection event.
    private func drop(_ slot: AirSlot, _ link: AirLink) {
        link.release(&events)
        slot.link = nil
    }

    /// Schedules or stops advertising: a free device in range advertises while a central scans or
    /// connects.
    func updateAdvertising(_ slot: AirSlot) {
        let isWanted = !scans.isEmpty || !slot.attempts.isEmpty
        guard let advertisement = slot.advertisement, isWanted, slot.link == nil,
            slot.isReachable
        else { return events.cancel(slot.advertising) }
        guard events.moment(of: slot.advertising) == nil else { return }
        let delay = random.below(advertisement.microseconds)
        events.schedule(slot.advertising, at: now.advanced(byMicroseconds: delay))
    }

    func advertise(_ slot: AirSlot) {
        guard let advertisement = slot.advertisement, slot.link == nil else { return }
        let delay = advertisement.microseconds + random.below(10_000)
        events.schedule(slot.advertising, at: now.advanced(byMicroseconds: delay))
        let rssi = slot.rssi
        report(slot, rssi)
        guard advertisement.isConnectable, let attempt = slot.attempts.first,
            rssi + AirPath.fading(&random) >= AirPath.sensitivity
        else { return }
        establish(slot, attempt)
    }

    private func report(_ slot: AirSlot, _ mean: Int) {
        for place in scans.indices {
            let rssi = mean + AirPath.fading(&random)
            guard rssi >= AirPath.sensitivity else { continue }
            if !scans[place].reportsDuplicates {
                guard scans[place].reported[slot.number] != slot.advertisementGeneration else {
                    continue
                }
                scans[place].reported[slot.number] = slot.advertisementGeneration
            }
            var discovery = slot.discovery
            discovery.rssi = rssi
            emit(.heard(slot.number, discovery, tag: scans[place].tag))
        }
    }

    private func establish(_ slot: AirSlot, _ attempt: AirSlot.Attempt) {
        linkSerial &+= 1
        let parameters =
            slot.options.parameters.isPossible
            ? slot.options.parameters : AirPlacement().parameters
        let delay = 2_500 + random.below(parameters.interval.wholeMicroseconds)
        let link = AirLink(
            AirLinkNumber(device: slot.number, serial: linkSerial), central: attempt.central,
            tag: attempt.tag, anchor: now.advanced(byMicroseconds: delay),
            parameters: parameters, events: &events)
        slot.link = link
        events.cancel(slot.advertising)
        events.schedule(link.connectionEvent, at: link.anchor)
    }

    /// Runs the first connection event of a new link.
    func open(_ slot: AirSlot, _ link: AirLink) {
        guard slot.isReachable else {
            drop(slot, link)
            return updateAdvertising(slot)
        }
        let fault =
            faults.isIdle
            ? nil : faults.evaluate(.connection, of: slot.number, nil, [], at: now)
        if fault == .failedConnection {
            let reason = DisconnectReason(.outOfReach)
            return fail(
                link.tag, slot, BLEError(.disconnected, .connect, disconnectReason: reason))
        }
        attempts[link.tag] = nil
        slot.attempts.removeAll { $0.tag == link.tag }
        link.phase = .open
        note(slot, "connected")
        emit(.connected(link.number, tag: link.tag))
        deliver(slot, .connected)
        let mtu = min(slot.options.mtu, AirLimits.valueLength + 5)
        if mtu > AirLimits.defaultMTU, fault != .shortPackets, slot.link === link {
            enqueue(slot, link, toCentral: .mtuRequest(mtu))
        }
    }
}

extension AdapterState {
    var errorKind: BLEError.Kind {
        switch self {
        case .unsupported: .noBluetooth
        case .unauthorized: .unauthorized
        case .poweredOff, .unknown, .poweredOn: .bluetoothOff
        }
    }
}

extension PeripheralAdvertisement {
    /// The advertising interval, limited to what Bluetooth allows: 20 ms to 10.24 s.
    var microseconds: Int64 { min(max(interval.wholeMicroseconds, 20_000), 10_240_000) }
}

extension AirSlot {
    /// Sets the advertisement, and prepares the discovery that scans report.
    func advertise(_ advertisement: PeripheralAdvertisement?) {
        self.advertisement = advertisement
        advertisementGeneration += 1
        guard let advertisement else { return }
        let heard = AdvertisedDevice(
            advertisement.data, scanResponse: advertisement.scanResponse)
        let structures =
            advertisement.data.structures + (advertisement.scanResponse?.structures ?? [])
        discovery = Discovery(
            number.identity, name: heard.name?.text, services: heard.services,
            manufacturerData: structures.compactMap(ManufacturerData.init),
            isConnectable: advertisement.isConnectable, advertisement: advertisement.data)
    }
}

extension ManufacturerData {
    fileprivate init?(_ structure: AdvertisingStructure) {
        guard case .manufacturerData(let company, let bytes) = structure.content else {
            return nil
        }
        self.init(company: company, bytes: bytes)
    }
}
