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

    mutating func startSearch(
        _ request: DBusRequest, _ adapter: FakeAdapter, _ client: String
    ) {
        guard adapter.isPowered else { return perform(.refuse(request, .notReady)) }
        if quirks.searchInProgress > 0 {
            quirks.searchInProgress -= 1
            return perform(.refuse(request, .searchInProgress))
        }
        guard !adapter.searchers.contains(client) else {
            return perform(.refuse(request, .searchInProgress))
        }
        let isFirst = !adapter.isSearching
        adapter.searchers.insert(client)
        perform(.reply(request, []))
        if isFirst { set([Adapter1.discovering: .boolean(true)], adapter) }
        beginListening(adapter)
    }

    mutating func stopSearch(
        _ request: DBusRequest, _ adapter: FakeAdapter, _ client: String
    ) {
        guard adapter.isPowered else { return perform(.refuse(request, .notReady)) }
        guard adapter.searchers.contains(client) else {
            return perform(.refuse(request, .noDiscovery))
        }
        perform(.reply(request, []))
        endSearch(adapter, of: client)
    }

    mutating func setFilter(
        _ request: DBusRequest, _ adapter: FakeAdapter, _ client: String
    ) {
        guard let options = request.arguments.first, let filter = FakeFilter(options) else {
            return perform(.refuse(request, .invalid))
        }
        // An empty one takes the filter away.
        adapter.filters[client] = options.entries?.isEmpty == false ? filter : nil
        perform(.reply(request, []))
        if adapter.searchers.contains(client) { beginListening(adapter) }
    }

    /// A client no longer searches; when the last one stops, how strong devices are heard is
    /// known no longer, which is told before the end of the search (as seen).
    mutating func endSearch(_ adapter: FakeAdapter, of client: String) {
        adapter.searchers.remove(client)
        guard !adapter.isSearching else { return }
        adapter.hearing = [:]
        for device in adapter.devices.values.sorted(by: { $0.number < $1.number }) {
            loseRSSI(device)
            let isIdle = device.link == nil && device.attempt == nil
            if quirks.forgetsWhenSearchEnds, isIdle, device.isTemporary {
                remove(device)
            } else {
                scheduleForgetting(device)
            }
        }
        set([Adapter1.discovering: .boolean(false)], adapter)
    }

    mutating func loseRSSI(_ device: FakeDevice) {
        guard device.hasRSSI else { return }
        device.hasRSSI = false
        set([Device1.rssi: nil], device)
    }

    /// Begins to listen anew, also when somebody more searches.
    private mutating func beginListening(_ adapter: FakeAdapter) {
        for number in airborne.keys.sorted() { hear(number, adapter, after: timing.finding) }
    }

    /// An adapter hears a device next after some time, and not before.
    private mutating func hear(_ number: Int, _ adapter: FakeAdapter, after delay: Duration) {
        let time = nextNumber()
        adapter.hearing[number] = time
        wake(after: delay, .hears(adapter: adapter.number, remote: number, time))
    }

    /// A device advertises something else, or is back.
    mutating func advertises(_ number: Int) {
        guard isRunning else { return }
        for adapter in adapters.values where adapter.isSearching {
            hear(number, adapter, after: timing.finding)
        }
        for device in devices.values where device.airborne.number == number {
            tryToMeet(device)
        }
    }

    mutating func hears(_ adapterNumber: Int, _ number: Int, _ time: UInt64) {
        guard let adapter = adapters[adapterNumber], adapter.hearing[number] == time,
            adapter.isSearching, let airborne = airborne[number],
            airborne.ownAdapter != adapterNumber, let heard = airborne.heard
        else { return }
        report(heard, airborne, adapter)
        let interval = adapter.hasDuplicates ? airborne.advertisement?.interval : nil
        if timing.fading != nil { airborne.isFaded.toggle() }
        if let next = [interval, timing.fading].compactMap({ $0 }).min() {
            hear(number, adapter, after: max(next, Self.shortestInterval))
        }
    }

    private mutating func report(
        _ heard: FakeHeard, _ airborne: FakeAirborne, _ adapter: FakeAdapter
    ) {
        if quirks.diesOfServiceFilters, adapter.looksForServices, !heard.services.isEmpty {
            return perform(.die)
        }
        guard adapter.isWanted(heard, address: airborne.address) else { return }
        guard let device = adapter.devices[airborne.number] else {
            _ = add(airborne, adapter, hasRSSI: true)
            return
        }
        var changes: [String: DBusValue?] = [:]
        let old = device.heard
        let distance = abs(Int(old?.rssi ?? 0) - Int(heard.rssi))
        if !device.hasRSSI || adapter.hasFilter || distance >= Self.rssiThreshold {
            changes[Device1.rssi] = .int16(heard.rssi)
            device.hasRSSI = true
        }
        if heard.properties != old?.properties || adapter.hasDuplicates {
            for (name, value) in heard.properties { changes[name] = value }
        }
        if let name = heard.name, name != device.name {
            device.name = name
            changes[Device1.name] = .string(name)
            changes[Device1.alias] = .string(device.shownAlias)
        }
        let isNew = heard.services.contains { !device.uuids.contains($0) }
        if isNew, device.gatt == nil {
            device.uuids += heard.services.filter { !device.uuids.contains($0) }
            changes[Device1.uuiDs] = device.shownUUIDs
        }
        device.heard = heard
        if !changes.isEmpty { set(changes, device) }
    }

    // MARK: - Knowing and forgetting

    /// A device becomes known, with what it advertises, if it does.
    mutating func add(
        _ airborne: FakeAirborne, _ adapter: FakeAdapter, hasRSSI: Bool = false
    ) -> FakeDevice {
        let device = FakeDevice(Int(clamping: nextNumber()), adapter, airborne)
        devices[device.number] = device
        adapter.devices[airborne.number] = device
        device.heard = airborne.heard
        device.name = airborne.heard?.name
        device.uuids = airborne.heard?.services ?? []
        device.hasRSSI = hasRSSI
        perform(.export(device.object(quirks), device.path, .device(device.number)))
        return device
    }

    /// A device that nobody has connected to is forgotten when it has not been seen for a while
    /// (as the daemon's source has it: thirty seconds).
    mutating func scheduleForgetting(_ device: FakeDevice) {
        guard device.isTemporary, device.link == nil, device.attempt == nil else { return }
        device.forgetting = nextNumber()
        wake(after: timing.forgetting, .forgets(device: device.number, device.forgetting))
    }

    mutating func forgets(_ number: Int, _ time: UInt64) {
        guard let device = devices[number], device.forgetting == time, device.isTemporary,
            device.link == nil, device.attempt == nil, !device.hasRSSI
        else { return }
        remove(device)
    }

    /// A device is known no longer: its link ends, and its objects go.
    mutating func remove(_ device: FakeDevice) {
        if let attempt = device.attempt {
            device.attempt = nil
            for request in attempt.requests + attempt.pairing {
                perform(.refuse(request, .connectionCancelled))
            }
        }
        device.isLeavingForGood = false
        endLink(device, BlueZReason.local)
        unexportServices(device)
        devices[device.number] = nil
        device.adapter.devices[device.airborne.number] = nil
        perform(.unexport(device.path))
        perform(.letGo(device.unanswered))
        device.unanswered = []
    }

    mutating func set(_ values: [String: DBusValue?], _ device: FakeDevice) {
        perform(.set(values, of: Device1.interfaceName, at: device.path))
    }
}
#endif
