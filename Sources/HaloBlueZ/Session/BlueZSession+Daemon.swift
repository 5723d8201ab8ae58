#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// How far things are with the bus and the daemon.
struct DaemonState: Sendable {
    enum Phase: Hashable, Sendable {
        case unasked
        /// The bus is being connected to, or the daemon asked for its objects.
        case loading
        /// The mirror shows what the daemon has.
        case loaded
        case gone(Outage)
    }

    /// How many signals are kept that come before the daemon's objects. If there are more, none
    /// is: a daemon that answers in order has told in its answer what they say.
    static let maximumEarly = 4096
    /// How long a daemon that has just come may take to find its adapters and switch them on.
    static let settlingTime: Duration = .seconds(2)

    var phase = Phase.unasked
    /// The name that the bus gave the daemon.
    var owner: String?
    /// Numbers connections: what an earlier one still says counts no more.
    var connection: UInt64 = 0
    /// Whether there is a connection, or will be.
    var isOpen = false
    /// The question for all objects, while it is not answered.
    var question: BlueZSession.CallNumber?
    var early: [DBusSignal] = []
    /// Until when a daemon that has just come is not taken at its word about adapters.
    var settlesAt = Moment.origin
}

extension BlueZSession {
    /// How much may wait to be done outside when a signal or a value comes: if nobody gets it
    /// done, the connection ends.
    static let maximumEffects = 1 << 17

    /// Sees to it that the daemon's objects are known, if they can be; a bus or a daemon that was
    /// gone is looked for again.
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
        tellState()
    }

    /// The bus has been told what is to be heard: from here on nothing is missed.
    mutating func opened(_ connection: UInt64) {
        guard daemon.isOpen, daemon.connection == connection else { return }
        askForObjects()
    }

    /// The connection has ended, or none could be made.
    mutating func busEnded(_ connection: UInt64, _ error: DBusError) {
        guard daemon.isOpen, daemon.connection == connection else { return }
        daemon.isOpen = false
        hostsEnd(error)
        put(.close(connection))
        lose(Outage(error))
    }

    /// One property had values, one after the other: mostly they are those of a characteristic.
    mutating func received(_ values: DBusPropertyValues, from connection: UInt64) {
        guard daemon.isOpen, daemon.connection == connection, daemon.phase == .loaded,
            effectCount < Self.maximumEffects,
            values.interface == GattCharacteristic1.interfaceName,
            values.name == GattCharacteristic1.value
        else {
            for signal in values.signals { received(signal, from: connection) }
            return
        }
        valuesCame(values.values, from: values.path)
    }

    mutating func received(_ signal: DBusSignal, from connection: UInt64) {
        guard daemon.isOpen, daemon.connection == connection else { return }
        guard effectCount < Self.maximumEffects else {
            return busEnded(connection, DBusError(.tooMuch, details: "signals"))
        }
        if signal.interface == DBusName.bus { return nameChanged(signal) }
        switch daemon.phase {
        case .loaded: apply(signal)
        case .loading where daemon.early.count < DaemonState.maximumEarly:
            daemon.early.append(signal)
        case .loading: daemon.early = []
        case .unasked, .gone: hostsHear(signal)
        }
    }

    /// What the daemon says goes into the mirror, and from there to all whom it concerns: in one
    /// order, that of the bus (pitfall 14: a value before the end of its link stays before it).
    private mutating func apply(_ signal: DBusSignal) {
        if let value = BlueZMirror.value(in: signal) {
            return valuesCame([value], from: signal.path)
        }
        for change in mirror.apply(signal) { noticed(change) }
    }

    /// Something is another way than before.
    mutating func noticed(_ change: MirrorChange) {
        adaptersNoticed(change)
        linksNoticed(change)
        discoveryNoticed(change)
        hostsNoticed(change)
    }

    /// The daemon's name belongs to somebody else now, or to nobody: it has gone, has come, or
    /// was started again. Whatever was there is not any more (pitfall 19: few programs handle
    /// this; bleak does).
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
        forgetQuestion()
        daemon.question = call(
            DBusObjectManager.getManagedObjects, of: DBusObjectManager.interfaceName,
            at: BlueZDaemon.manager
        ) { session, answer in
            session.daemon.question = nil
            session.objectsCame(answer)
        }
    }

    private mutating func objectsCame(_ answer: Answer) {
        switch answer {
        case .failure(let error): lose(Outage(error))
        case .success(let reply):
            guard let objects = reply.values.first, mirror.load(objects) else {
                return lose(Outage(.backend, "bluetoothd answered with no list of its objects"))
            }
            daemon.phase = .loaded
            daemon.owner = reply.sender
            let early = daemon.early
            daemon.early = []
            noticed(.loaded)
            for signal in early { apply(signal) }
            reviewUsability()
        }
    }

    /// There is no daemon any more, nor what it had.
    mutating func lose(_ outage: Outage) {
        forgetQuestion()
        let wasLoaded = daemon.phase == .loaded
        daemon.phase = .gone(outage)
        daemon.owner = nil
        mirror = BlueZMirror()
        if wasLoaded { noticed(.lost(outage.details)) }
        tellState()
        reviewUsability()
    }

    private mutating func forgetQuestion() {
        forget(daemon.question)
        daemon.question = nil
        daemon.early = []
    }
}
#endif
