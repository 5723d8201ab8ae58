#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// Who looks for devices, and how far the daemon is with it.
///
/// The daemon discovers once for each connection to the bus, so all scans share one discovery
/// (pitfall 5: bleak#178 and on to #1825, HA#76544). It is told what all of them together want.
struct DiscoveryState: Sendable {
    typealias Report = @Sendable (Result<Discovery, BLEError>) -> Void

    /// A scan that somebody asked for.
    struct Scan: Sendable {
        let filter: ScanFilter
        let report: Report
        /// Whether an adapter was found for it.
        var isOn = false
    }

    /// The filter of the daemon's search. It names no services: 5.87 dies when such a search hears
    /// a device that advertises some (pitfall 26: seen in the virtual machine).
    struct Filter: Hashable, Sendable { var repeats = false }

    static let maximumScans = 1024
    /// How often starting is tried while something else is in progress: for 13 seconds at least, as
    /// the kernel goes on for ten with what a daemon began that was killed (seen in the virtual
    /// machine).
    static let maximumAttempts = 9
    /// How long is waited after the first attempt; then twice as long each time, and a little
    /// more or less, so that two programs do not meet again and again.
    static let firstPause: Duration = .milliseconds(100)
    /// How long discovery goes on when nobody scans any more. Who has found a device connects to
    /// it next, and the daemon forgets devices soon after discovery ends (pitfall 8: bleak#971).
    static let lingering: Duration = .seconds(1)

    var scans: [UInt64: Scan] = [:]
    /// How many want discovery to go on if it does.
    var holdCount = 0
    /// How many of them want it to begin if it does not.
    var seekerCount = 0
    var adapter: DBusObjectPath?
    var told: Filter?
    var isRunning = false
    var question: BlueZSession.CallNumber?
    var attemptCount = 0
    /// While nothing is asked: after an attempt in vain.
    var pause: BlueZSession.TimerNumber?
    /// While discovery goes on for nobody.
    var linger: BlueZSession.TimerNumber?

    /// What all want to be looked for; nothing if nobody wants anything.
    var wanted: Filter? {
        let filters = scans.values.filter(\.isOn).map(\.filter)
        guard !filters.isEmpty else {
            if seekerCount > 0 { return Filter() }
            return holdCount > 0 && isRunning ? told ?? Filter() : nil
        }
        return Filter(repeats: filters.contains(where: \.reportsDuplicates))
    }
}

extension DiscoveryState.Filter {
    /// The filter in the daemon's words. Always of the low-energy kind: otherwise it would listen
    /// to the older Bluetooth half of the time. That alone is no filter for an adapter that has
    /// nothing else, and then devices are passed over that do not say that they may be found (5.87,
    /// in the virtual machine); with a pattern it is one, and the empty pattern fits all.
    var value: DBusValue {
        .properties([
            DiscoveryFilter.transport: .string(DiscoveryFilter.transportLE),
            DiscoveryFilter.duplicateData: .boolean(repeats), DiscoveryFilter.pattern: .string(""),
        ])
    }
}

/// The one discovery that all scans share.
extension BlueZSession {
    /// Has the daemon discover until ``releaseDiscovery(seeking:)``; or, if nobody seeks a device,
    /// only keeps it from ending what it does already.
    ///
    /// Who connects holds it until the daemon has connected: the daemon may remove a device when
    /// discovery ends (pitfall 8: bleak#971, "may have been removed when scanning stopped").
    mutating func holdDiscovery(seeking: Bool = true) {
        discovery.holdCount += 1
        if seeking {
            discovery.seekerCount += 1
            if let adapter = chosenAdapter, isPowered(adapter) { useForDiscovery(adapter) }
        }
        continueDiscovery()
    }

    /// Ends what ``holdDiscovery(seeking:)`` began, which was told the same.
    mutating func releaseDiscovery(seeking: Bool = true) {
        discovery.holdCount = max(0, discovery.holdCount - 1)
        if seeking { discovery.seekerCount = max(0, discovery.seekerCount - 1) }
        continueDiscovery()
    }

