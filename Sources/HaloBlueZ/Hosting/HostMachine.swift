#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// A device that the daemon has on the air for us, from the wish for it until its end: what the
/// mirror, the daemon and the device say goes in, what is to be done comes out.
///
/// Rules:
/// - First there is an adapter that is on; then the device comes to life; then its services are
///   registered, and then, if it advertises, its advertisement. When all this stands, it is ready.
/// - What is registered follows what the device wants, one call at a time. Services that come
///   later are an application of their own, so that those that were there before stay as they
///   are for a central. An application of which something has gone is unregistered, and what
///   remains of it registered anew. Another advertisement takes the place of the old one.
/// - When the daemon or the adapter has gone, or one of the interfaces that a device needs, the
///   central has too, and everything is registered again as soon as all are back: that is tried
///   ``attempts`` times. A refusal at any other time ends the device with an error, as does the
///   end of the bus. The adapter is known by its address: its path may be another one.
/// - While the adapter is off, what is to be registered waits.
/// - Nobody but the daemon is answered.
///
/// Who the central is, and what becomes of its requests: ``HostedCentrals``.
///
/// ```
/// state     input                        condition          next       what comes of it
/// waiting   adapter, one that can        -                  here       start; starting
///           adapter, none that can       -                  over       ended with the reason
///           remove                       -                  over       ended
/// here      started                      starting           here       registering; reconcile
///           registered (yes)             -                  here       reconcile
///           registered (no)              off, ready         here       nothing: power comes
///                                        off, not ready     over       given up: it is off
///                                        returned, n > 0    here       n − 1; again in a pause
///                                        else               over       given up with the reason
///           unregistered (yes, no)       -                  here       taken back; reconcile
///           all as the device wants it   registering        here       ready
///                                        returned           here       n is what it was at first
///           power: on                    was off            here       the same; reconcile
///           gone, or an interface of it  ready              away       central leaves; taken back
///                                        not ready          over       the same; ended
///           advertisement is released    registered         here       taken back; after a pause
///           remove                       -                  removing   all is unregistered
/// away      adapter, as it should be     -                  here       returned; power; reconcile
///           remove                       -                  over       ended
/// removing  unregistered (yes, no)       the last one       over       taken back; ended
/// any       the bus ends                 -                  over       taken back; ended
/// ```
struct HostMachine: Sendable {
    enum Phase: Sendable {
        /// An adapter that is on is looked for.
        case waiting
        case here(HostedStay)
        /// The daemon, or the adapter, has gone.
        case away
        /// So many answers are waited for until it is over.
        case removing(HostedStay, answersDue: Int)
        case over
    }

    /// How often registering is tried again when the daemon or the adapter has come back.
    static let attempts = 5
    /// How long it is to the next time.
    static let pause: Duration = .seconds(1)

    /// Below which all objects are.
    let root: DBusObjectPath
    let renamesAdapter: Bool
    let powersOn: Bool
    private(set) var phase = Phase.waiting
    private var lastGeneration: UInt64 = 0
    private(set) var address: String?
    /// What the adapter is called without the device.
    private var alias: String?
    private var isRenamed = false
    private var services: [GATTService] = []
    private var wantedAdvertisement: HostedAdvertisement?
    private var edition = 0
    private var lastToken: UInt32 = 0

    init(at root: DBusObjectPath, renamesAdapter: Bool, powersOn: Bool) {
        self.root = root
        self.renamesAdapter = renamesAdapter
        self.powersOn = powersOn
    }

    mutating func handle(_ input: HostInput, _ turn: inout HostTurn) {
        switch input {
        case .adapter(let found): begin(found, &turn)
        case .started(let services): started(services, &turn)
        case .did(let effect): if isWanted { did(effect, &turn) }
        case .consists(let services): if isWanted { offer(services, &turn) }
        case .mirror(let change, let isOurs): noticed(change, isOurs, &turn)
        case .busEnded(let error): lost(error, &turn)
        case .asked(let request): asked(request, &turn)
        case .answered(let question, let error, let generation):
            if generation == stay?.generation { answered(question, error, &turn) }
        case .time: tick(&turn)
        case .remove: remove(&turn)
        }
    }

    var deadline: Moment? {
        guard let stay else { return nil }
        return [stay.retryAt, stay.centrals.deadline].compactMap { $0 }.min()
    }

    var isConnected: Bool { stay?.centrals.central != nil }

