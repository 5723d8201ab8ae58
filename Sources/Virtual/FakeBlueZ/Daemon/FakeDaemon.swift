#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// The fake daemon as a state machine: requests and events of remotes go in, effects come out.
///
/// Rules:
/// - It is one value behind one lock, without a clock or callbacks: effects are carried out in
///   order when the lock is free. It holds requests and remotes as handles, and calls neither.
/// - Adapters, devices and peripherals within reach are in tables, and refer to each other by
///   number. Loops over several go in the order of the numbers, so that two runs are equal.
/// - Names, texts and orders are those of 5.66 where they were seen; otherwise they are those of
///   the daemon's source, and the comment says so.
/// - A request gets one reply, unless a quirk prevents it.
/// - A client's discoveries, filters, subscriptions and sockets end when it leaves the bus. Links
///   stay.
struct FakeDaemon {
    typealias Alarm = @Sendable (inout FakeDaemon) -> Void

    var quirks: FakeQuirks
    var timing: FakeTiming
    var isRunning = false
    var adapters: [Int: FakeAdapter] = [:]
    var peripherals: [Int: FakePeripheral] = [:]
    var devices: [Int: FakeDevice] = [:]
    /// The actions of the running timers. Each does nothing if what it is for has ended.
    var alarms: [UInt64: Alarm] = [:]
    var effects = Queue<FakeEffect>()
    var lostValues = 0
    var attemptCount = 0
    var watchesAnswers = false
    private var lastNumber: UInt64 = 0

    /// The maximum number of queued effects; beyond it, values are dropped.
    static let maximumBacklog = 1 << 16

    init(quirks: FakeQuirks, timing: FakeTiming) {
        self.quirks = quirks
        self.timing = timing
    }

    /// A characteristic of a device, or `nil` if it is gone.
    private subscript(number: Int, index: Int) -> FakeCharacteristic? {
        get {
            guard let all = devices[number]?.gatt?.characteristics, all.indices.contains(index)
            else { return nil }
            return all[index]
        }
        set { if let newValue { devices[number]?.gatt?.characteristics[index] = newValue } }
    }

    mutating func nextNumber() -> UInt64 {
        lastNumber &+= 1
        return lastNumber
    }

    mutating func put(_ effect: FakeEffect) {
        effects.append(quirks.falseValues.isEmpty ? effect : effect.falsified(quirks))
    }

    /// Starts a timer; a delay of zero fires at once. The action captures numbers, and no requests,
    /// which would live as long as the timer.
    mutating func wake(after delay: Duration, _ action: @escaping Alarm) {
        let number = nextNumber()
        alarms[number] = action
        put(.alarm(number, delay))
    }

    /// Starts a timer that does nothing after the end of the present link of a device.
    private mutating func wake(
        after delay: Duration, inLinkOf number: Int, _ action: @escaping Alarm
    ) {
        guard let link = devices[number]?.link?.number else { return }
        wake(after: delay) { if $0.devices[number]?.link?.number == link { action(&$0) } }
    }

    mutating func woken(_ number: UInt64) {
        guard let action = alarms.removeValue(forKey: number) else { return }
        action(&self)
    }

    // MARK: - Beginning and end

    /// Starts the daemon: its objects are exported before it owns its name.
    mutating func start() {
        isRunning = true
        put(
            .export(DBusObject([], objectManager: .allInterfaces), BlueZDaemon.manager, .noMethods))
        let managers = [
            AgentManager1.interface, ClassicInterfaces.profileManager,
            ClassicInterfaces.healthManager,
        ]
        put(.export(DBusObject(managers), BlueZDaemon.root, .daemon))
        for adapter in adapters.inOrder {
            put(.export(adapter.object, adapter.path, .adapter(adapter.number)))
        }
    }

    /// Kills the daemon: links end without a signal, and adapters forget their devices. Returns the
    /// effects and the dropped requests, to be released outside the lock.
    mutating func kill() -> (effects: [FakeEffect], requests: [DBusRequest]) {
        isRunning = false
        let rest = (effects.removeAll(), devices.inOrder.flatMap(\.requests))
        alarms = [:]
        watchesAnswers = false
        for device in devices.inOrder where device.link != nil {
            guard let remote = peripherals[device.peripheral]?.remote else { continue }
            put(.remote(remote, .disconnect))
            peripherals[device.peripheral]?.device = nil
        }
        devices = [:]
        for number in adapters.keys {
            adapters[number]?.searchers = []
            adapters[number]?.filters = [:]
        }
        return rest
    }

    mutating func clientDisconnected(_ name: String) {
        guard isRunning else { return }
        for adapter in adapters.inOrder {
            adapters[adapter.number]?.filters[name] = nil
            if adapter.searchers.contains(name) { endSearch(adapter.number, of: name) }
        }
        for number in devices.keys.sorted() { clientDisconnected(name, number) }
        put(.clientDisconnected(name))
    }

    // MARK: - Requests

    /// Handles a request to an object: a refusal that is thrown is the reply.
    mutating func receive(_ request: DBusRequest, _ target: FakeTarget) {
        do throws(DBusRefusal) { try dispatch(request, to: target) } catch {
            put(.refuse(request, error))
        }
    }

    private mutating func dispatch(
        _ request: DBusRequest, to target: FakeTarget
    ) throws(DBusRefusal) {
        guard isRunning else { throw .gone(request) }
        switch target {
        case .daemon:
            guard request.interface == AgentManager1.interfaceName else { throw .notSupported }
            put(.register(request, adapter: nil))
        case .adapter(let number):
            guard adapters[number] != nil else { throw .gone(request) }
            try receive(request, adapter: number)
        case .device(let number):
            guard devices[number] != nil else { throw .gone(request) }
            try receive(request, device: number)
        case .characteristic(let number, let index):
            guard self[number, index] != nil else { throw .gone(request) }
            try receive(request, device: number, index)
        case .descriptor(let number, let index, let place):
            guard self[number, index]?.descriptors.indices.contains(place) == true else {
                throw .gone(request)
            }
            try receive(request, device: number, index, descriptor: place)
        case .noMethods:
            throw .notSupported
        }
    }

    // MARK: - Adapters

