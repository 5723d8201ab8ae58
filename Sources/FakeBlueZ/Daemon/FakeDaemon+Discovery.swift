#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// Looking for devices.
///
/// Without `DuplicateData`, an adapter hears a device once in a search, and again when it sends
/// something else; with it, each time that it advertises. Of what is heard again, a search with a
/// filter is told how strong it was each time; one without, only if that has changed by as much
/// as the daemon's source has it (seen, except for that threshold).
extension FakeDaemon {
    private static let rssiThreshold = 8
    /// Closer together than this, advertisements are not told of.
    private static let shortestInterval: Duration = .milliseconds(20)

    mutating func startSearch(_ request: DBusRequest, _ number: Int, _ client: String) {
        guard let adapter = adapters[number], adapter.isPowered else {
            return perform(.refuse(request, .notReady))
        }
        if quirks.searchInProgress > 0 {
            quirks.searchInProgress -= 1
            return perform(.refuse(request, .searchInProgress))
        }
        guard !adapter.searchers.contains(client) else {
            return perform(.refuse(request, .searchInProgress))
        }
        adapters[number]?.searchers.insert(client)
        perform(.reply(request, []))
        if !adapter.isSearching { set([Adapter1.discovering: .boolean(true)], adapter: number) }
        beginListening(number)
    }

    mutating func stopSearch(_ request: DBusRequest, _ number: Int, _ client: String) {
        guard let adapter = adapters[number], adapter.isPowered else {
            return perform(.refuse(request, .notReady))
        }
        guard adapter.searchers.contains(client) else {
            return perform(.refuse(request, .noDiscovery))
        }
        perform(.reply(request, []))
        endSearch(number, of: client)
    }

    mutating func setFilter(_ request: DBusRequest, _ number: Int, _ client: String) {
        guard let options = request.arguments.first, let filter = FakeFilter(options) else {
            return perform(.refuse(request, .invalid))
        }
        // An empty one takes the filter away.
        adapters[number]?.filters[client] = options.entries?.isEmpty == false ? filter : nil
        perform(.reply(request, []))
        if adapters[number]?.searchers.contains(client) == true { beginListening(number) }
    }