    /// What is on an adapter, or about to leave it.
    private(set) var stay: HostedStay? {
        get {
            switch phase {
            case .here(let stay), .removing(let stay, _): stay
            case .waiting, .away, .over: nil
            }
        }
        set {
            switch (phase, newValue) {
            case (.here, let stay?): phase = .here(stay)
            case (.removing(_, let answersDue), let stay?):
                phase = .removing(stay, answersDue: answersDue)
            default: break
            }
        }
    }

    /// The adapter, while everything can be asked of it.
    private var adapter: DBusObjectPath? {
        if case .here(let stay) = phase { stay.adapter } else { nil }
    }

    /// Whether it goes on being a device, as far as it depends on this program.
    private var isWanted: Bool {
        switch phase {
        case .waiting, .here, .away: true
        case .removing, .over: false
        }
    }

    private mutating func nextGeneration() -> UInt64 {
        lastGeneration += 1
        return lastGeneration
    }

    // MARK: The adapter

    private mutating func begin(_ found: Result<BlueZAdapter, Outage>, _ turn: inout HostTurn) {
        guard case .waiting = phase else { return }
        switch found {
        case .failure(let outage): finish(outage.error(.host), &turn)
        case .success(let adapter):
            if let refusal = adapter.hostingRefusal { return finish(refusal, &turn) }
            (address, alias) = (adapter.address, adapter.ownAlias)
            settle(on: adapter, .starting, &turn)
            turn.perform(.start)
        }
    }

    private mutating func settle(
        on adapter: BlueZAdapter, _ stage: HostedStay.Stage, _ turn: inout HostTurn
    ) {
        phase = .here(
            HostedStay(
                nextGeneration(), on: adapter, stage, in: turn.mirror,
                advertisementPath: root.appending("advertisement")))
    }

    private mutating func noticed(_ change: MirrorChange, _ isOurs: Bool, _ turn: inout HostTurn) {
        switch change {
        case .loaded: comeBack(&turn)
        case .adapter(let path) where path == adapter:
            guard let known = turn.mirror.adapters[path], known.hostingRefusal == nil else {
                return went(&turn)
            }
            power(known.isOn, &turn)
        case .adapter: comeBack(&turn)
        case .lost: went(&turn)
        case .adapterRemoved(let path): if path == adapter { went(&turn) }
        case .connection(let path, let isOn):
            guard let stay, turn.mirror.devices[path]?.adapter == stay.adapter else { return }
            let isCounted = !isOurs && stay.stage != .starting && adapter != nil
            self.stay?.centrals.connection(of: path, isOn, counts: isCounted, &turn)
        case .deviceRemoved(let path):
            self.stay?.centrals.connection(of: path, false, counts: false, &turn)
        default: break
        }
    }

    /// The adapter was switched on or off: what is to be registered waits meanwhile.
    private mutating func power(_ isOn: Bool, _ turn: inout HostTurn) {
        guard stay?.isOn != isOn else { return }
        stay?.isOn = isOn
        guard isOn else { return }
        allowAttempts()
        stay?.retryAt = nil
        reconcile(&turn)
    }

    private mutating func went(_ turn: inout HostTurn) {
        guard case .here(var stay) = phase else { return }
        stay.end(&turn)
        phase = .away
        // Who still waits for the device to be there is told, and may try again: a daemon that is
        // gone may never come back.
        guard !stay.wasReady else { return }
        let words = "the daemon or the adapter has gone"
        finish(BLEError(.backend, .host, details: words), &turn)
    }

    /// Something is there that may be the adapter. Its interfaces need not come all at once.
    private mutating func comeBack(_ turn: inout HostTurn) {
        guard case .away = phase,
            let adapter = turn.mirror.adapters.values.first(where: { $0.address == address }),
            adapter.hostingRefusal == nil
        else { return }
        settle(on: adapter, .returned(attemptsLeft: Self.attempts), &turn)
        if !adapter.isOn, powersOn {
            // The adapter says so itself if it works; one that is off may still be switched on.
            let timeout = HostedStay.answerTimeout
            stay?.set(Adapter1.powered, to: .boolean(true), &turn, timeout: timeout)
        }
        reconcile(&turn)
    }

    // MARK: The device

    private mutating func started(_ services: [GATTService], _ turn: inout HostTurn) {
        guard stay?.stage == .starting else { return }
        stay?.stage = .registering
        offer(services, &turn)
    }

    private mutating func offer(_ services: [GATTService], _ turn: inout HostTurn) {
        self.services = HostedApplication.hostable(services)
        reconcile(&turn)
    }

