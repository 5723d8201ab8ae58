#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

/// Discovery.
///
/// Without `DuplicateData`, an adapter receives a device once per discovery, and again when the
/// advertisement changes; with it, each advertisement. For a known device, a discovery with a
/// filter announces each RSSI; one without, only changes by the threshold in the daemon's source
/// (seen, except for that threshold).
extension FakeDaemon {
    private static let rssiThreshold = 8
    private static let shortestInterval: Duration = .milliseconds(20)

    mutating func startSearch(_ request: DBusRequest, _ number: Int) throws(DBusRefusal) {
        guard let adapter = adapters[number], adapter.isPowered else { throw .notReady }
        if quirks.searchInProgress > 0 {
            quirks.searchInProgress -= 1
            throw .searchInProgress
        }
        guard !adapter.searchers.contains(request.client) else { throw .searchInProgress }
        adapters[number]?.searchers.insert(request.client)
        put(.reply(request, []))
        if !adapter.isSearching { set([Adapter1.discovering: .boolean(true)], adapter: number) }
        beginListening(number)
    }

    mutating func stopSearch(_ request: DBusRequest, _ number: Int) throws(DBusRefusal) {
        guard let adapter = adapters[number], adapter.isPowered else { throw .notReady }
        guard adapter.searchers.contains(request.client) else { throw .noDiscovery }
        put(.reply(request, []))
        endSearch(number, of: request.client)
    }

    mutating func setFilter(_ request: DBusRequest, _ number: Int) throws(DBusRefusal) {
        guard adapters[number]?.isPowered == true else { throw .notReady }
        guard let options = request.arguments.first, let filter = FakeFilter(options) else {
            throw .invalid
        }
        // An empty filter removes the client's filter.
        adapters[number]?.filters[request.client] = options.entries?.isEmpty == false ? filter : nil
        put(.reply(request, []))
        if adapters[number]?.searchers.contains(request.client) == true { beginListening(number) }
    }

    /// Ends a client's discovery; with the last one the RSSI of all devices is removed, which is
    /// announced before the end of discovery (as seen).
    mutating func endSearch(_ number: Int, of client: String) {
        adapters[number]?.searchers.remove(client)
        guard adapters[number]?.isSearching == false else { return }
        for device in devices.inOrder where device.adapter == number {
            loseRSSI(device.number)
            if quirks.forgetsWhenSearchEnds, device.isTemporary {
                remove(device.number)
            } else {
                scheduleForgetting(device.number)
            }
        }
        set([Adapter1.discovering: .boolean(false)], adapter: number)
    }

    mutating func loseRSSI(_ number: Int) {
        guard devices[number]?.hasRSSI == true else { return }
        devices[number]?.hasRSSI = false
        set([Device1.rssi: nil], device: number)
    }

    /// Restarts the reception, also for a further client.
    private mutating func beginListening(_ adapter: Int) {
        for number in peripherals.keys.sorted() { hear(number, adapter, after: timing.finding) }
    }

    /// Schedules the next reception of a device, in place of an earlier schedule.
    private mutating func hear(_ number: Int, _ adapter: Int, after delay: Duration) {
        let time = nextNumber()
        adapters[adapter]?.hearing[number] = time
        wake(after: delay) { $0.hears(adapter, number, time) }
    }

    /// Handles a changed advertisement, or the return of a device.
    mutating func advertises(_ number: Int) {
        for adapter in adapters.inOrder where adapter.isSearching {
            hear(number, adapter.number, after: timing.finding)
        }
        for device in devices.inOrder where device.peripheral == number {
            tryToConnect(device.number)
        }
    }

    private mutating func hears(_ adapterNumber: Int, _ number: Int, _ time: UInt64) {
        guard let adapter = adapters[adapterNumber], adapter.hearing[number] == time,
            adapter.isSearching, let peripheral = peripherals[number],
            peripheral.ownAdapter != adapterNumber, let heard = peripheral.heard
        else { return }
        report(heard, peripheral, adapter)
        let interval = adapter.hasDuplicates ? peripheral.advertisement?.interval : nil
        if timing.fading != nil { self.peripherals[number]?.isFaded.toggle() }
        if let next = [interval, timing.fading].compactMap({ $0 }).min() {
            hear(number, adapterNumber, after: max(next, Self.shortestInterval))
        }
    }

    private mutating func report(
        _ heard: FakeHeard, _ peripheral: FakePeripheral, _ adapter: FakeAdapter
    ) {
        if quirks.diesOfServiceFilters, adapter.looksForServices, !heard.services.isEmpty {
            return put(.die)
        }
        guard adapter.isWanted(heard, address: peripheral.address) else { return }
        guard let number = device(peripheral.number, on: adapter.number) else {
            _ = add(peripheral, adapter, hasRSSI: true)
            return
        }
        let threshold = adapter.hasFilter ? 0 : Self.rssiThreshold
        let changes = devices[number]?.hear(
            heard, threshold: threshold, isComplete: adapter.hasDuplicates)
        if let changes, !changes.isEmpty { set(changes, device: number) }
    }

    // MARK: - Knowing and forgetting

    func device(_ peripheral: Int, on adapter: Int) -> Int? {
        devices.values.first { $0.adapter == adapter && $0.peripheral == peripheral }?.number
    }

