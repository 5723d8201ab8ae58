#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// The scans, and the state of the daemon's discovery.
///
/// There is one discovery for each connection to the bus, so all scans share it (pitfall 5:
/// bleak#178 and on to #1825, HA#76544). Its filter is the union of all scans.
struct DiscoveryState: Sendable {
    typealias Report = @Sendable (Result<Discovery, BLEError>) -> Void

    struct Scan: Sendable {
        let filter: ScanFilter
        let report: Report
        /// `true` once the scan has an adapter.
        var isOn = false
    }

    /// The filter of the daemon's discovery. It has no services: with services, 5.87 crashes when
    /// it receives a device that advertises some (pitfall 26: seen in the virtual machine).
    struct Filter: Hashable, Sendable { var repeats = false }

    static let maximumScans = 1024
    /// The maximum number of attempts to start while the daemon reports `InProgress`: over 13
    /// seconds at least, as the kernel continues the discovery of a killed daemon for ten (seen in
    /// the virtual machine).
    static let maximumAttempts = 9
    /// The backoff after the first attempt; doubled each time, with a random part, so that two
    /// programs do not collide again and again.
    static let firstBackoff: Duration = .milliseconds(100)
    /// The time for which discovery goes on after the last scan. An app that has found a device
    /// connects to it next, and the daemon removes devices soon after discovery ends (pitfall 8:
    /// bleak#971).
    static let lingerTime: Duration = .seconds(1)

    var scans: [UInt64: Scan] = [:]
    /// The number of holds that keep a running discovery.
    var holdCount = 0
    /// The number of those holds that also start discovery.
    var searcherCount = 0
    var adapter: DBusObjectPath?
    var filter: Filter?
    var isRunning = false
    var pendingCall: BlueZSession.CallNumber?
    var attemptCount = 0
    var pause: BlueZSession.TimerNumber?
    var linger: BlueZSession.TimerNumber?

    /// The union of the filters, or `nil` without scans and holds.
    var wanted: Filter? {
        let filters = scans.values.filter(\.isOn).map(\.filter)
        guard !filters.isEmpty else {
            if searcherCount > 0 { return Filter() }
            return holdCount > 0 && isRunning ? filter : nil
        }
        return Filter(repeats: filters.contains(where: \.reportsDuplicates))
    }
}

extension DiscoveryState.Filter {
    /// The filter in the daemon's terms, always for low energy: otherwise half of the time would be
    /// spent on Bluetooth Classic.
    ///
    /// For an adapter without Classic, the transport alone does not count as a filter, and then
    /// devices that are not discoverable are left out (5.87, in the virtual machine). A pattern
    /// counts, and the empty pattern matches all devices.
    var value: DBusValue {
        .properties([
            DiscoveryFilter.transport: .string(DiscoveryFilter.transportLE),
            DiscoveryFilter.duplicateData: .boolean(repeats), DiscoveryFilter.pattern: .string(""),
        ])
    }
}

/// The one discovery that all scans share.
extension BlueZSession {
    /// Holds discovery until ``releaseDiscovery(searching:)``. For a search, discovery is started;
    /// otherwise only a running one is kept.
    ///
    /// An attempt holds discovery until the daemon has connected: the daemon may remove a device
    /// when discovery ends (pitfall 8: bleak#971, "may have been removed when scanning stopped").
    mutating func holdDiscovery(searching: Bool = true) {
        discovery.holdCount += 1
        if searching {
            discovery.searcherCount += 1
            if let adapter = adapters.chosen, isPowered(adapter) { useForDiscovery(adapter) }
        }
        continueDiscovery()
    }

    mutating func releaseDiscovery(searching: Bool = true) {
        discovery.holdCount -= 1
        if searching { discovery.searcherCount -= 1 }
        continueDiscovery()
    }

    /// Sets the adapter of discovery, and ends discovery on another adapter.
    mutating func useForDiscovery(_ adapter: DBusObjectPath) {
        guard discovery.adapter != adapter else { return }
        if discovery.adapter != nil { endDiscovery(Outage(.backend, "another adapter is used")) }
        discovery.adapter = adapter
    }