    private mutating func did(_ effect: PeripheralEffect, _ turn: inout HostTurn) {
        switch effect {
        case .value(let value, let token):
            stay?.centrals.answer(token, [.bytes(HostedCentrals.cut(value))], &turn)
        case .done(let token): stay?.centrals.answer(token, [], &turn)
        case .refuse(let error, let token): stay?.centrals.refuse(token, error, &turn)
        case .notify(let attribute, let value), .indicate(let attribute, let value):
            // Which of the two it is the daemon decides, by the characteristic's properties.
            guard let stay,
                let path = stay.present.lazy.compactMap({ $0.characteristics[attribute] }).first,
                let cut = stay.centrals.value(value, of: attribute)
            else { return }
            turn.perform(.value(cut, at: path))
        case .disconnect: stay?.centrals.disconnect(&turn)
        case .advertise(let new):
            wantedAdvertisement = new.map { HostedAdvertisement($0) }
            reconcile(&turn)
        case .servicesChanged, .wake, .requestParameters: break
        }
    }

    private mutating func asked(_ request: HostedRequest, _ turn: inout HostTurn) {
        guard case .here(var stay) = phase, turn.owner != nil, request.sender == turn.owner else {
            let refusal = DBusRefusal.accessDenied("Only \(BlueZDaemon.name) may ask")
            return turn.perform(.refuse(refusal, of: request.number))
        }
        if request.interface == LEAdvertisement1.interfaceName { return released(request, &turn) }
        let (present, path) = (stay.present, request.path)
        guard let attribute = present.lazy.compactMap({ $0.attributes[path] }).first else {
            let refusal = DeviceRefusal.refusal(.invalidHandle)
            return turn.perform(.refuse(refusal, of: request.number))
        }
        let target = HostedCentrals.Target(
            id: attribute.id, canRead: present.contains { $0.canRead(attribute) },
            canWrite: present.contains { $0.canWrite(attribute) })
        stay.centrals.asked(request, target, &lastToken, &turn)
        phase = .here(stay)
    }

    /// The daemon advertises no longer: the adapter is about to go, which is told separately.
    private mutating func released(_ request: HostedRequest, _ turn: inout HostTurn) {
        turn.perform(.reply([], to: request.number))
        guard case .registered = stay?.advertisement else { return }
        stay?.takeBack(.advertisement, &turn)
        stay?.retryAt = turn.now + Self.pause
    }

    // MARK: Registering

    /// Something is another way than it should be: asks for the next step towards it.
    private mutating func reconcile(_ turn: inout HostTurn) {
        guard case .here(let stay) = phase, stay.stage != .starting, stay.isOn,
            stay.retryAt == nil, case .none = stay.application
        else { return }
        let stale = stay.applications.firstIndex { present in
            !present.services.allSatisfy { services.contains($0) }
        }
        if let stale {
            self.stay?.applications.remove(at: stale)
            self.stay?.application = .leaving(stay.applications[stale])
            return stay.unregister(.application, at: stay.applications[stale].root, &turn)
        }
        let present = stay.applications.flatMap(\.services)
        let missing = services.filter { !present.contains($0) }
        // The daemon refuses an application without a service; a beacon has none.
        guard !missing.isEmpty else { return reconcileAdvertisement(stay, &turn) }
        edition += 1
        let new = HostedApplication(missing, at: root.appending("edition\(edition)"))
        self.stay?.register(new, &turn)
    }

    private mutating func reconcileAdvertisement(_ stay: HostedStay, _ turn: inout HostTurn) {
        switch stay.advertisement {
        case .none:
            guard let wantedAdvertisement else { return settled(&turn) }
            rename(wantedAdvertisement.name, &turn)
            self.stay?.register(wantedAdvertisement, &turn)
        case .registered(let present) where present != wantedAdvertisement:
            self.stay?.advertisement = .leaving(present)
            stay.unregister(.advertisement, at: stay.advertisementPath, &turn)
        case .registered: settled(&turn)
        case .asked, .leaving: break
        }
    }

    /// Everything is as the device wants it.
    private mutating func settled(_ turn: inout HostTurn) {
        allowAttempts()
        guard stay?.stage == .registering else { return }
        stay?.stage = .ready
        turn.perform(.ready)
    }

    private mutating func allowAttempts() {
        if case .returned = stay?.stage { stay?.stage = .returned(attemptsLeft: Self.attempts) }
    }

