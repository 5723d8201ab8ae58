#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

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
        if let linger = discovery.linger { cancel(linger) }
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
        discovery.question = call(
            method, of: Adapter1.interfaceName, at: adapter, arguments
        ) { session, answer in
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
        if let question = discovery.question { forget(question) }
        for timer in [discovery.pause, discovery.linger] {
            if let timer { cancel(timer) }
        }
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
        let seekers = links.seeking.filter { number in
            guard let course = links[number] else { return false }
            return course.hold == .seeking && course.adapter == adapter
        }
        for number in seekers.sorted() {
            fail(number, outage.error(.connect))
        }
    }

    mutating func discoveryNoticed(_ change: MirrorChange) {
        switch change {
        case .device(let path, isHeard: true):
            reportDevice(path)
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
        default:
            return
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
        case .some(let name) where name.hasPrefix(BlueZErrorName.prefix):
            return nil
        default:
            self.init(error)
        }
    }
}
#endif