    /// Makes the next call to the daemon, one at a time.
    mutating func continueDiscovery() {
        guard discovery.pendingCall == nil, discovery.pause == nil, let adapter = discovery.adapter
        else { return }
        guard let wanted = discovery.wanted else {
            if discovery.isRunning { stopDiscovery(adapter) }
            return
        }
        cancel(discovery.linger)
        discovery.linger = nil
        if discovery.filter != wanted {
            setFilter(wanted, adapter)
        } else if !discovery.isRunning {
            startDiscovery(adapter)
        }
    }

    private mutating func ask(
        _ method: String, _ arguments: [DBusValue] = [], _ adapter: DBusObjectPath,
        then continuation: @escaping Continuation
    ) {
        discovery.pendingCall = call(method, of: Adapter1.interfaceName, at: adapter, arguments) {
            session, answer in
            session.discovery.pendingCall = nil
            continuation(&session, answer)
            session.continueDiscovery()
        }
    }

    private mutating func setFilter(_ filter: DiscoveryState.Filter, _ adapter: DBusObjectPath) {
        ask(Adapter1.setDiscoveryFilter, [filter.value], adapter) { session, answer in
            session.discovery.filter = filter
            // If the daemon refuses the filter, discovery is started without it.
            if case .failure(let error) = answer, let outage = Outage(discovery: error) {
                session.endDiscovery(outage)
            }
        }
    }

    private mutating func startDiscovery(_ adapter: DBusObjectPath) {
        if discovery.attemptCount > 1 {
            // The discovery in progress may be our own, if a reply was lost.
            call(Adapter1.stopDiscovery, of: Adapter1.interfaceName, at: adapter) { _, _ in }
        }
        ask(Adapter1.startDiscovery, [], adapter) { session, answer in
            switch answer {
            case .success:
                session.discovery.isRunning = true
                session.discovery.attemptCount = 0
            case .failure(let error) where error.name == BlueZErrorName.inProgress:
                session.pauseDiscovery(error)
            case .failure(let error):
                session.endDiscovery(Outage(discovery: error) ?? Outage(error))
            }
        }
    }

    /// Backs off, as another program's discovery is just starting or ending (pitfall 5).
    private mutating func pauseDiscovery(_ error: DBusError) {
        discovery.attemptCount += 1
        guard discovery.attemptCount < DiscoveryState.maximumAttempts else {
            return endDiscovery(Outage(error))
        }
        let whole = DiscoveryState.firstBackoff * (1 << (discovery.attemptCount - 1))
        let percent = Int.random(in: 50...150, using: &generator)
        discovery.pause = after(whole * percent / 100) { session in
            session.discovery.pause = nil
            session.continueDiscovery()
        }
    }

    private mutating func stopDiscovery(_ adapter: DBusObjectPath) {
        guard discovery.linger == nil else { return }
        discovery.linger = after(DiscoveryState.lingerTime) { session in
            session.discovery.linger = nil
            guard session.discovery.wanted == nil else { return }
            session.ask(Adapter1.stopDiscovery, [], adapter) { session, _ in
                session.discovery.isRunning = false
            }
        }
    }

    mutating func endDiscovery(_ outage: Outage) {
        forget(discovery.pendingCall)
        for timer in [discovery.pause, discovery.linger] { cancel(timer) }
        if discovery.isRunning, let adapter = discovery.adapter, daemon.phase == .loaded {
            // The daemon may still be discovering.
            call(Adapter1.stopDiscovery, of: Adapter1.interfaceName, at: adapter) { _, _ in }
        }
        let adapter = discovery.adapter
        let scans = discovery.scans
        var next = DiscoveryState()
        next.scans = scans.filter { !$0.value.isOn }
        (next.holdCount, next.searcherCount) = (discovery.holdCount, discovery.searcherCount)
        discovery = next
        for (_, scan) in scans.filter(\.value.isOn).sortedByKey {
            callBack { scan.report(.failure(outage.error(.scan))) }
        }
        // A search without discovery would never end.
        for number in links.listening.sorted() {
            handle(.discoveryEnded(outage, on: adapter), for: number)
        }
    }

