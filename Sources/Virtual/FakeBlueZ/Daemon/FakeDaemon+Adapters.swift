#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus

extension FakeDaemon {
    mutating func addAdapter(_ number: Int) {
        guard adapters[number] == nil else { return }
        let adapter = FakeAdapter(number)
        adapters[number] = adapter
        guard isRunning else { return }
        put(.export(adapter.object(quirks), adapter.path, .adapter(number)))
    }

    /// Removes an adapter; the signals have the order that was seen.
    mutating func removeAdapter(_ number: Int) {
        guard let adapter = adapters[number] else { return }
        if isRunning {
            switchOff(number, isPulledOut: true)
            for device in devices.inOrder where device.adapter == number { remove(device.number) }
            put(.unexport(adapter.path))
        }
        adapters[number] = nil
        put(.adapterRemoved(number))
    }

    /// Powers an adapter on or off. The reply comes just before the change of the property (seen);
    /// the ends of links come before both.
    mutating func setPowered(_ isOn: Bool, _ number: Int, for request: DBusRequest? = nil) {
        guard let adapter = adapters[number], adapter.isPowered != isOn,
            !(isOn && adapter.isBlocked)
        else {
            if let request { put(.acknowledge(request)) }
            return
        }
        guard isOn else { return switchOff(number, isPulledOut: false, for: request) }
        adapters[number]?.isPowered = true
        if let request { put(.acknowledge(request)) }
        set([Adapter1.powered: .boolean(true)], adapter: number)
        setDeviceAway(false, number)
    }

    /// Devices that programs have registered on an adapter are received only while it is on.
    private mutating func setDeviceAway(_ isAway: Bool, _ number: Int) {
        for peripheral in peripherals.inOrder where peripheral.ownAdapter == number {
            setAway(isAway, peripheral.number)
        }
    }

    /// Ends links and discoveries, and removes devices that no client has connected to. For an
    /// adapter that is pulled out, `Powered` changes before the links; for one that is powered off,
    /// after them.
    private mutating func switchOff(
        _ number: Int, isPulledOut: Bool, for request: DBusRequest? = nil
    ) {
        guard let adapter = adapters[number], adapter.isPowered else { return }
        adapters[number]?.isPowered = false
        adapters[number]?.searchers = []
        guard isRunning else { return }
        let off: [String: DBusValue?] = [
            Adapter1.powered: .boolean(false), Adapter1.discovering: .boolean(false),
        ]
        if isPulledOut { set(off, adapter: number) }
        for device in devices.inOrder where device.adapter == number {
            // Pending attempts get no reply: seen on 5.66, also after a minute.
            devices[device.number]?.keepAttempt()
            endLink(device.number, BlueZReason.local)
            if device.isTemporary {
                remove(device.number)
            } else {
                loseRSSI(device.number)
            }
        }
        setDeviceAway(true, number)
        if let request { put(.acknowledge(request)) }
        if !isPulledOut { set(off, adapter: number) }
        // Without a timeout the adapter stays discoverable (its source; the kernel ends only a
        // limited discoverability).
        if adapter.discoverableTimeout > 0 { setDiscoverable(false, number) }
    }

    private mutating func setDiscoverable(_ isOn: Bool, _ number: Int) {
        guard let adapter = adapters[number], adapter.isDiscoverable != isOn else { return }
        adapters[number]?.isDiscoverable = isOn
        set([Adapter1.discoverable: .boolean(isOn)], adapter: number)
        put(.discoverabilityChanged(number))
    }

    mutating func setBlocked(_ isBlocked: Bool, _ number: Int) {
        guard let adapter = adapters[number], adapter.isBlocked != isBlocked else { return }
        adapters[number]?.isBlocked = isBlocked
        if isBlocked {
            adapters[number]?.wasPowered = adapter.isPowered
            setPowered(false, number)
        } else if adapter.wasPowered {
            setPowered(true, number)
        }
    }

    mutating func set(_ values: [String: DBusValue?], adapter number: Int) {
        guard isRunning, let adapter = adapters[number] else { return }
        put(.set(values, of: Adapter1.interfaceName, at: adapter.path))
    }

    // MARK: - Requests

    mutating func receive(_ request: DBusRequest, adapter number: Int) throws(DBusRefusal) {
        switch request.interface {
        case GattManager1.interfaceName, LEAdvertisingManager1.interfaceName:
            return put(.register(request, adapter: number))
        case Adapter1.interfaceName: break
        default: throw .notSupported
        }
        if case .property(let name, let value) = request.subject {
            return try receiveProperty(name, value, request, number)
        }
        switch request.member {
        case Adapter1.startDiscovery: try startSearch(request, number)
        case Adapter1.stopDiscovery: try stopSearch(request, number)
        case Adapter1.setDiscoveryFilter: try setFilter(request, number)
        case Adapter1.getDiscoveryFilters:
            put(.reply(request, [.strings(DiscoveryFilter.all)]))
        case Adapter1.removeDevice:
            guard let path = request.arguments.first?.objectPath,
                let device = devices.values.first(where: {
                    $0.adapter == number && $0.path == path
                })
            else { throw .doesNotExist }
            guard adapters[number]?.isPowered == true else { throw .notReady }
            guard device.link == nil else {
                // The link ends first, which takes time; the objects are removed after the reply.
                devices[device.number]?.isRemovedAtLinkEnd = true
                return disconnect(request, device.number)
            }
            remove(device.number)
            put(.reply(request, []))
        default:
            throw .notSupported
        }
    }

    private mutating func receiveProperty(
        _ name: String, _ value: DBusValue, _ request: DBusRequest, _ number: Int
    ) throws(DBusRefusal) {
        guard let adapter = adapters[number] else { return }
        switch (name, value) {
        case (Adapter1.powered, .boolean(let isOn)):
            guard !(isOn && adapter.isBlocked) else { throw .notSwitchedOn }
            setPowered(isOn, number, for: request)
        case (Adapter1.alias, .string(let alias)):
            let shown = alias.isEmpty ? FakeAdapter.name : alias
            adapters[number]?.alias = shown
            put(.acknowledge(request))
            if shown != adapter.alias { set([Adapter1.alias: .string(shown)], adapter: number) }
        case (Adapter1.discoverable, .boolean(let isOn)):
            guard adapter.isPowered || adapter.discoverableTimeout == 0 else { throw .notPowered }
            put(.acknowledge(request))
            setDiscoverable(isOn, number)
        case (Adapter1.pairable, .boolean(let isOn)):
            adapters[number]?.isPairable = isOn
            put(isOn == adapter.isPairable ? .acknowledge(request) : .accept(request))
        case (Adapter1.discoverableTimeout, .uint32(let seconds)):
            adapters[number]?.discoverableTimeout = seconds
            put(.accept(request))
        default:
            put(.accept(request))
        }
    }
}
#endif