    mutating func addAdapter(_ number: Int) {
        guard adapters[number] == nil else { return }
        let adapter = FakeAdapter(number)
        adapters[number] = adapter
        guard isRunning else { return }
        put(.export(adapter.object, adapter.path, .adapter(number)))
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

    // MARK: Requests

    mutating func receive(_ request: DBusRequest, adapter number: Int) throws(DBusRefusal) {
        switch request.interface {
        case GattManager1.interfaceName, LEAdvertisingManager1.interfaceName:
            return put(.register(request, adapter: number))
        case Adapter1.interfaceName: break
        default: throw .notSupported
        }
        if case .property(let name, let value) = request.subject {
            return try setProperty(name, value, ofAdapter: number, request)
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

    private mutating func setProperty(
        _ name: String, _ value: DBusValue, ofAdapter number: Int, _ request: DBusRequest
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

    // MARK: - Discovery

    // Without `DuplicateData`, an adapter receives a device once per discovery, and again when the
    // advertisement changes; with it, each advertisement. For a known device, a discovery with a
    // filter announces each RSSI; one without, only changes by the threshold in the daemon's source
    // (seen, except for that threshold).

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

    // MARK: Knowing and forgetting

    func device(_ peripheral: Int, on adapter: Int) -> Int? {
        devices.values.first { $0.adapter == adapter && $0.peripheral == peripheral }?.number
    }

    mutating func add(
        _ peripheral: FakePeripheral, _ adapter: FakeAdapter, hasRSSI: Bool = false
    ) -> Int {
        let number = Int(clamping: nextNumber())
        let device = FakeDevice(number, adapter, peripheral, hasRSSI: hasRSSI)
        devices[number] = device
        let object = device.object(on: adapter, isAddressRandom: peripheral.isAddressRandom)
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

    // MARK: - Devices

    /// Adds a device within reach, which is started afterwards. A known address is the same device.
    mutating func addPeripheral(
        _ remote: any FakeRemote, address: String?, isAddressRandom: Bool, ownAdapter: Int?,
        rssi: Int16
    ) -> FakePeripheral {
        let number = Int(clamping: nextNumber())
        var new = FakePeripheral(
            number: number, remote: remote, address: address ?? FakePeripheral.address(number),
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
            if let device = peripherals[number]?.device, devices[device]?.isResolved == true {
                resolves(device)
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

    // MARK: - Connecting

    mutating func receive(_ request: DBusRequest, device number: Int) throws(DBusRefusal) {
        if case .property(let name, let value) = request.subject {
            return try setProperty(name, value, ofDevice: number, request)
        }
        switch request.member {
        case Device1.connect: try connect(request, number)
        case Device1.disconnect:
            if request.interface == Device1.interfaceName,
                devices[number]?.isConnectedByClassic == true
            {
                setClassicLink(false, number)
            }
            disconnect(request, number)
        case Device1.pair: try pair(request, number)
        case Device1.cancelPairing: try cancelPairing(request, number)
        default: throw .notSupported
        }
    }

    /// Sets a property of a device. The signal comes before the reply, and there is none if the
    /// value is the old one (the daemon's source).
    private mutating func setProperty(
        _ name: String, _ value: DBusValue, ofDevice number: Int, _ request: DBusRequest
    ) throws(DBusRefusal) {
        guard var device = devices[number] else { throw .gone(request) }
        let isNew: Bool
        switch (name, value) {
        case (Device1.alias, .string(let alias)):
            let own = alias.isEmpty ? nil : alias
            isNew = device.alias != own
            device.alias = own
        case (Device1.trusted, .boolean(let isTrusted)):
            isNew = device.isTrusted != isTrusted
            device.isTrusted = isTrusted
            if isTrusted { device.isTemporary = false }
        case (Device1.blocked, .boolean(let isBlocked)):
            isNew = device.isBlocked != isBlocked
            device.isBlocked = isBlocked
        default:
            throw .notSupported
        }
        devices[number] = device
        let shown: DBusValue = name == Device1.alias ? .string(device.shownAlias) : value
        if isNew { set([name: shown], device: number) }
        put(.acknowledge(request))
        if isNew, device.isBlocked, name == Device1.blocked { endLink(number, BlueZReason.local) }
    }

    // MARK: Connecting

    private mutating func connect(_ request: DBusRequest, _ number: Int) throws(DBusRefusal) {
        guard let device = devices[number], adapters[device.adapter]?.isPowered == true else {
            throw .inputOutput
        }
        guard device.link == nil else { return put(.reply(request, [])) }
        if device.attempt != nil || device.ghost != nil {
            // Two overlapping attempts both succeed for a device within reach. For a device out of
            // reach, the second one gets this error.
            guard device.attempt?.isConnecting == true else { throw .connectInProgress }
            devices[number]?.attempt?.requests.append(request)
            return
        }
        attempt(number, requests: [request])
    }

    mutating func connectByItself(_ peripheral: FakePeripheral, _ adapter: FakeAdapter) {
        guard isRunning, adapter.isPowered else { return }
        let number = device(peripheral.number, on: adapter.number) ?? add(peripheral, adapter)
        if devices[number]?.isIdle == true { attempt(number) }
    }

    mutating func attempt(
        _ number: Int, requests: [DBusRequest] = [], pairing: [DBusRequest] = []
    ) {
        attemptCount += 1
        let attempt = FakeDevice.Attempt(number: nextNumber(), requests: requests, pairing: pairing)
        devices[number]?.isTemporary = false
        devices[number]?.attempt = attempt
        guard !quirks.connectHangs else { return }
        tryToConnect(number)
        if devices[number]?.attempt?.isConnecting == false { limitAttempt(number) }
    }

    mutating func tryToConnect(_ number: Int) {
        guard let device = devices[number], let attempt = device.attempt, !attempt.isConnecting,
            peripherals[device.peripheral]?.isReachable == true,
            adapters[device.adapter]?.isPowered == true, !quirks.connectHangs
        else { return }
        devices[number]?.attempt?.isConnecting = true
        wake(after: timing.connecting) { [attempt = attempt.number] in
            $0.connects(number, attempt)
        }
    }

    /// Ends the present attempt after a while, unless the device comes within reach.
    private mutating func limitAttempt(_ number: Int) {
        guard let attempt = devices[number]?.attempt?.number else { return }
        wake(after: timing.unreachable) {
            guard let present = $0.devices[number]?.attempt, present.number == attempt,
                !present.isConnecting
            else { return }
            $0.endAttempt(number, .abortedByLocal)
        }
    }

    /// Ends an attempt to connect: refuses the calls that wait for it, and returns the attempt.
    @discardableResult
    mutating func endAttempt(_ number: Int, _ refusal: DBusRefusal) -> FakeDevice.Attempt? {
        guard let attempt = devices[number]?.attempt else { return nil }
        devices[number]?.attempt = nil
        for request in attempt.all { put(.refuse(request, refusal)) }
        return attempt
    }

    private mutating func connects(_ number: Int, _ attemptNumber: UInt64) {
        guard let device = devices[number], let attempt = device.attempt,
            attempt.number == attemptNumber, attempt.isConnecting
        else { return }
        guard let peripheral = peripherals[device.peripheral], peripheral.isReachable,
            let adapter = adapters[device.adapter]
        else {
            devices[number]?.attempt?.isConnecting = false
            return limitAttempt(number)
        }
        if quirks.concealsConnected, quirks.abortsByLocal == 0 {
            put(.setSilently([Device1.connected: .boolean(true)], of: device.path))
        } else {
            set([Device1.connected: .boolean(true)], device: number)
            setLowEnergyConnected(true, number)
        }
        guard quirks.abortsByLocal == 0 else {
            quirks.abortsByLocal -= 1
            endAttempt(number, .abortedByLocal)
            let ghost = nextNumber()
            devices[number]?.ghost = ghost
            return wake(after: Self.abortTime) { $0.aborts(number, ghost) }
        }
        let link = FakeDevice.Link(
            number: nextNumber(), mtu: quirks.mtu, isEncrypted: device.isPaired,
            exportsLeft: quirks.exportsAgain, isForPairing: !attempt.pairing.isEmpty)
        devices[number]?.attempt = nil
        devices[number]?.link = link
        self.peripherals[device.peripheral]?.device = number
        let own = FakeRemoteCall.Link(
            centralAddress: adapter.address, mtu: link.mtu,
            answersForPrograms: quirks.answersForPrograms, meeting: timing.meeting,
            number: link.number)
        put(.remote(peripheral.remote, .connect(own)))
        for request in attempt.requests { put(.reply(request, [])) }
        subscribeAgain(number)
        if quirks.dropsBeforeResolved > 0 {
            quirks.dropsBeforeResolved -= 1
            wake(after: timing.resolving, inLinkOf: number) {
                $0.endLink(number, BlueZReason.unknown)
            }
        } else if !quirks.neverResolves {
            wake(after: timing.resolving, inLinkOf: number) { $0.resolves(number) }
        }
        for request in attempt.pairing { receive(request, .device(number)) }
    }

    /// The time until a ghost, a link that breaks while it is established, is gone.
    private static var abortTime: Duration { .milliseconds(5) }

    private mutating func aborts(_ number: Int, _ ghost: UInt64) {
        guard let device = devices[number], device.ghost == ghost else { return }
        devices[number]?.ghost = nil
        set([Device1.connected: .boolean(device.isConnected)], device: number)
        setLowEnergyConnected(false, number)
    }

    // MARK: Disconnecting

    mutating func disconnect(_ request: DBusRequest, _ number: Int) {
        if let attempt = endAttempt(number, .connectionCancelled) {
            put(.reply(request, []))
            if attempt.isConnecting, quirks.connectsAfterAll { self.attempt(number) }
            return
        }
        guard let link = devices[number]?.link else { return put(.reply(request, [])) }
        if quirks.disconnectNeverReplies {
            devices[number]?.unanswered.append(request)
        } else {
            devices[number]?.pendingDisconnects.append(request)
        }
        guard !link.isEnding else { return }
        removeBattery(number)
        endSoon(number)
    }

    private mutating func endSoon(_ number: Int) {
        devices[number]?.link?.isEnding = true
        wake(after: timing.disconnecting, inLinkOf: number) {
            $0.endLink(number, BlueZReason.local, isRequested: true)
        }
    }

    /// Ends a link. The signals and their order were seen: two signals after the client's
    /// `Disconnect`, one otherwise.
    mutating func endLink(_ number: Int, _ reason: String, isRequested: Bool = false) {
        guard let device = devices[number], let link = device.link else { return }
        devices[number]?.link = nil
        if let peripheral = peripherals[device.peripheral] {
            self.peripherals[device.peripheral]?.device = nil
            put(.remote(peripheral.remote, .disconnect))
        }
        refuse(link.operations.all, .att(.unlikely))
        for request in link.pairing { put(.refuse(request, .authenticationFailed)) }
        let unresolved: [String: DBusValue?] = [Device1.servicesResolved: .boolean(false)]
        let unconnected: [String: DBusValue?] = [
            Device1.connected: .boolean(device.isConnectedByClassic == true)
        ]
        if quirks.tellsReasons { signalDisconnection(reason, device) }
        setLowEnergyConnected(false, number)
        if link.isResolved && (isRequested || quirks.endsInTwoSignals) {
            set(unresolved, device: number)
            replyToDisconnects(number)
            set(unconnected, device: number)
        } else {
            replyToDisconnects(number)
            set(
                link.isResolved ? unresolved.merging(unconnected) { $1 } : unconnected,
                device: number)
        }
        removeBattery(number)
        resetCharacteristics(number)
        if quirks.valuesAfterEnd, let (value, path) = link.lastValue {
            put(.value(value, at: path))
        }
        if quirks.exportsLate != nil { unexportServices(number) }
        // The device advertises again.
        advertises(device.peripheral)
        if device.isRemovedAtLinkEnd { remove(number) }
    }

    private mutating func signalDisconnection(_ reason: String, _ device: FakeDevice) {
        let bearer = device.isConnectedByClassic.map { _ in BearerLE1.interfaceName }
        for interface in [Device1.interfaceName, bearer].compactMap(\.self) {
            put(
                .signal(
                    DBusSignal(
                        Device1.disconnected, of: interface, at: device.path,
                        [.string(reason), .string(BlueZReason.text(of: reason))])))
        }
    }

    // MARK: Bluetooth Classic

    /// Sets `Connected` of the low-energy bearer, which devices with both kinds of Bluetooth have.
    private mutating func setLowEnergyConnected(_ isConnected: Bool, _ number: Int) {
        guard let device = devices[number], device.isConnectedByClassic != nil else { return }
        setConnected(isConnected, of: BearerLE1.interfaceName, device)
    }

    private mutating func setConnected(
        _ isConnected: Bool, of interface: String, _ device: FakeDevice
    ) {
        put(.set([Device1.connected: .boolean(isConnected)], of: interface, at: device.path))
    }

    /// Sets a link over Bluetooth Classic; the first one makes the device one with both bearers.
    mutating func setClassicLink(_ isConnected: Bool, _ number: Int) {
        guard let device = devices[number], let adapter = adapters[device.adapter] else { return }
        if device.isConnectedByClassic == nil {
            devices[number]?.isTemporary = false
            let bearers = [
                (BearerLE1.interface, device.link != nil), (BearerBREDR1.interface, false),
            ]
            for (bearer, isConnected) in bearers {
                let values: [String: DBusValue] = [
                    Device1.adapter: .objectPath(adapter.path),
                    Device1.paired: .boolean(device.isPaired),
                    Device1.bonded: .boolean(device.isPaired),
                    Device1.connected: .boolean(isConnected),
                ]
                put(.add(bearer, values, to: device.path))
            }
        }
        devices[number]?.isConnectedByClassic = isConnected
        setConnected(isConnected, of: BearerBREDR1.interfaceName, device)
        let isConnectedAtAll = devices[number]?.isConnected == true
        set([Device1.connected: .boolean(isConnectedAtAll)], device: number)
    }

    /// Replies to `Disconnect` before `Connected` changes (seen: a reply first sends the changes
    /// from before it, which makes two signals of what is one otherwise). bleak 0.22 closes its
    /// connection when the device is disconnected: with the other order it would see the end of the
    /// bus.
    private mutating func replyToDisconnects(_ number: Int) {
        for request in devices[number]?.pendingDisconnects ?? [] { put(.reply(request, [])) }
        devices[number]?.pendingDisconnects = []
    }

    // MARK: - Pairing

    // Without an agent pairing fails, and the link ends (as seen). Devices always accept. `Pair` on
    // a link whose services are not known yet gets no reply, though the device is paired (as seen).

    mutating func pair(_ request: DBusRequest, _ number: Int) throws(DBusRefusal) {
        guard let device = devices[number], adapters[device.adapter]?.isPowered == true else {
            throw .notReady
        }
        guard !device.isPaired else { throw .alreadyExists }
        guard let link = device.link else {
            guard device.attempt == nil else {
                devices[number]?.attempt?.pairing.append(request)
                return
            }
            return attempt(number, pairing: [request])
        }
        guard link.pairingNumber == nil else { throw .inProgress }
        let id = FakeOperation.ID(device: number, number: nextNumber())
        devices[number]?.link?.pairing = [request]
        devices[number]?.link?.pairingNumber = id.number
        put(.authorize(device.path, isMeant: true, id))
    }

    mutating func cancelPairing(_ request: DBusRequest, _ number: Int) throws(DBusRefusal) {
        guard let pairing = devices[number]?.link?.pairing, !pairing.isEmpty else {
            throw .doesNotExist
        }
        devices[number]?.link?.pairing = []
        for waiting in pairing { put(.refuse(waiting, .authenticationCancelled)) }
        put(.reply(request, []))
        endLink(number, BlueZReason.local)
    }

    /// Handles the agent's answer: for an operation that demands pairing, which without permission
    /// fails with 0E (as seen), or for `Pair`. Without permission the link ends.
    mutating func authorized(_ id: FakeOperation.ID, _ isAllowed: Bool) {
        guard let link = devices[id.device]?.link else { return }
        if let (operation, number) = link.operations.current, number == id.number {
            guard isAllowed else { return endLink(id.device, BlueZReason.authentication) }
            becomePaired(id.device)
            if let device = devices[id.device] { perform(operation, device, id) }
            return watchAnswers(id.device)
        }
        guard link.pairingNumber == id.number else { return }
        devices[id.device]?.link?.pairing = []
        if isAllowed {
            becomePaired(id.device)
            guard link.isResolved || link.isForPairing else {
                devices[id.device]?.unanswered += link.pairing
                return
            }
            for request in link.pairing { put(.reply(request, [])) }
        } else {
            for request in link.pairing { put(.refuse(request, .authenticationFailed)) }
            endLink(id.device, BlueZReason.authentication)
        }
    }

    mutating func becomePaired(_ number: Int) {
        devices[number]?.link?.isEncrypted = true
        guard devices[number]?.isPaired == false else { return }
        devices[number]?.isPaired = true
        var changes: [String: DBusValue?] = [
            Device1.paired: .boolean(true), Device1.bonded: .boolean(true),
        ]
        if let address = quirks.addressAfterPairing {
            changes[Device1.address] = .string(address)
        }
        set(changes, device: number)
    }

    // MARK: - Services

    // Discovered, exported and exported again; and the battery, which the daemon reads by itself.

    private mutating func resolves(_ number: Int) {
        guard let device = devices[number], let link = device.link,
            let remote = peripherals[device.peripheral]?.remote
        else { return }
        put(.discover(remote, device: number, link: link.number))
    }

    mutating func found(_ services: [GATTService], _ number: Int, _ linkNumber: UInt64) {
        guard let device = devices[number], let link = device.link, link.number == linkNumber
        else { return }
        let isKnown = device.gatt != nil && quirks.keepsStaleServices
        if link.isResolved {
            if !isKnown { change(to: services, device) }
            return
        }
        if !isKnown, device.gatt?.source != services {
            unexportServices(number)
            devices[number]?.gatt = FakeGATT(services, of: device.path, quirks)
            if let delay = quirks.exportsLate {
                setResolved(number)
                return wake(after: delay, inLinkOf: number) {
                    $0.exportServices(number)
                    $0.useServices(number)
                }
            }
            exportServices(number)
        }
        setResolved(number)
        if link.exportsLeft > 0 {
            devices[number]?.link?.exportsLeft -= 1
            return exportAgain(number)
        }
        useServices(number)
    }

    /// Handles a change of services. `ServicesResolved` stays as it is. Removed services are
    /// unexported, and new ones are added behind all others, with unused handles (seen, of devices
    /// that are hosted by a daemon).
    private mutating func change(to services: [GATTService], _ device: FakeDevice) {
        let number = device.number
        guard
            let gone = devices[number]?.gatt?.change(to: services, of: device.path, quirks)
        else { return }
        failOperations(number, on: gone)
        for path in gone.paths { put(.unexport(path)) }
        for index in gone.characteristics.sorted() {
            resetCharacteristic(index, number, forGood: true)
        }
        let uuids = devices[number]?.gatt?.uuids ?? []
        if uuids != device.uuids {
            devices[number]?.uuids = uuids
            set([Device1.uuids: .uuids(uuids)], device: number)
        }
        exportServices(number, from: gone.firstNew)
        askNext(number)
    }

    private mutating func exportServices(_ number: Int, from first: Int = 0) {
        guard let device = devices[number], let link = device.link else { return }
        let exports = device.gatt?.exports(of: device, mtu: link.mtu, from: first, quirks) ?? []
        for export in exports { put(export) }
    }

    private mutating func setResolved(_ number: Int) {
        guard let device = devices[number], let link = device.link else { return }
        let forgets = link.isEnding && quirks.forgetsUUIDsOfShortLinks
        let uuids = forgets ? [] : device.gatt?.uuids ?? device.uuids
        devices[number]?.link?.isResolved = true
        devices[number]?.uuids = uuids
        set(
            [Device1.uuids: .uuids(uuids), Device1.servicesResolved: .boolean(true)],
            device: number)
    }

    /// Removes the services' objects with the clients' subscriptions, and fails the operations on
    /// them: those for earlier subscriptions may have begun before the services were discovered.
    mutating func unexportServices(_ number: Int) {
        guard let gatt = devices[number]?.gatt else { return }
        failOperations(number)
        resetCharacteristics(number)
        for path in gatt.paths { put(.unexport(path)) }
        devices[number]?.gatt = nil
    }

    mutating func exportAgain(_ number: Int) {
        guard devices[number]?.isResolved == true else { return }
        devices[number]?.link?.isResolved = false
        set([Device1.servicesResolved: .boolean(false)], device: number)
        removeBattery(number)
        unexportServices(number)
        wake(after: timing.resolving, inLinkOf: number) { $0.resolves(number) }
    }

    /// Renews the clients' subscriptions at once, so that values may come before the services are
    /// resolved (seen).
    mutating func subscribeAgain(_ number: Int) {
        for (index, characteristic) in (devices[number]?.gatt?.characteristics ?? []).enumerated()
        where !characteristic.clients.isEmpty && !characteristic.isSubscribed {
            ask(.subscribe(index, isOn: true, .again), number)
        }
    }

    /// Starts the daemon's own operations after discovery: it renews subscriptions, and reads the
    /// battery and the PnP ID (the latter by its source).
    private mutating func useServices(_ number: Int) {
        guard let gatt = devices[number]?.gatt else { return }
        subscribeAgain(number)
        let product = gatt.index(of: FakeGATT.productID, in: StandardServices.deviceInformation)
        if let product, gatt.characteristics[product].properties.contains(.read) {
            ask(.read(product, offset: 0), number)
        }
        guard let index = gatt.index(of: FakeGATT.batteryLevel, in: StandardServices.battery) else {
            return
        }
        if gatt.characteristics[index].properties.contains(.read) {
            ask(.read(index, offset: 0), number)
        }
        guard gatt.characteristics[index].properties.canSubscribe else { return }
        self[number, index]?.daemonListens = true
        ask(.subscribe(index, isOn: true, .battery), number)
    }

    mutating func didRead(_ value: [UInt8], _ index: Int, _ number: Int) {
        guard let device = devices[number] else { return }
        if device.gatt?.characteristics[index].uuid == FakeGATT.productID {
            guard let modalias = Self.modalias(value), modalias != device.modalias else { return }
            devices[number]?.modalias = modalias
            set([Device1.modalias: .string(modalias)], device: number)
        } else if let percentage = value.first {
            setBattery(percentage, number)
        }
    }

    /// Returns a PnP ID in the daemon's notation; bytes after the seventh are ignored.
    private static func modalias(_ value: [UInt8]) -> String? {
        guard let id = try? PnPID(decoding: Array(value.prefix(7))), let source = id.source.known
        else { return nil }
        func digits(_ number: UInt16) -> String {
            HexText.bytes([UInt8(number >> 8), UInt8(truncatingIfNeeded: number)])
        }
        let maker = source == .usb ? "usb" : "bluetooth"
        return "\(maker):v\(digits(id.vendor))p\(digits(id.product))d\(digits(id.version.rawValue))"
    }

    mutating func setBattery(_ percentage: UInt8, _ number: Int) {
        guard let device = devices[number], let link = device.link, link.isResolved,
            !link.isEnding, device.battery != Int(percentage)
        else { return }
        devices[number]?.battery = Int(percentage)
        let values = [Battery1.percentage: DBusValue.byte(percentage)]
        guard device.battery == nil else {
            return put(.set(values, of: Battery1.interfaceName, at: device.path))
        }
        put(.add(Battery1.interface, values, to: device.path))
    }

    mutating func removeBattery(_ number: Int) {
        guard let device = devices[number], device.battery != nil else { return }
        devices[number]?.battery = nil
        put(.remove(Battery1.interfaceName, from: device.path))
    }

    // MARK: - Operations

    // Reads, writes and subscriptions: one at a time for each device.

    private mutating func ask(
        _ kind: FakeOperation.Kind, _ number: Int, for request: DBusRequest? = nil
    ) {
        let operation = FakeOperation(kind: kind, request: request)
        devices[number]?.link?.operations.waiting.append(operation)
        askNext(number)
    }

    mutating func askNext(_ number: Int) {
        guard devices[number]?.link?.operations.current == nil,
            let operation = devices[number]?.link?.operations.waiting.popFirst(),
            let device = devices[number], let link = device.link
        else { return }
        let id = FakeOperation.ID(device: number, number: nextNumber())
        devices[number]?.link?.operations.current = (operation, id.number)
        if needsEncryption(operation, device), !link.isEncrypted {
            guard quirks.refusesWhatPairs, let request = operation.request else {
                return put(.authorize(device.path, isMeant: false, id))
            }
            put(.refuse(request, .att(.unlikely)))
            devices[number]?.link?.operations.current = nil
            if link.pairingNumber == nil {
                devices[number]?.link?.pairingNumber = id.number
                put(.authorize(device.path, isMeant: false, id))
            }
            return askNext(number)
        }
        perform(operation, device, id)
        watchAnswers(number)
    }

    private mutating func watchAnswers(_ number: Int) {
        guard !watchesAnswers, devices[number]?.link?.operations.current != nil else { return }
        watchesAnswers = true
        wake(after: timing.answering) { $0.disconnectSilentDevices() }
    }

    private func needsEncryption(_ operation: FakeOperation, _ device: FakeDevice) -> Bool {
        let needed: (index: Int, permission: GATTPermissions)
        switch operation.kind {
        case .read(let index, _): needed = (index, .readEncrypted)
        case .subscribe(let index, let isOn, _):
            guard isOn else { return false }
            needed = (index, .subscribeEncrypted)
        case .write(_, _, _, let isNeeded): return isNeeded
        case .readDescriptor: return false
        }
        return self[device.number, needed.index]?.permissions.contains(needed.permission) == true
    }

    private mutating func perform(
        _ operation: FakeOperation, _ device: FakeDevice, _ id: FakeOperation.ID
    ) {
        guard let peripheral = peripherals[device.peripheral],
            let characteristics = device.gatt?.characteristics
        else { return }
        let remote = peripheral.remote
        switch operation.kind {
        case .read(let index, let offset):
            guard let attribute = characteristics[index].attribute,
                operation.request == nil || characteristics[index].mayBeRead(peripheral)
            else { return finished(id.device, .failure(.readNotPermitted)) }
            put(.remote(remote, .read(attribute, offset: offset, id.token)))
        case .readDescriptor(let index, let place, let offset):
            guard let attribute = characteristics[index].descriptors[place].attribute else {
                let value = characteristics[index].configuration
                guard offset <= value.count else {
                    return finished(id.device, .failure(.invalidOffset))
                }
                return finished(id.device, .success(Array(value.dropFirst(offset))))
            }
            put(.remote(remote, .read(attribute, offset: offset, id.token)))
        case .write(let attribute, let value, let offset, _):
            guard let attribute else { return finished(id.device, .failure(.writeNotPermitted)) }
            put(.remote(remote, .write(value, attribute, offset: offset, id.token)))
        case .subscribe(let index, let isOn, _):
            guard let attribute = characteristics[index].attribute else {
                return finished(id.device, .success([]))
            }
            put(.remote(remote, .subscribe(attribute, isOn: isOn, id.token)))
        }
    }

    /// Handles a device's answer; one to an operation that has ended is ignored.
    mutating func answered(
        _ token: ResponseToken, _ result: Result<[UInt8], ATTError>, _ peripheral: Int
    ) {
        guard let device = peripherals[peripheral]?.device,
            let current = devices[device]?.link?.operations.current
        else { return }
        let id = FakeOperation.ID(device: device, number: current.number)
        if id.token == token { finished(device, result) }
    }

    /// Ends the operation of a device that is under way.
    private mutating func finished(_ device: Int, _ result: Result<[UInt8], ATTError>) {
        guard let (operation, _) = devices[device]?.link?.operations.current else { return }
        devices[device]?.link?.operations.current = nil
        let value = try? result.get()
        switch operation.kind {
        case .read(let index, _) where operation.request == nil:
            if let value { didRead(value, index, device) }
        case .read(let index, _):
            let path = self[device, index]?.path
            if let value, quirks.announcesReads, let path { put(.value(value, at: path)) }
            answer(operation.request, result.map { [.bytes($0)] })
        case .readDescriptor(let index, let place, _):
            let path = self[device, index]?.descriptors[place].path
            if let value, quirks.announcesReads, let path {
                put(
                    .set(
                        [GattDescriptor1.value: .bytes(value)], of: GattDescriptor1.interfaceName,
                        at: path))
            }
            answer(operation.request, result.map { [.bytes($0)] })
        case .write(let attribute, _, _, _):
            if let attribute { devices[device]?.link?.operations.written.remove(attribute) }
            answer(operation.request, result.map { _ in [] })
        case .subscribe(let index, let isOn, let reason):
            subscribed(device, index, isOn, reason, operation.request, result)
        }
        askNext(device)
    }

    private mutating func answer(
        _ request: DBusRequest?, _ result: Result<[DBusValue], ATTError>
    ) {
        guard let request else { return }
        switch result {
        case .success(let values): put(.reply(request, values))
        case .failure(let error): put(.refuse(request, .att(error)))
        }
    }

    mutating func refuse(_ operations: [FakeOperation], _ refusal: DBusRefusal) {
        for request in operations.compactMap(\.request) { put(.refuse(request, refusal)) }
    }

    /// Fails all operations, as the services are gone, with the error that was seen.
    mutating func failOperations(_ number: Int) {
        refuse(devices[number]?.link?.operations.removeAll() ?? [], .att(.unlikely))
    }

    /// Fails the operations on services that are gone (seen).
    mutating func failOperations(_ number: Int, on gone: FakeGATT.Change) {
        refuse(devices[number]?.link?.operations.removeAll(on: gone) ?? [], .notSupported)
    }

    /// Ends the links of devices whose present operation was already present at the last tick.
    private mutating func disconnectSilentDevices() {
        watchesAnswers = false
        for device in devices.inOrder {
            guard let link = device.link, let current = link.operations.current else { continue }
            if link.operations.seen == current.number {
                // The operations are refused at once; the link ends after a while (seen).
                failOperations(device.number)
                if !link.isEnding { endSoon(device.number) }
            } else {
                devices[device.number]?.link?.operations.seen = current.number
                watchesAnswers = true
            }
        }
        if watchesAnswers { wake(after: timing.answering) { $0.disconnectSilentDevices() } }
    }

    // MARK: - Requests to characteristics and descriptors

    mutating func receive(
        _ request: DBusRequest, device number: Int, _ index: Int
    ) throws(DBusRefusal) {
        switch request.member {
        case GattCharacteristic1.readValue:
            try requireLink(number)
            try requireUsableOptions(request)
            ask(.read(index, offset: Self.offset(request.arguments.first)), number, for: request)
        case GattCharacteristic1.writeValue: try write(request, number, index)
        case GattCharacteristic1.startNotify: try startNotify(request, number, index)
        case GattCharacteristic1.stopNotify: try stopNotify(request, number, index)
        case GattCharacteristic1.acquireNotify: try acquireNotify(request, number, index)
        case GattCharacteristic1.acquireWrite: try acquireWrite(request, number, index)
        default: throw .notSupported
        }
    }

    /// Handles a request to a descriptor. The client characteristic configuration cannot be written
    /// (seen).
    mutating func receive(
        _ request: DBusRequest, device number: Int, _ index: Int, descriptor place: Int
    ) throws(DBusRefusal) {
        try requireLink(number)
        try requireUsableOptions(request)
        guard request.member == GattDescriptor1.writeValue else {
            let offset = Self.offset(request.arguments.first)
            return ask(.readDescriptor(index, place, offset: offset), number, for: request)
        }
        guard let attribute = self[number, index]?.descriptors[place].attribute else {
            throw .writeNotPermitted
        }
        guard fits(request) else { throw .invalidLength }
        ask(writing(request, attribute, needsEncryption: false), number, for: request)
    }

    static func offset(_ options: DBusValue?) -> Int {
        Int(clamping: options?[AttributeOption.offset]?.integer ?? 0)
    }

    private mutating func requireLink(_ number: Int) throws(DBusRefusal) {
        guard devices[number]?.link != nil else { throw .notConnected }
        guard quirks.operationInProgress == 0 else {
            quirks.operationInProgress -= 1
            throw .inProgress
        }
    }

    /// Refuses a request with an option of a wrong type. Unknown options are ignored.
    private func requireUsableOptions(_ request: DBusRequest) throws(DBusRefusal) {
        let options = request.arguments.last
        guard options?[AttributeOption.offset].map({ $0.type == .uint16 }) ?? true,
            options?[AttributeOption.type].map({ $0.type == .string }) ?? true
        else { throw .invalid }
    }

    /// Writes a value in the requested way or, without one, in the way that the properties allow:
    /// with response rather than without (the daemon's source).
    private mutating func write(
        _ request: DBusRequest, _ number: Int, _ index: Int
    ) throws(DBusRefusal) {
        try requireLink(number)
        guard let device = devices[number], let link = device.link,
            let characteristic = self[number, index]
        else { return }
        guard characteristic.writeSocket == nil else { throw .writeAcquired }
        // While a write of a characteristic waits for its response, a second one is refused at once
        // (seen), also one without response (the daemon's source); reads wait for each other.
        if let attribute = characteristic.attribute, link.operations.written.contains(attribute) {
            throw .inProgress
        }
        try requireUsableOptions(request)
        let type = request.arguments.last?[AttributeOption.type]?.string?.lowercased()
        let properties = characteristic.properties
        let isRequest =
            type == AttributeOption.request || type == AttributeOption.reliable
            || type == nil && properties.contains(.write)
        let isCommand =
            Self.offset(request.arguments.last) == 0
            && (type == AttributeOption.command
                || type == nil && properties.contains(.writeWithoutResponse))
        let needsEncryption = characteristic.permissions.contains(.writeEncrypted)
        if isRequest {
            guard fits(request) else { throw .invalidLength }
            // A write against the properties is sent all the same, and the device refuses it.
            let attribute = properties.canWrite ? characteristic.attribute : nil
            if let attribute { devices[number]?.link?.operations.written.insert(attribute) }
            let kind = writing(request, attribute, needsEncryption: needsEncryption)
            ask(kind, number, for: request)
        } else if isCommand, let attribute = characteristic.attribute {
            let value = self.value(of: request)
            guard value.count <= link.mtu - 3 else { throw .cannotWrite }
            // A write without response that is not permitted has no effect.
            if properties.canWrite, !needsEncryption || link.isEncrypted,
                let remote = peripherals[device.peripheral]?.remote
            {
                put(.remote(remote, .write(value, attribute)))
            }
            put(.reply(request, []))
        } else {
            throw .notSupported
        }
    }

    /// Creates a write with response, of any length: the remote gets the whole value, as long
    /// writes are reassembled on the other side.
    private func writing(
        _ request: DBusRequest, _ attribute: AttributeID?, needsEncryption: Bool
    ) -> FakeOperation.Kind {
        .write(
            attribute, value(of: request), offset: Self.offset(request.arguments.last),
            needsEncryption: needsEncryption)
    }

    private func fits(_ request: DBusRequest) -> Bool {
        let offset = Self.offset(request.arguments.last)
        return offset + value(of: request).count <= Self.longestValue
    }

    private func value(of request: DBusRequest) -> [UInt8] { request.arguments.first?.bytes ?? [] }

    static var longestValue: Int { 512 }

    // MARK: - Notifications

    mutating func startNotify(
        _ request: DBusRequest, _ number: Int, _ index: Int
    ) throws(DBusRefusal) {
        guard devices[number]?.link?.isEnding != true else { throw .disconnecting }
        guard let device = devices[number], let characteristic = self[number, index],
            characteristic.properties.canSubscribe
        else { throw .notSupported }
        guard characteristic.notifySocket == nil else { throw .notifyAcquired }
        if characteristic.clients.contains(request.client) {
            // A second subscription succeeds with a link. Without one it is refused: the first one
            // waits for the next link.
            guard device.link != nil else { throw .inProgress }
            return put(.reply(request, []))
        }
        self[number, index]?.wasStarted = true
        if quirks.secondStartNotifyHangs, characteristic.wasStarted {
            devices[number]?.unanswered.append(request)
            return
        }
        self[number, index]?.clients.insert(request.client)
        guard device.isResolved else { return put(.reply(request, [])) }
        guard !characteristic.isSubscribed else {
            setNotifying(true, number, index)
            return put(.reply(request, []))
        }
        let losesNext = quirks.losesFirstValue
        self[number, index]?.losesNext = losesNext
        ask(.subscribe(index, isOn: true, .start), number, for: request)
    }

    mutating func stopNotify(
        _ request: DBusRequest, _ number: Int, _ index: Int
    ) throws(DBusRefusal) {
        // It closes the socket of whatever program (the daemon's source).
        if let socket = self[number, index]?.notifySocket {
            socketEnded(socket)
            return put(.reply(request, []))
        }
        guard self[number, index]?.clients.contains(request.client) == true else {
            throw .noNotifySession
        }
        endSession(request.client, number, index, request)
    }

    private mutating func endSession(
        _ client: String, _ number: Int, _ index: Int, _ request: DBusRequest?
    ) {
        self[number, index]?.clients.remove(client)
        guard let characteristic = self[number, index] else { return }
        if devices[number]?.isResolved == true, characteristic.isSubscribed,
            !characteristic.isWanted
        {
            return ask(.subscribe(index, isOn: false, .stop), number, for: request)
        }
        if characteristic.clients.isEmpty { setNotifying(false, number, index) }
        if let request { put(.reply(request, [])) }
    }

    mutating func clientDisconnected(_ client: String, _ number: Int) {
        guard let gatt = devices[number]?.gatt else { return }
        for (index, characteristic) in gatt.characteristics.enumerated() {
            if characteristic.clients.contains(client) { endSession(client, number, index, nil) }
            for socket in characteristic.sockets where socket.client == client {
                socketEnded(socket)
            }
        }
    }

    private mutating func setNotifying(_ isOn: Bool, _ number: Int, _ index: Int) {
        guard self[number, index]?.isNotifying == !isOn else { return }
        self[number, index]?.isNotifying = isOn
        announce([GattCharacteristic1.notifying: .boolean(isOn)], number, index)
    }

    mutating func subscribed(
        _ number: Int, _ index: Int, _ isOn: Bool, _ reason: FakeOperation.Reason,
        _ request: DBusRequest?, _ result: Result<[UInt8], ATTError>
    ) {
        if case .failure = result {
            if reason == .start, let request { self[number, index]?.clients.remove(request.client) }
            return answer(request, result.map { _ in [] })
        }
        self[number, index]?.isSubscribed = isOn
        switch reason {
        case .start:
            setNotifying(true, number, index)
            if quirks.valuesBeforeAnswer, self[number, index]?.heldReply == nil {
                self[number, index]?.heldReply = request
                release(index, number, after: .seconds(1))
            } else {
                answer(request, .success([]))
            }
        case .again: setNotifying(isOn, number, index)
        case .stop:
            setNotifying(false, number, index)
            answer(request, .success([]))
        case .acquire:
            guard let request else { break }
            guard self[number, index]?.notifySocket == nil else {
                return put(.refuse(request, .notifyAcquired))
            }
            openSocket(request, number, index, isNotify: true)
        case .battery: break
        }
        // The subscribers may have changed meanwhile.
        guard let characteristic = self[number, index] else { return }
        if characteristic.isWanted != characteristic.isSubscribed {
            ask(.subscribe(index, isOn: characteristic.isWanted, .again), number)
        }
    }

    /// Resets the characteristics at the end of a link; the clients' subscriptions stay.
    mutating func resetCharacteristics(_ number: Int) {
        guard let gatt = devices[number]?.gatt else { return }
        for index in gatt.characteristics.indices { resetCharacteristic(index, number) }
    }

    /// Resets one characteristic; permanently if its object is gone.
    mutating func resetCharacteristic(
        _ index: Int, _ number: Int, forGood isGone: Bool = false
    ) {
        guard let characteristic = self[number, index] else { return }
        self[number, index]?.reset()
        if let request = characteristic.heldReply { put(.reply(request, [])) }
        for socket in characteristic.sockets { socketEnded(socket) }
        if isGone || quirks.forgetsSubscriptions { self[number, index]?.clients = [] }
        if !isGone, quirks.forgetsSubscriptions { setNotifying(false, number, index) }
    }

    // MARK: Values

    /// Delivers a value of a device. This is the hot path: its cost does not depend on the number
    /// of devices, characteristics or clients.
    mutating func deliver(
        _ value: [UInt8], of attribute: AttributeID, _ remote: Int, isIndicated: Bool
    ) {
        guard let peripheral = peripherals[remote], let number = peripheral.device else { return }
        if isIndicated { put(.remote(peripheral.remote, .confirm(attribute))) }
        guard let index = devices[number]?.gatt?.indices[attribute],
            let characteristic = self[number, index], characteristic.isWanted
        else { return }
        guard effects.count < Self.maximumBacklog else {
            lostValues += 1
            return
        }
        if characteristic.daemonListens, let level = value.first { setBattery(level, number) }
        if let socket = characteristic.notifySocket { return put(.send(value, socket)) }
        guard !characteristic.clients.isEmpty else { return }
        if characteristic.losesNext {
            self[number, index]?.losesNext = false
            return
        }
        signalValue(value, characteristic, number, index)
    }

    private mutating func signalValue(
        _ value: [UInt8], _ characteristic: FakeCharacteristic, _ number: Int, _ index: Int
    ) {
        let path = characteristic.path
        if quirks.valuesAfterEnd { devices[number]?.link?.lastValue = (value, path) }
        // A value is signalled once for each subscriber, and each subscriber gets all of these
        // signals.
        for _ in characteristic.clients.dropFirst() { put(.value(value, at: path)) }
        if quirks.swapsValues {
            guard let held = characteristic.heldBack else {
                self[number, index]?.heldBack = value
                // On a busy computer the next value may take a long time.
                return release(index, number, after: .milliseconds(200))
            }
            self[number, index]?.heldBack = nil
            put(.value(value, at: path))
            put(.value(held, at: path))
        } else {
            put(.value(value, at: path))
            if quirks.doublesValues { put(.value(value, at: path)) }
        }
        guard let request = characteristic.heldReply else { return }
        self[number, index]?.heldReply = nil
        put(.reply(request, []))
    }

    /// Releases a value and a reply that are held back for a next value, if that does not come.
    private mutating func release(_ index: Int, _ number: Int, after delay: Duration) {
        wake(after: delay, inLinkOf: number) {
            guard let characteristic = $0[number, index] else { return }
            $0[number, index]?.heldBack = nil
            $0[number, index]?.heldReply = nil
            if let value = characteristic.heldBack {
                $0.put(.value(value, at: characteristic.path))
            }
            if let request = characteristic.heldReply { $0.put(.reply(request, [])) }
        }
    }

    // MARK: - Sockets

    // Those of characteristics: one packet for each value.

    mutating func acquireNotify(
        _ request: DBusRequest, _ number: Int, _ index: Int
    ) throws(DBusRefusal) {
        let characteristic = try characteristic(number, index, request)
        guard characteristic.notifySocket == nil else { throw .notifyAcquired }
        guard characteristic.clients.isEmpty else { throw .inProgress }
        guard characteristic.properties.contains(.notify) else { throw .notSupported }
        ask(.subscribe(index, isOn: true, .acquire), number, for: request)
    }

    mutating func acquireWrite(
        _ request: DBusRequest, _ number: Int, _ index: Int
    ) throws(DBusRefusal) {
        let characteristic = try characteristic(number, index, request)
        guard characteristic.writeSocket == nil else { throw .writeAcquired }
        guard characteristic.properties.contains(.writeWithoutResponse) else { throw .notSupported }
        openSocket(request, number, index, isNotify: false)
    }

    /// Returns the characteristic; refuses the request without a link or sockets.
    private func characteristic(
        _ number: Int, _ index: Int, _ request: DBusRequest
    ) throws(DBusRefusal) -> FakeCharacteristic {
        guard devices[number]?.link != nil else { throw .notConnected }
        guard !quirks.refusesSockets else { throw .gone(request) }
        guard !quirks.hidesSockets, let characteristic = self[number, index] else {
            throw .notSupported
        }
        return characteristic
    }

    mutating func openSocket(_ request: DBusRequest, _ number: Int, _ index: Int, isNotify: Bool) {
        guard let link = devices[number]?.link else { return }
        let socket = FakeCharacteristic.Socket(
            device: number, characteristic: index, isNotify: isNotify, number: nextNumber(),
            client: request.client)
        set(socket, isOpen: true)
        put(.openSocket(request, socket, mtu: UInt16(clamping: link.mtu)))
    }

    /// Sets or removes the socket of a characteristic, and announces the change as a property.
    private mutating func set(_ socket: FakeCharacteristic.Socket, isOpen: Bool) {
        let (socketPath, property) =
            socket.isNotify
            ? (\FakeCharacteristic.notifySocket, GattCharacteristic1.notifyAcquired)
            : (\FakeCharacteristic.writeSocket, GattCharacteristic1.writeAcquired)
        self[socket.device, socket.characteristic]?[keyPath: socketPath] = isOpen ? socket : nil
        announce([property: .boolean(isOpen)], socket.device, socket.characteristic)
    }

    private mutating func announce(_ values: [String: DBusValue?], _ number: Int, _ index: Int) {
        guard let path = self[number, index]?.path else { return }
        put(.set(values, of: GattCharacteristic1.interfaceName, at: path))
    }

    mutating func socketWrote(_ value: [UInt8], _ place: FakeCharacteristic.Socket) {
        guard let device = devices[place.device], let attribute = current(place)?.attribute,
            let peripheral = peripherals[device.peripheral]
        else { return }
        put(.remote(peripheral.remote, .write(value, attribute)))
    }

    private func current(_ place: FakeCharacteristic.Socket) -> FakeCharacteristic? {
        self[place.device, place.characteristic].flatMap { characteristic in
            characteristic.sockets.contains(place) ? characteristic : nil
        }
    }

    mutating func socketEnded(_ place: FakeCharacteristic.Socket) {
        guard current(place) != nil else { return }
        put(.closeSocket(place))
        set(place, isOpen: false)
        guard devices[place.device]?.isResolved == true,
            let characteristic = self[place.device, place.characteristic],
            characteristic.isSubscribed, !characteristic.isWanted
        else { return }
        ask(.subscribe(place.characteristic, isOn: false, .stop), place.device)
    }
}

extension DBusRequest {
    /// The client's unique name on the bus.
    var client: String { sender ?? "" }
}

extension Dictionary where Key == Int {
    var inOrder: [Value] { sortedByKey.map(\.value) }
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
#endif