    mutating func add(
        _ peripheral: FakePeripheral, _ adapter: FakeAdapter, hasRSSI: Bool = false
    ) -> Int {
        let number = Int(clamping: nextNumber())
        let device = FakeDevice(number, adapter, peripheral, hasRSSI: hasRSSI)
        devices[number] = device
        let object = device.object(
            on: adapter, isAddressRandom: peripheral.isAddressRandom, quirks)
        put(.export(object, device.path, .device(number)))
        return number
    }

    /// Schedules the removal of a device that no client has connected to, for the case that it is
    /// not received for a while (the daemon's source: thirty seconds).
    mutating func scheduleForgetting(_ number: Int) {
        guard devices[number]?.isTemporary == true else { return }
        let time = nextNumber()
        devices[number]?.forgetting = time
        wake(after: timing.forgetting) { $0.forgets(number, time) }
    }

    private mutating func forgets(_ number: Int, _ time: UInt64) {
        guard let device = devices[number], device.forgetting == time, device.isTemporary,
            !device.hasRSSI
        else { return }
        remove(number)
    }

    mutating func remove(_ number: Int) {
        endAttempt(number, .connectionCancelled)
        endLink(number, BlueZReason.local)
        unexportServices(number)
        guard let device = devices.removeValue(forKey: number) else { return }
        put(.unexport(device.path))
        put(.drop(device.unanswered))
    }

    mutating func set(_ values: [String: DBusValue?], device number: Int) {
        guard let device = devices[number] else { return }
        put(.set(values, of: Device1.interfaceName, at: device.path))
    }
}

extension FakeDevice {
    /// Stores an advertisement, and returns the properties that the daemon announces for it. The
    /// RSSI is among them if it is new, or has changed by at least the threshold; the others if
    /// they have changed, or if `isComplete`.
    fileprivate mutating func hear(
        _ heard: FakeHeard, threshold: Int, isComplete: Bool
    ) -> [String: DBusValue?] {
        var changes: [String: DBusValue?] = [:]
        let distance = self.heard.map { abs(Int($0.rssi) - Int(heard.rssi)) } ?? .max
        if !hasRSSI || distance >= threshold {
            changes[Device1.rssi] = .int16(heard.rssi)
            hasRSSI = true
        }
        if heard.properties != self.heard?.properties || isComplete {
            for (name, value) in heard.properties { changes[name] = value }
        }
        if let name = heard.name, name != self.name {
            self.name = name
            changes[Device1.name] = .string(name)
            changes[Device1.alias] = .string(shownAlias)
        }
        let new = heard.services.filter { !uuids.contains($0) }
        if !new.isEmpty, gatt == nil {
            uuids += new
            changes[Device1.uuids] = .uuids(uuids)
        }
        self.heard = heard
        return changes
    }
}

extension FakeDaemon {
    /// Adds a device within reach, which is started afterwards. A known address is the same device.
    mutating func addPeripheral(
        _ remote: any FakeRemote, address: String?, isAddressRandom: Bool, ownAdapter: Int?,
        rssi: Int16
    ) -> FakePeripheral {
        let number = Int(clamping: nextNumber())
        var new = FakePeripheral(
            number: number, remote: remote, address: address ?? FakeAddress.random(number),
            isAddressRandom: isAddressRandom, ownAdapter: ownAdapter, rssi: rssi)
        new.isAway = isInReach(new.address)
        peripherals[number] = new
        if !new.isAway { recognize(new) }
        return new
    }

    /// `true` if a device with this address is within reach: it is received, and no other.
    private func isInReach(_ address: String) -> Bool {
        peripherals.values.contains { $0.address == address && !$0.isAway }
    }

    /// Makes a device that is within reach the one of the device objects with its address.
    private mutating func recognize(_ peripheral: FakePeripheral) {
        for device in devices.inOrder where device.address == peripheral.address {
            devices[device.number]?.peripheral = peripheral.number
        }
    }

    mutating func remoteDid(_ effect: PeripheralEffect, _ number: Int) {
        switch effect {
        case .value(let value, let token): answered(token, .success(value), number)
        case .done(let token): answered(token, .success([]), number)
        case .refuse(let error, let token): answered(token, .failure(error), number)
        case .notify(let attribute, let value):
            deliver(value, of: attribute, number, isIndicated: false)
        case .indicate(let attribute, let value):
            deliver(value, of: attribute, number, isIndicated: true)
        case .advertise(let advertisement):
            peripherals[number]?.advertisement = advertisement
            advertises(number)
        case .servicesChanged:
            if let device = peripherals[number]?.device, let link = devices[device]?.link,
                link.isResolved
            {
                resolves(device, link.number)
            }
        case .disconnect:
            if let device = peripherals[number]?.device { endLink(device, BlueZReason.remote) }
        case .wake, .requestParameters: break
        }
    }

    /// Removes a device for good; adapters remove its objects in the same way as for any other
    /// device.
    mutating func removePeripheral(_ number: Int) {
        setAway(true, number)
        guard let gone = peripherals.removeValue(forKey: number) else { return }
        put(.remote(gone.remote, .stop))
        for device in devices.inOrder where device.peripheral == number {
            scheduleForgetting(device.number)
        }
    }

    /// Takes a device out of reach, or brings it back, unless one with its address is in reach.
    mutating func setAway(_ isAway: Bool, _ number: Int) {
        guard let peripheral = peripherals[number], peripheral.isAway != isAway,
            isAway || !isInReach(peripheral.address)
        else { return }
        self.peripherals[number]?.isAway = isAway
        guard !isAway else {
            if let device = peripheral.device { endLink(device, BlueZReason.timeout) }
            return
        }
        recognize(peripheral)
        advertises(number)
    }
}
#endif