    /// A client no longer searches; when the last one stops, how strong devices are heard is
    /// known no longer, which is told before the end of the search (as seen).
    mutating func endSearch(_ number: Int, of client: String) {
        adapters[number]?.searchers.remove(client)
        guard adapters[number]?.isSearching == false else { return }
        adapters[number]?.hearing = [:]
        for device in devices.inOrder where device.adapter == number {
            loseRSSI(device.number)
            if quirks.forgetsWhenSearchEnds, device.isIdle, device.isTemporary {
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

    /// Begins to listen anew, also when somebody more searches.
    private mutating func beginListening(_ adapter: Int) {
        for number in airborne.keys.sorted() { hear(number, adapter, after: timing.finding) }
    }

    /// An adapter hears a device next after some time, and not before.
    private mutating func hear(_ number: Int, _ adapter: Int, after delay: Duration) {
        let time = nextNumber()
        adapters[adapter]?.hearing[number] = time
        wake(after: delay, .hears(adapter: adapter, remote: number, time))
    }

    /// A device advertises something else, or is back.
    mutating func advertises(_ number: Int) {
        guard isRunning else { return }
        for adapter in adapters.inOrder where adapter.isSearching {
            hear(number, adapter.number, after: timing.finding)
        }
        for device in devices.inOrder where device.airborne == number { tryToMeet(device.number) }
    }

    mutating func hears(_ adapterNumber: Int, _ number: Int, _ time: UInt64) {
        guard let adapter = adapters[adapterNumber], adapter.hearing[number] == time,
            adapter.isSearching, let airborne = airborne[number],
            airborne.ownAdapter != adapterNumber, let heard = airborne.heard
        else { return }
        report(heard, airborne, adapter)
        let interval = adapter.hasDuplicates ? airborne.advertisement?.interval : nil
        if timing.fading != nil { self.airborne[number]?.isFaded.toggle() }
        if let next = [interval, timing.fading].compactMap({ $0 }).min() {
            hear(number, adapterNumber, after: max(next, Self.shortestInterval))
        }
    }

    private mutating func report(
        _ heard: FakeHeard, _ airborne: FakeAirborne, _ adapter: FakeAdapter
    ) {
        if quirks.diesOfServiceFilters, adapter.looksForServices, !heard.services.isEmpty {
            return perform(.die)
        }
        guard adapter.isWanted(heard, address: airborne.address) else { return }
        guard let number = device(airborne.number, on: adapter.number) else {
            _ = add(airborne, adapter, hasRSSI: true)
            return
        }
        let threshold = adapter.hasFilter ? 0 : Self.rssiThreshold
        let changes = devices[number]?.hear(
            heard, threshold: threshold, isComplete: adapter.hasDuplicates)
        if let changes, !changes.isEmpty { set(changes, device: number) }
    }

    // MARK: - Knowing and forgetting

    /// The device that an adapter knows, by what the radio meets.
    func device(_ airborne: Int, on adapter: Int) -> Int? {
        devices.values.first { $0.adapter == adapter && $0.airborne == airborne }?.number
    }

    /// A device becomes known, with what it advertises, if it does.
    mutating func add(
        _ airborne: FakeAirborne, _ adapter: FakeAdapter, hasRSSI: Bool = false
    ) -> Int {
        let number = Int(clamping: nextNumber())
        let device = FakeDevice(number, adapter, airborne, hasRSSI: hasRSSI)
        devices[number] = device
        let object = device.object(
            on: adapter, isAddressRandom: airborne.isAddressRandom, quirks)
        perform(.export(object, device.path, .device(number)))
        return number
    }

    /// A device that nobody has connected to is forgotten when it has not been seen for a while
    /// (as the daemon's source has it: thirty seconds).
    mutating func scheduleForgetting(_ number: Int) {
        guard let device = devices[number], device.isTemporary, device.isIdle else { return }
        let time = nextNumber()
        devices[number]?.forgetting = time
        wake(after: timing.forgetting, .forgets(device: number, time))
    }

    mutating func forgets(_ number: Int, _ time: UInt64) {
        guard let device = devices[number], device.forgetting == time, device.isTemporary,
            device.isIdle, !device.hasRSSI
        else { return }
        remove(number)
    }

    /// A device is known no longer: its link ends, and its objects go.
    mutating func remove(_ number: Int) {
        endAttempt(number, .connectionCancelled)
        devices[number]?.isLeavingForGood = false
        endLink(number, BlueZReason.local)
        unexportServices(number)
        guard let device = devices.removeValue(forKey: number) else { return }
        perform(.unexport(device.path))
        perform(.letGo(device.unanswered))
    }

    mutating func set(_ values: [String: DBusValue?], device number: Int) {
        guard let device = devices[number] else { return }
        perform(.set(values, of: Device1.interfaceName, at: device.path))
    }
}

extension FakeDevice {
    /// Keeps an advertisement, and returns the properties that the daemon announces for it: the
    /// RSSI if it is new, or has changed by at least the threshold; everything else if it has
    /// changed, or if `isComplete`.
    fileprivate mutating func hear(
        _ heard: FakeHeard, threshold: Int, isComplete: Bool
    ) -> [String: DBusValue?] {
        var changes: [String: DBusValue?] = [:]
        let distance = abs(Int(self.heard?.rssi ?? 0) - Int(heard.rssi))
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
            changes[Device1.uuiDs] = .uuids(uuids)
        }
        self.heard = heard
        return changes
    }
}

/// What the radios meet.
extension FakeDaemon {
    /// Something comes within reach. It is to be started after this. Who knows its address from
    /// before takes it for the same device.
    mutating func meet(
        _ remote: any FakeRemote, address: String?, isAddressRandom: Bool, ownAdapter: Int?,
        rssi: Int16
    ) -> FakeAirborne {
        let number = Int(clamping: nextNumber())
        var new = FakeAirborne(
            number, remote, address ?? FakeAddress.random(number),
            isAddressRandom: isAddressRandom, ownAdapter: ownAdapter, rssi: rssi)
        // Of two that say that they are the same, the first is heard.
        new.isAway = airborne.values.contains { $0.address == new.address }
        airborne[number] = new
        guard !new.isAway else { return new }
        for device in devices.inOrder where device.airborneAddress == new.address {
            devices[device.number]?.airborne = number
        }
        return new
    }

    /// A remote does something by itself.
    mutating func remoteDid(_ event: FakeRemoteEvent, _ number: Int) {
        switch event {
        case .notify(let attribute, let value):
            deliver(value, of: attribute, number, isIndicated: false)
        case .indicate(let attribute, let value):
            deliver(value, of: attribute, number, isIndicated: true)
        case .advertise(let advertisement):
            airborne[number]?.advertisement = advertisement
            if advertisement != nil, airborne[number] != nil { advertises(number) }
        case .servicesChanged:
            if let device = airborne[number]?.device, let link = devices[device]?.link,
                link.isResolved
            {
                resolves(device, link.number)
            }
        case .disconnect:
            if let device = airborne[number]?.device { endLink(device, BlueZReason.remote) }
        case .gone:
            leave(number)
        }
    }

    /// Something is out of reach for good; adapters forget it as they forget any other.
    mutating func leave(_ number: Int) {
        guard let gone = airborne[number] else { return }
        airborne[number]?.isAway = true
        if let device = gone.device { endLink(device, BlueZReason.timeout) }
        airborne[number] = nil
        perform(.remote(gone.remote, .stop))
        guard isRunning else { return }
        for device in devices.inOrder where device.airborne == number {
            scheduleForgetting(device.number)
        }
    }

    /// Something is out of reach for a while, or back.
    mutating func setAway(_ isAway: Bool, _ number: Int) {
        guard let airborne = airborne[number], airborne.isAway != isAway else { return }
        self.airborne[number]?.isAway = isAway
        guard isRunning else { return }
        if isAway, let device = airborne.device { endLink(device, BlueZReason.timeout) }
        if !isAway { advertises(number) }
    }
}
#endif