    /// Discovers with an adapter, and no longer with another one.
    mutating func useForDiscovery(_ adapter: DBusObjectPath) {
        guard discovery.adapter != adapter else { return }
        if discovery.adapter != nil { endDiscovery(Outage(.backend, "another adapter is used")) }
        discovery.adapter = adapter
    }

    /// Asks the daemon for what is to be done next, one thing at a time.
    mutating func continueDiscovery() {
        guard discovery.question == nil, discovery.pause == nil, let adapter = discovery.adapter
        else { return }
        guard let wanted = discovery.wanted else {
            if discovery.isRunning { stopDiscovery(adapter) }
            return
        }
        cancel(discovery.linger)
        discovery.linger = nil
        if discovery.told != wanted {
            tellFilter(wanted, adapter)
        } else if !discovery.isRunning {
            startDiscovery(adapter)
        }
    }

    private mutating func ask(
        _ method: String, _ arguments: [DBusValue] = [], _ adapter: DBusObjectPath,
        then continuation: @escaping Continuation
    ) {
        discovery.question = call(method, of: Adapter1.interfaceName, at: adapter, arguments) {
            session, answer in
            session.discovery.question = nil
            continuation(&session, answer)
            session.continueDiscovery()
        }
    }

    private mutating func tellFilter(_ filter: DiscoveryState.Filter, _ adapter: DBusObjectPath) {
        ask(Adapter1.setDiscoveryFilter, [filter.value], adapter) { session, answer in
            session.discovery.told = filter
            // A daemon that does not like the filter discovers all the same.
            if case .failure(let error) = answer, let outage = Outage(discovery: error) {
                session.endDiscovery(outage)
            }
        }
    }

