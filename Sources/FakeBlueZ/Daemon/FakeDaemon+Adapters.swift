#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus

/// Adapters: on and off, there and not, and what is asked of them.
extension FakeDaemon {
    mutating func addAdapter(_ number: Int) {
        guard adapters[number] == nil else { return }
        let adapter = FakeAdapter(number)
        adapters[number] = adapter
        guard isRunning else { return }
        perform(.export(adapter.object(quirks), adapter.path, .adapter(number)))
    }

    /// An adapter is pulled out: told in the order that was seen.
    mutating func removeAdapter(_ number: Int) {
        guard let adapter = adapters[number] else { return }
        if isRunning {
            switchOff(adapter, isPulledOut: true)
            for device in adapter.devices.values { remove(device) }
            perform(.unexport(adapter.path))
        }
        adapters[number] = nil
        perform(.adapterLeft(number))
    }

    /// Whoever asked is answered just before the adapter's own word (seen): that of the links
    /// that end comes before.
    mutating func setPowered(
        _ isOn: Bool, _ adapter: FakeAdapter, for request: DBusRequest? = nil
    ) {
        guard adapter.isPowered != isOn, !(isOn && adapter.isBlocked) else {
            if let request { perform(.acknowledge(request)) }
            return
        }
        guard isOn else { return switchOff(adapter, isPulledOut: false, for: request) }
        adapter.isPowered = true
        if let request { perform(.acknowledge(request)) }
        set([Adapter1.powered: .boolean(true)], adapter)
        setDeviceAway(false, adapter)
    }

    /// What programs have registered on an adapter is heard only while it is on.
    private mutating func setDeviceAway(_ isAway: Bool, _ adapter: FakeAdapter) {
        for airborne in airborne.values where airborne.ownAdapter == adapter.number {
            setAway(isAway, airborne.number)
        }
    }

    /// Links end and searches, too, and devices go that nobody has connected to. Taken out, it
    /// says that it is off before that of the links; switched off, after it.
    private mutating func switchOff(
        _ adapter: FakeAdapter, isPulledOut: Bool, for request: DBusRequest? = nil
    ) {
        guard adapter.isPowered else { return }
        adapter.isPowered = false
        adapter.searchers = []
        adapter.hearing = [:]
        guard isRunning else { return }
        let off: [String: DBusValue?] = [
            Adapter1.powered: .boolean(false), Adapter1.discovering: .boolean(false),
        ]
        if isPulledOut { set(off, adapter) }
        for device in adapter.devices.values {
            // What waits for a link is not told of its end: seen on 5.66, also after a minute.
            if let attempt = device.attempt { keep(attempt, device) }
            endLink(device, BlueZReason.local)
            if device.isTemporary {
                remove(device)
            } else {
                loseRSSI(device)
            }
        }
        setDeviceAway(true, adapter)
        if let request { perform(.acknowledge(request)) }
        if !isPulledOut { set(off, adapter) }
        // For ever is also after that (its source; the kernel ends what has a limit).
        if adapter.discoverableTimeout > 0 { setDiscoverable(false, adapter) }
    }

    /// Lets others see an adapter, or no longer; for a limited time, if that was said.
    private mutating func setDiscoverable(_ isOn: Bool, _ adapter: FakeAdapter) {
        guard adapter.isDiscoverable != isOn else { return }
        adapter.isDiscoverable = isOn
        set([Adapter1.discoverable: .boolean(isOn)], adapter)
        perform(.adapterShown(adapter.number))
        limitDiscoverable(adapter)
    }

    private mutating func limitDiscoverable(_ adapter: FakeAdapter) {
        adapter.discoverableNumber = nextNumber()
        guard adapter.isDiscoverable, adapter.discoverableTimeout > 0 else { return }
        wake(
            after: .seconds(Int64(adapter.discoverableTimeout)),
            .hides(adapter: adapter.number, adapter.discoverableNumber))
    }

    mutating func hides(_ number: Int, _ time: UInt64) {
        guard let adapter = adapters[number], adapter.discoverableNumber == time else { return }
        setDiscoverable(false, adapter)
    }

    private mutating func keep(_ attempt: FakeAttempt, _ device: FakeDevice) {
        device.attempt = nil
        device.unanswered += attempt.requests + attempt.pairing
    }

    mutating func setBlocked(_ isBlocked: Bool, _ adapter: FakeAdapter) {
        guard adapter.isBlocked != isBlocked else { return }
        adapter.isBlocked = isBlocked
        if isBlocked {
            adapter.wasPowered = adapter.isPowered
            setPowered(false, adapter)
        } else if adapter.wasPowered {
            setPowered(true, adapter)
        }
    }

    mutating func set(_ values: [String: DBusValue?], _ adapter: FakeAdapter) {
        guard isRunning else { return }
        perform(.set(values, of: Adapter1.interfaceName, at: adapter.path))
    }

    // MARK: - What is asked

    mutating func receive(_ request: DBusRequest, _ adapter: FakeAdapter) {
        switch request.interface {
        case GattManager1.interfaceName, LEAdvertisingManager1.interfaceName,
            Media1.interfaceName:
            return perform(.register(request, adapter: adapter.number))
        case Adapter1.interfaceName: break
        default: return perform(.refuse(request, .notSupported))
        }
        if case .property(let name, let value) = request.subject {
            return receiveProperty(name, value, request, adapter)
        }
        let client = request.sender ?? ""
        switch request.member {
        case Adapter1.startDiscovery: startSearch(request, adapter, client)
        case Adapter1.stopDiscovery: stopSearch(request, adapter, client)
        case Adapter1.setDiscoveryFilter: setFilter(request, adapter, client)
        case Adapter1.getDiscoveryFilters:
            perform(.reply(request, [.strings(DiscoveryFilter.all)]))
        case Adapter1.removeDevice:
            guard let path = request.arguments.first?.objectPath,
                let device = adapter.devices.values.first(where: { $0.path == path })
            else { return perform(.refuse(request, .doesNotExist)) }
            guard device.link == nil else {
                // The link ends first, which takes its time; the objects go after the answer.
                device.isLeavingForGood = true
                return disconnect(request, device)
            }
            remove(device)
            perform(.reply(request, []))
        default:
            perform(.refuse(request, .notSupported))
        }
    }

    private mutating func receiveProperty(
        _ name: String, _ value: DBusValue, _ request: DBusRequest, _ adapter: FakeAdapter
    ) {
        switch (name, value) {
        case (Adapter1.powered, .boolean(let isOn)):
            guard !(isOn && adapter.isBlocked) else {
                return perform(.refuse(request, .notSwitchedOn))
            }
            setPowered(isOn, adapter, for: request)
        case (Adapter1.alias, .string(let alias)):
            adapter.alias = alias.isEmpty ? nil : alias
            perform(.acknowledge(request))
            set([Adapter1.alias: .string(adapter.alias ?? FakeAdapter.name)], adapter)
        case (Adapter1.discoverable, .boolean(let isOn)):
            guard adapter.isPowered || adapter.discoverableTimeout == 0 else {
                return perform(.refuse(request, .notPowered))
            }
            perform(.acknowledge(request))
            setDiscoverable(isOn, adapter)
        case (Adapter1.discoverableTimeout, .uint32(let seconds)):
            adapter.discoverableTimeout = seconds
            perform(.accept(request))
            limitDiscoverable(adapter)
        default:
            perform(.accept(request))
        }
    }
}
#endif