    private mutating func answered(
        _ question: HostedStay.Question, _ error: DBusError?, _ turn: inout HostTurn
    ) {
        switch (phase, question) {
        case (.here, .register(let part)): registered(part, error, &turn)
        case (.here, .unregister(let part)):
            // Whatever the daemon answered, it is registered no longer.
            if part == .application, let gone = stay?.application.thing {
                // The daemon drops subscriptions together with their characteristics.
                stay?.centrals.forgetSubscriptions(to: gone.characteristics.keys, &turn)
            }
            stay?.takeBack(part, &turn)
            reconcile(&turn)
        case (.removing(let stay, let answersDue), .unregister):
            phase = .removing(stay, answersDue: answersDue - 1)
            if answersDue <= 1 { finish(nil, &turn) }
        default: break
        }
    }

    private mutating func registered(
        _ part: HostedStay.Part, _ error: DBusError?, _ turn: inout HostTurn
    ) {
        if let error {
            let excess = part == .advertisement ? stay?.advertisement.thing?.excess : nil
            stay?.takeBack(part, &turn)
            return refused(BLEError(hosting: error, excess: excess), &turn)
        }
        switch (part, stay?.application, stay?.advertisement) {
        case (.application, .asked(let thing), _):
            stay?.applications.append(thing)
            stay?.application = .none
        case (.advertisement, _, .asked(let thing)): stay?.advertisement = .registered(thing)
        default: break
        }
        reconcile(&turn)
    }

    /// The daemon does not want it: what is tried again is, unless that was often enough.
    private mutating func refused(_ error: BLEError, _ turn: inout HostTurn) {
        guard let stay else { return }
        switch stay.stage {
        case .starting, .registering:
            let isOff = BLEError(.poweredOff, .host, details: "\(stay.adapter) is off")
            failed(stay.isOn ? error : isOff, &turn)
        // It is tried again when the adapter is switched on.
        case _ where !stay.isOn: break
        case .returned(let attemptsLeft) where attemptsLeft > 0:
            self.stay?.stage = .returned(attemptsLeft: attemptsLeft - 1)
            self.stay?.retryAt = turn.now + Self.pause
        case .ready, .returned: failed(error, &turn)
        }
    }

    private mutating func tick(_ turn: inout HostTurn) {
        if let retryAt = stay?.retryAt, retryAt <= turn.now {
            stay?.retryAt = nil
            reconcile(&turn)
        }
        stay?.centrals.tick(&turn)
    }

    // MARK: The end

    private mutating func remove(_ turn: inout HostTurn) {
        switch phase {
        case .here(var stay):
            // Only answers to what is asked from here on count.
            stay.generation = nextGeneration()
            stay.retryAt = nil
            stay.centrals.disconnect(&turn)
            restoreAlias(&turn)
            let answersDue = stay.unregisterAll(&turn)
            phase = .removing(stay, answersDue: answersDue)
            if answersDue == 0 { finish(nil, &turn) }
        case .waiting, .away: finish(nil, &turn)
        case .removing, .over: break
        }
    }

    /// The device cannot go on. What is registered is given up; nobody waits for that.
    private mutating func failed(_ error: BLEError, _ turn: inout HostTurn) {
        restoreAlias(&turn)
        _ = stay?.unregisterAll(&turn)
        finish(error, &turn)
    }

    /// The connection to the bus has ended: the daemon cleans up by itself.
    private mutating func lost(_ error: DBusError, _ turn: inout HostTurn) {
        let error = BLEError(.backend, .host, details: error.description)
        finish(isWanted ? error : nil, &turn)
    }

    private mutating func finish(_ error: BLEError?, _ turn: inout HostTurn) {
        if case .over = phase { return }
        stay?.end(&turn)
        phase = .over
        turn.perform(.ended(error))
    }

    // MARK: The adapter's name

    private mutating func rename(_ name: String?, _ turn: inout HostTurn) {
        guard renamesAdapter, let name, name != alias || isRenamed else { return }
        isRenamed = true
        setAlias(name, &turn)
    }

    private func restoreAlias(_ turn: inout HostTurn) {
        if isRenamed, let alias { setAlias(alias, &turn) }
    }

    private func setAlias(_ name: String, _ turn: inout HostTurn) {
        let timeout = HostedStay.removalTimeout
        stay?.set(Adapter1.alias, to: .string(name), &turn, timeout: timeout)
    }
}
#endif