    private mutating func startDiscovery(_ adapter: DBusObjectPath) {
        if discovery.attemptCount > 1 {
            // What is in progress may be our own: of an answer that never came.
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

    /// Pitfall 5: somebody else's discovery is just beginning or ending. Another attempt helps.
    private mutating func pauseDiscovery(_ error: DBusError) {
        discovery.attemptCount += 1
        guard discovery.attemptCount < DiscoveryState.maximumAttempts else {
            return endDiscovery(Outage(error))
        }
        let whole = DiscoveryState.firstPause * (1 << (discovery.attemptCount - 1))
        let percent = Int.random(in: 50...150, using: &chance)
        discovery.pause = after(whole * percent / 100) { session in
            session.discovery.pause = nil
            session.continueDiscovery()
        }
    }

    private mutating func stopDiscovery(_ adapter: DBusObjectPath) {
        guard discovery.linger == nil else { return }
        discovery.linger = after(DiscoveryState.lingering) { session in
            session.discovery.linger = nil
            guard session.discovery.wanted == nil else { return }
            session.ask(Adapter1.stopDiscovery, [], adapter) { session, _ in
                session.discovery.isRunning = false
            }
        }
    }

    /// Discovery has come to an end, and with it all scans and attempts to find a device.
    mutating func endDiscovery(_ outage: Outage) {
        forget(discovery.question)
        for timer in [discovery.pause, discovery.linger] { cancel(timer) }
        if discovery.isRunning, let adapter = discovery.adapter, daemon.phase == .loaded {
            // It may go on for all that is known.
            call(Adapter1.stopDiscovery, of: Adapter1.interfaceName, at: adapter) { _, _ in }
        }
        let adapter = discovery.adapter
        let scans = discovery.scans
        var next = DiscoveryState()
        next.scans = scans.filter { !$0.value.isOn }
        (next.holdCount, next.seekerCount) = (discovery.holdCount, discovery.seekerCount)
        discovery = next
        for (_, scan) in scans.filter(\.value.isOn).sorted(by: { $0.key < $1.key }) {
            perform { scan.report(.failure(outage.error(.scan))) }
        }
        // Who seeks a device there would wait in vain.
        for number in links.listening.sorted() {
            take(.discoveryEnded(outage, on: adapter), for: number)
        }
    }

    mutating func discoveryNoticed(_ change: MirrorChange) {
        switch change {
        case .device(let path, isHeard: true): reportDevice(path)
        case .adapter(let path) where path == discovery.adapter:
            guard mirror.adapters[path]?.isOn != true else { return }
            endDiscovery(Outage(.poweredOff, "the adapter was switched off"))
        case .adapterRemoved(let path) where path == discovery.adapter:
            let isLast = mirror.adapters.isEmpty
            endDiscovery(Outage(isLast ? .unsupported : .backend, "the adapter was removed"))
        case .lost(let text):
            // Somebody may have had the daemon looked for again by now.
            guard case .gone(let outage) = daemon.phase else {
                return endDiscovery(Outage(.backend, text))
            }
            endDiscovery(outage)
        default: return
        }
    }
}

extension Outage {
    /// Why discovery cannot go on; nothing if it may all the same.
    fileprivate init?(discovery error: DBusError) {
        switch error.name {
        case BlueZErrorName.notReady:
            self.init(.poweredOff, "the adapter is switched off: \(error.details ?? "")")
        case BusErrorName.unknownObject:
            self.init(.unsupported, "the adapter is gone: \(error.details ?? "")")
        case .some(let name) where name.hasPrefix(BlueZErrorName.prefix): return nil
        default: self.init(error)
        }
    }
}

extension BlueZSession {
    /// Tells of devices until ``endScan(_:)`` with this number, or until it cannot go on.
    mutating func beginScan(_ filter: ScanFilter, _ report: @escaping DiscoveryState.Report)
        -> UInt64
    {
        let number = nextNumber()
        guard discovery.scans.count < DiscoveryState.maximumScans else {
            perform { report(.failure(BLEError(.overloaded, .scan))) }
            return number
        }
        discovery.scans[number] = DiscoveryState.Scan(filter: filter, report: report)
        whenUsable { session, result in
            guard session.discovery.scans[number] != nil else { return }
            switch result {
            case .success(let adapter): session.turnOn(number, adapter)
            case .failure(let outage): session.failScan(number, outage.error(.scan))
            }
        }
        return number
    }

    mutating func endScan(_ number: UInt64) {
        guard let scan = discovery.scans.removeValue(forKey: number) else { return }
        letGo(scan.report)
        continueDiscovery()
    }

    private mutating func failScan(_ number: UInt64, _ error: BLEError) {
        guard let scan = discovery.scans.removeValue(forKey: number) else { return }
        perform { scan.report(.failure(error)) }
    }

    private mutating func turnOn(_ number: UInt64, _ adapter: DBusObjectPath) {
        useForDiscovery(adapter)
        discovery.scans[number]?.isOn = true
        if let report = discovery.scans[number]?.report { reportKnown(report, adapter) }
        continueDiscovery()
    }

    /// What was heard while another scan goes on, also another program's, is told at once: it may
    /// not be heard again soon, and of a device that advertises the same with the same strength
    /// the daemon says nothing (btvirt is heard once for each beginning of discovery). The daemon
    /// takes the strength of the signal back when nobody discovers any more. A device that is
    /// connected does not advertise, and is there.
    private mutating func reportKnown(
        _ report: @escaping DiscoveryState.Report, _ adapter: DBusObjectPath
    ) {
        let known = mirror.devices.filter {
            $0.value.adapter == adapter && ($0.value.isInReach || $0.value.isConnected)
        }.map(\.key).sorted { $0.text < $1.text }.compactMap { mirror.discovery(of: $0) }
        guard !known.isEmpty else { return }
        perform { for discovery in known { report(.success(discovery)) } }
    }

    /// A device was heard: all scans are told, and what does not match is dropped above.
    mutating func reportDevice(_ path: DBusObjectPath) {
        guard !discovery.scans.isEmpty, let device = mirror.devices[path],
            device.adapter == discovery.adapter, let discovery = mirror.discovery(of: path)
        else { return }
        let scans = self.discovery.scans.filter(\.value.isOn).sorted { $0.key < $1.key }
        let reports = scans.map(\.value.report)
        perform { for report in reports { report(.success(discovery)) } }
    }
}
#endif