    mutating func updateDiscovery(_ change: MirrorChange) {
        switch change {
        case .device(let path, isHeard: true): reportDevice(path)
        case .adapter(let path) where path == discovery.adapter:
            guard mirror.adapters[path]?.isOn != true else { return }
            endDiscovery(Outage(.bluetoothOff, "the adapter was switched off"))
        case .adapterRemoved(let path) where path == discovery.adapter:
            let isLast = mirror.adapters.isEmpty
            endDiscovery(Outage(isLast ? .noBluetooth : .backend, "the adapter was removed"))
        case .lost(let text):
            // A new attempt to reach the daemon may have started by now.
            guard case .gone(let outage) = daemon.phase else {
                return endDiscovery(Outage(.backend, text))
            }
            endDiscovery(outage)
        default: return
        }
    }

    /// Reports devices until ``endScan(_:)`` with this number, or until an error.
    mutating func beginScan(_ filter: ScanFilter, _ report: @escaping DiscoveryState.Report)
        -> UInt64
    {
        let number = nextNumber()
        guard discovery.scans.count < DiscoveryState.maximumScans else {
            callBack { report(.failure(BLEError(.overloaded, .scan))) }
            return number
        }
        discovery.scans[number] = DiscoveryState.Scan(filter: filter, report: report)
        whenUsable { session, result in
            guard let scan = session.discovery.scans[number] else { return }
            switch result {
            case .success(let adapter): session.turnOn(number, adapter)
            case .failure(let outage):
                session.discovery.scans[number] = nil
                session.callBack { scan.report(.failure(outage.error(.scan))) }
            }
        }
        return number
    }

    mutating func endScan(_ number: UInt64) {
        guard let scan = discovery.scans.removeValue(forKey: number) else { return }
        discard(scan.report)
        continueDiscovery()
    }

    /// Starts a scan, and reports the devices that another scan, or another program's, has
    /// received. The daemon may not report them again soon, as it drops repeated advertisements of
    /// the same strength (btvirt is received once per discovery). It removes the RSSI after
    /// discovery. A connected device does not advertise, and is reported, too.
    private mutating func turnOn(_ number: UInt64, _ adapter: DBusObjectPath) {
        useForDiscovery(adapter)
        discovery.scans[number]?.isOn = true
        let known = mirror.devices.filter {
            $0.value.adapter == adapter && ($0.value.isInReach || $0.value.isConnected)
        }.map(\.key).sorted { $0.comesBefore($1) }.compactMap { mirror.discovery(of: $0) }
        if let report = discovery.scans[number]?.report {
            callBack { for discovery in known { report(.success(discovery)) } }
        }
        continueDiscovery()
    }

    mutating func retrieveConnected(
        _ services: [BluetoothUUID], _ completion: @escaping BLECompletion<[Discovery]>
    ) {
        whenUsable { session, result in
            let found = result.map { session.adoptable(services, $0) }
            session.callBack { completion(found.mapError { $0.error(.scan) }) }
        }
    }

    private func adoptable(_ services: [BluetoothUUID], _ adapter: DBusObjectPath) -> [Discovery] {
        guard options.adoptsConnected else { return [] }
        let connected = mirror.devices.filter { path, device in
            device.adapter == adapter && device.isConnected
                && links.byDevice[path] == nil
        }
        return connected.keys.sorted { $0.comesBefore($1) }.compactMap { path in
            mirror.discovery(of: path).flatMap { device in
                device.services.contains(where: services.contains) ? device : nil
            }
        }
    }

    /// Reports a received device to all scans; the layer above filters.
    mutating func reportDevice(_ path: DBusObjectPath) {
        guard !discovery.scans.isEmpty, let device = mirror.devices[path],
            device.adapter == discovery.adapter, let discovery = mirror.discovery(of: path)
        else { return }
        let scans = self.discovery.scans.filter(\.value.isOn).sortedByKey
        let reports = scans.map(\.value.report)
        callBack { for report in reports { report(.success(discovery)) } }
    }
}

extension Outage {
    /// The reason why discovery has to end; `nil` for a harmless error.
    fileprivate init?(discovery error: DBusError) {
        switch error.name {
        case BlueZErrorName.notReady:
            self.init(.bluetoothOff, "the adapter is switched off: \(error.details ?? "")")
        case DBusErrorName.unknownObject:
            self.init(.noBluetooth, "the adapter is gone: \(error.details ?? "")")
        case .some(let name) where name.hasPrefix(BlueZErrorName.prefix): return nil
        default: self.init(error)
        }
    }
}
#endif
