#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

struct DaemonState: Sendable {
    enum Phase: Hashable, Sendable {
        case unasked
        /// Connecting to the bus, or waiting for the daemon's objects.
        case loading
        case loaded
        case gone(Outage)
    }

    /// The maximum number of signals kept before the daemon's objects are loaded. If there are
    /// more, all are dropped: a daemon that replies in order has their content in its reply.
    static let maximumEarlySignals = 4096
    /// The time for a new daemon to find its adapters and power them on.
    static let settlingTime: Duration = .seconds(2)

    var phase = Phase.unasked
    /// The daemon's unique name on the bus.
    var owner: String?
    /// The generation of the connection; events of earlier ones are ignored.
    var connection: UInt64 = 0
    /// `true` if there is a connection, or an attempt to connect.
    var isOpen = false
    var pendingCall: BlueZSession.CallNumber?
    var earlySignals: [DBusSignal] = []
    /// The time until which a new daemon's adapters may be incomplete.
    var settlesAt = Moment.origin
}

extension BlueZSession {
    /// The maximum number of queued effects when a signal comes; beyond it, the connection ends.
    static let maximumEffects = 1 << 17

    /// Loads the daemon's objects if they are missing; reconnects after an end of bus or daemon.
    mutating func load() {
        switch daemon.phase {
        case .loading, .loaded: return
        case .unasked, .gone: break
        }
        daemon.phase = .loading
        if daemon.isOpen {
            askForObjects()
        } else {
            daemon.connection &+= 1
            daemon.isOpen = true
            put(.open(daemon.connection))
        }
        notifyObservers()
    }

    /// Handles an opened connection; its match rules are set, so no signal is missed from here on.
    mutating func opened(_ connection: UInt64) {
        guard daemon.isOpen, daemon.connection == connection else { return }
        askForObjects()
    }

    /// Handles the end of the connection, or a failed attempt.
    mutating func busEnded(_ connection: UInt64, _ error: DBusError) {
        guard daemon.isOpen, daemon.connection == connection else { return }
        daemon.isOpen = false
        for number in hosts.keys.sorted() { updateHost(number, .busEnded(error)) }
        put(.close(connection))
        lose(Outage(error))
    }

    /// Handles the values of one property: mostly those of a characteristic.
    mutating func received(_ values: DBusPropertyValues, from connection: UInt64) {
        guard daemon.isOpen, daemon.connection == connection, daemon.phase == .loaded,
            effectCount < Self.maximumEffects,
            values.source.interface == GattCharacteristic1.interfaceName,
            values.source.name == GattCharacteristic1.value
        else {
            for signal in values.signals { received(signal, from: connection) }
            return
        }
        valuesReceived(values.values, from: values.source.path)
    }

    /// Delivers a characteristic's values: past the link's machine, unless it is being read.
    mutating func valuesReceived(_ values: [[UInt8]], from path: DBusObjectPath) {
        guard let source = links.sources[path] else { return }
        guard source.isRead else { return put(.deliver(source.attribute, values, source.events)) }
        for value in values { handle(.value(value, source.attribute), for: source.link) }
    }

    mutating func received(_ signal: DBusSignal, from connection: UInt64) {
        guard daemon.isOpen, daemon.connection == connection else { return }
        guard effectCount < Self.maximumEffects else {
            return busEnded(connection, DBusError(.limitExceeded, details: "signals"))
        }
        if signal.interface == DBusName.bus { return nameChanged(signal) }
        switch daemon.phase {
        case .loaded: apply(signal)
        case .loading where daemon.earlySignals.count < DaemonState.maximumEarlySignals:
            daemon.earlySignals.append(signal)
        case .loading: daemon.earlySignals = []
        // After a failed load no other part of the session would repeat the request for a hosted
        // device.
        case .unasked, .gone:
            if !hosts.isEmpty, signal.member == DBusObjectManager.interfacesAdded { load() }
        }
    }

    /// Applies a signal to the mirror, and its changes to all parts of the session, in the order of
    /// the bus (pitfall 14: a value before the end of its link stays before it).
    private mutating func apply(_ signal: DBusSignal) {
        if let value = BlueZMirror.value(in: signal) {
            return valuesReceived([value], from: signal.path)
        }
        for change in mirror.apply(signal) { apply(change) }
    }

    mutating func apply(_ change: MirrorChange) {
        updateAdapters(change)
        updateLinks(change)
        updateDiscovery(change)
        updateHosts(change)
    }

    /// Handles a new owner of the daemon's name: the daemon has ended, started or restarted, and
    /// all its old objects are gone (pitfall 19: few programs handle this; bleak does).
    private mutating func nameChanged(_ signal: DBusSignal) {
        guard signal.values.count > 2, signal.values[0].string == BlueZDaemon.name,
            let owner = signal.values[2].string
        else { return }
        guard !owner.isEmpty else { return lose(Outage(.backend, "bluetoothd has left the bus")) }
        if daemon.phase != .loading { lose(Outage(.backend, "bluetoothd was started again")) }
        daemon.owner = owner
        daemon.settlesAt = now + DaemonState.settlingTime
        daemon.phase = .loading
        askForObjects()
    }

    private mutating func askForObjects() {
        forgetPendingCall()
        daemon.pendingCall = call(
            DBusObjectManager.getManagedObjects, of: DBusObjectManager.interfaceName,
            at: BlueZDaemon.manager
        ) { session, answer in
            session.daemon.pendingCall = nil
            session.objectsReceived(answer)
        }
    }

    private mutating func objectsReceived(_ answer: Answer) {
        switch answer {
        case .failure(let error): lose(Outage(error))
        case .success(let reply):
            guard let objects = reply.values.first, mirror.load(objects) else {
                return lose(Outage(.backend, "bluetoothd answered with no list of its objects"))
            }
            daemon.phase = .loaded
            daemon.owner = reply.sender
            let early = daemon.earlySignals
            daemon.earlySignals = []
            apply(.loaded)
            for signal in early { apply(signal) }
            reviewUsability()
        }
    }

    mutating func lose(_ outage: Outage) {
        forgetPendingCall()
        let wasLoaded = daemon.phase == .loaded
        daemon.phase = .gone(outage)
        daemon.owner = nil
        mirror = BlueZMirror()
        if wasLoaded { apply(.lost(outage.details)) }
        notifyObservers()
        reviewUsability()
    }

    private mutating func forgetPendingCall() {
        forget(daemon.pendingCall)
        daemon.pendingCall = nil
        daemon.earlySignals = []
    }
}
#endif
