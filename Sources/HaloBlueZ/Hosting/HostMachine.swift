#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// The state machine of a hosted device, from the request to host it until its end. Its inputs come
/// from the mirror, the daemon and the device; its outputs are ``HostEffect``s.
///
/// Rules:
/// - First there is an adapter that is on; then the device starts; then its services are
///   registered, and then, if it advertises, its advertisement. When all of these are registered,
///   the device is ready.
/// - The registrations follow the device, one call at a time. Services that are added later are an
///   application of their own, so that a central keeps the ones that it knows. An application that
///   has lost a service is unregistered, and the rest of it registered anew. A new advertisement
///   replaces the old one.
/// - When the daemon, the adapter or a required interface is gone, the central is removed.
///   Everything is registered again as soon as all are back: that is retried ``attempts`` times.
///   A refusal at any other time ends the device with an error, as does the end of the bus.
///   The adapter is known by its address: its path may change.
/// - While the adapter is off, registrations wait.
/// - Requests of other programs than the daemon are refused.
///
/// Centrals and their requests: ``HostedCentrals``.
///
/// ```
/// state     input                        condition          next       effects
/// waiting   adapter, one that can host   -                  active     start; starting
///           adapter, none that can       -                  ended      ended with the reason
///           remove                       -                  ended      ended
/// active    started                      starting           active     registering; reconcile
///           registered (yes)             -                  active     reconcile
///           registered (no)              off, ready         active     none: power will come
///                                        off, not ready     ended      failed: it is off
///                                        returned, n > 0    active     n − 1; retry after a pause
///                                        else               ended      failed with the reason
///           unregistered (yes, no)       -                  active     unexport; reconcile
///           all as the device wants it   registering        active     ready
///                                        returned           active     n is reset
///           power: on                    was off            active     n is reset; reconcile
///           gone, or an interface of it  ready              suspended  central removed; unexport
///                                        not ready          ended      the same; ended
///           advertisement is released    registered         active     unexport; after a pause
///           remove                       -                  removing   all is unregistered
/// suspended adapter, all interfaces      -                  active     returned; power; reconcile
///           remove                       -                  ended      ended
/// removing  unregistered (yes, no)       the last one       ended      unexport; ended
/// any       the bus ends                 -                  ended      unexport; ended
/// ```
struct HostMachine: Sendable {
    enum Phase: Sendable {
        /// No adapter is known yet.
        case waiting
        case active(HostedEpoch)
        /// The daemon or the adapter has gone, and may come back.
        case suspended
        /// The device is being unregistered; `answersDue` replies are still to come.
        case removing(HostedEpoch, answersDue: Int)
        case ended
    }

    /// The maximum number of retries after the daemon or the adapter has come back.
    static let attempts = 5
    /// The time between retries.
    static let pause: Duration = .seconds(1)

    /// The path below which all objects are exported.
    let root: DBusObjectPath
    let renamesAdapter: Bool
    let powersOn: Bool
    private(set) var phase = Phase.waiting
    private var lastGeneration: UInt64 = 0
    private(set) var address: String?
    /// The adapter's own alias, which is restored at the end.
    private var alias: String?
    private var isRenamed = false
    private var services: [GATTService] = []
    private var wantedAdvertisement: HostedAdvertisement?
    private var lastApplication = 0
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
        case .effect(let effect): if isWanted { perform(effect, &turn) }
        case .services(let services): if isWanted { offer(services, &turn) }
        case .mirror(let change, let isOurs): mirrorChanged(change, isOurs, &turn)
        case .busEnded(let error): lost(error, &turn)
        case .request(let request): received(request, &turn)
        case .answered(let tracked, let error, let generation):
            if generation == epoch?.generation { answered(tracked, error, &turn) }
        case .deadline: tick(&turn)
        case .remove: remove(&turn)
        }
    }

    var deadline: Moment? {
        guard let epoch else { return nil }
        return [epoch.retryAt, epoch.centrals.deadline].compactMap { $0 }.min()
    }

    var isConnected: Bool { epoch?.centrals.central != nil }

    /// The registrations on the present adapter, also while they are being removed.
    private(set) var epoch: HostedEpoch? {
        get {
            switch phase {
            case .active(let epoch), .removing(let epoch, _): epoch
            case .waiting, .suspended, .ended: nil
            }
        }
        set {
            switch (phase, newValue) {
            case (.active, let epoch?): phase = .active(epoch)
            case (.removing(_, let answersDue), let epoch?):
                phase = .removing(epoch, answersDue: answersDue)
            default: break
            }
        }
    }

    /// The adapter, while the device is on it.
    private var adapter: DBusObjectPath? {
        if case .active(let epoch) = phase { epoch.adapter } else { nil }
    }

    /// `true` until this program removes the device, or the device ends.
    private var isWanted: Bool {
        switch phase {
        case .waiting, .active, .suspended: true
        case .removing, .ended: false
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
            activate(on: adapter, .starting, &turn)
            turn.perform(.start)
        }
    }

    private mutating func activate(
        on adapter: BlueZAdapter, _ stage: HostedEpoch.Stage, _ turn: inout HostTurn
    ) {
        phase = .active(
            HostedEpoch(
                nextGeneration(), on: adapter, stage, in: turn.mirror,
                advertisementPath: root.appending("advertisement")))
    }

    private mutating func mirrorChanged(
        _ change: MirrorChange, _ isOurs: Bool, _ turn: inout HostTurn
    ) {
        switch change {
        case .loaded: resume(&turn)
        case .adapter(let path) where path == adapter:
            guard let known = turn.mirror.adapters[path], known.hostingRefusal == nil else {
                return adapterLost(&turn)
            }
            power(known.isOn, &turn)
        case .adapter: resume(&turn)
        case .lost: adapterLost(&turn)
        case .adapterRemoved(let path): if path == adapter { adapterLost(&turn) }
        case .connection(let path, let isOn):
            guard let epoch, turn.mirror.devices[path]?.adapter == epoch.adapter else { return }
            let isCounted = !isOurs && epoch.stage != .starting && adapter != nil
            self.epoch?.centrals.connection(of: path, isOn, counts: isCounted, &turn)
        case .deviceRemoved(let path):
            self.epoch?.centrals.connection(of: path, false, counts: false, &turn)
        default: break
        }
    }

    /// Handles a change of the adapter's power. Registrations wait while it is off.
    private mutating func power(_ isOn: Bool, _ turn: inout HostTurn) {
        guard epoch?.isOn != isOn else { return }
        epoch?.isOn = isOn
        guard isOn else { return }
        allowAttempts()
        epoch?.retryAt = nil
        reconcile(&turn)
    }

    private mutating func adapterLost(_ turn: inout HostTurn) {
        guard case .active(var epoch) = phase else { return }
        epoch.end(&turn)
        phase = .suspended
        // A pending host call fails, so that the app can retry: the daemon may never come back.
        guard !epoch.wasReady else { return }
        let words = "the daemon or the adapter has gone"
        finish(BLEError(.backend, .host, details: words), &turn)
    }

    /// Resumes on the adapter once it is back with all of its interfaces, which may be added one by
    /// one.
    private mutating func resume(_ turn: inout HostTurn) {
        guard case .suspended = phase,
            let adapter = turn.mirror.adapters.values.first(where: { $0.address == address }),
            adapter.hostingRefusal == nil
        else { return }
        activate(on: adapter, .returned(attemptsLeft: Self.attempts), &turn)
        if !adapter.isOn, powersOn {
            // The property changes if that worked; an adapter that stays off may be powered on
            // later.
            let timeout = HostedEpoch.answerTimeout
            epoch?.set(Adapter1.powered, to: .boolean(true), &turn, timeout: timeout)
        }
        reconcile(&turn)
    }

    // MARK: The device

    private mutating func started(_ services: [GATTService], _ turn: inout HostTurn) {
        guard epoch?.stage == .starting else { return }
        epoch?.stage = .registering
        offer(services, &turn)
    }

    private mutating func offer(_ services: [GATTService], _ turn: inout HostTurn) {
        self.services = HostedApplication.hostable(services)
        reconcile(&turn)
    }

    private mutating func perform(_ effect: PeripheralEffect, _ turn: inout HostTurn) {
        switch effect {
        case .value(let value, let token):
            epoch?.centrals.answer(token, [.bytes(HostedCentrals.cut(value))], &turn)
        case .done(let token): epoch?.centrals.answer(token, [], &turn)
        case .refuse(let error, let token): epoch?.centrals.refuse(token, error, &turn)
        case .notify(let attribute, let value), .indicate(let attribute, let value):
            // The daemon chooses notification or indication by the characteristic's properties.
            guard let epoch,
                let path = epoch.present.lazy.compactMap({ $0.characteristics[attribute] }).first,
                let cut = epoch.centrals.value(value, of: attribute)
            else { return }
            turn.perform(.value(cut, at: path))
        case .disconnect: epoch?.centrals.disconnect(&turn)
        case .advertise(let new):
            wantedAdvertisement = new.map { HostedAdvertisement($0) }
            reconcile(&turn)
        case .servicesChanged, .wake, .requestParameters: break
        }
    }

    private mutating func received(_ request: HostedRequest, _ turn: inout HostTurn) {
        guard case .active(var epoch) = phase, turn.owner != nil, request.sender == turn.owner
        else {
            let refusal = DBusRefusal.accessDenied("Only \(BlueZDaemon.name) may ask")
            return turn.perform(.refuse(refusal, of: request.number))
        }
        if request.interface == LEAdvertisement1.interfaceName { return released(request, &turn) }
        let (present, path) = (epoch.present, request.path)
        guard let attribute = present.lazy.compactMap({ $0.attributes[path] }).first else {
            let refusal = DeviceRefusal.refusal(.invalidHandle)
            return turn.perform(.refuse(refusal, of: request.number))
        }
        let target = HostedCentrals.Target(
            id: attribute.id, canRead: present.contains { $0.canRead(attribute) },
            canWrite: present.contains { $0.canWrite(attribute) })
        epoch.centrals.received(request, target, &lastToken, &turn)
        phase = .active(epoch)
    }

    /// Handles the daemon's release of the advertisement: the adapter is about to be removed, which
    /// is reported separately.
    private mutating func released(_ request: HostedRequest, _ turn: inout HostTurn) {
        turn.perform(.reply([], to: request.number))
        guard case .registered = epoch?.advertisement else { return }
        epoch?.unexport(.advertisement, &turn)
        epoch?.retryAt = turn.now + Self.pause
    }

    // MARK: Registering

    /// Makes the next call towards the device's wanted state, if one is due.
    private mutating func reconcile(_ turn: inout HostTurn) {
        guard case .active(let epoch) = phase, epoch.stage != .starting, epoch.isOn,
            epoch.retryAt == nil, case .none = epoch.application
        else { return }
        let stale = epoch.applications.firstIndex { present in
            !present.services.allSatisfy { services.contains($0) }
        }
        if let stale {
            self.epoch?.applications.remove(at: stale)
            self.epoch?.application = .unregistering(epoch.applications[stale])
            return epoch.unregister(.application, at: epoch.applications[stale].root, &turn)
        }
        let present = epoch.applications.flatMap(\.services)
        let missing = services.filter { !present.contains($0) }
        // The daemon refuses an application without services; a beacon has none.
        guard !missing.isEmpty else { return reconcileAdvertisement(epoch, &turn) }
        lastApplication += 1
        let new = HostedApplication(
            missing, at: root.appending("application\(lastApplication)"))
        self.epoch?.register(new, &turn)
    }

    private mutating func reconcileAdvertisement(_ epoch: HostedEpoch, _ turn: inout HostTurn) {
        switch epoch.advertisement {
        case .none:
            guard let wantedAdvertisement else { return registrationCompleted(&turn) }
            rename(wantedAdvertisement.name, &turn)
            self.epoch?.register(wantedAdvertisement, &turn)
        case .registered(let present) where present != wantedAdvertisement:
            self.epoch?.advertisement = .unregistering(present)
            epoch.unregister(.advertisement, at: epoch.advertisementPath, &turn)
        case .registered: registrationCompleted(&turn)
        case .registering, .unregistering: break
        }
    }

    /// Completes registration: all registrations are as the device wants them.
    private mutating func registrationCompleted(_ turn: inout HostTurn) {
        allowAttempts()
        guard epoch?.stage == .registering else { return }
        epoch?.stage = .ready
        turn.perform(.ready)
    }

    private mutating func allowAttempts() {
        if case .returned = epoch?.stage { epoch?.stage = .returned(attemptsLeft: Self.attempts) }
    }

    private mutating func answered(
        _ tracked: HostedEpoch.TrackedCall, _ error: DBusError?, _ turn: inout HostTurn
    ) {
        switch (phase, tracked) {
        case (.active, .register(let component)): registered(component, error, &turn)
        case (.active, .unregister(let component)):
            // The application is no longer registered, even after an error.
            if component == .application, let gone = epoch?.application.thing {
                // The daemon drops subscriptions together with their characteristics.
                epoch?.centrals.forgetSubscriptions(to: gone.characteristics.keys, &turn)
            }
            epoch?.unexport(component, &turn)
            reconcile(&turn)
        case (.removing(let epoch, let answersDue), .unregister):
            phase = .removing(epoch, answersDue: answersDue - 1)
            if answersDue <= 1 { finish(nil, &turn) }
        default: break
        }
    }

    private mutating func registered(
        _ component: HostedEpoch.Component, _ error: DBusError?, _ turn: inout HostTurn
    ) {
        if let error {
            let excess = component == .advertisement ? epoch?.advertisement.thing?.excess : nil
            epoch?.unexport(component, &turn)
            return refused(BLEError(hosting: error, excess: excess), &turn)
        }
        switch (component, epoch?.application, epoch?.advertisement) {
        case (.application, .registering(let thing), _):
            epoch?.applications.append(thing)
            epoch?.application = .none
        case (.advertisement, _, .registering(let thing)): epoch?.advertisement = .registered(thing)
        default: break
        }
        reconcile(&turn)
    }

    /// Handles a refused registration: a retry, if there is one left, or the end.
    private mutating func refused(_ error: BLEError, _ turn: inout HostTurn) {
        guard let epoch else { return }
        switch epoch.stage {
        case .starting, .registering:
            let isOff = BLEError(.bluetoothOff, .host, details: "\(epoch.adapter) is off")
            failed(epoch.isOn ? error : isOff, &turn)
        // The retry follows when the adapter is powered on.
        case _ where !epoch.isOn: break
        case .returned(let attemptsLeft) where attemptsLeft > 0:
            self.epoch?.stage = .returned(attemptsLeft: attemptsLeft - 1)
            self.epoch?.retryAt = turn.now + Self.pause
        case .ready, .returned: failed(error, &turn)
        }
    }

    private mutating func tick(_ turn: inout HostTurn) {
        if let retryAt = epoch?.retryAt, retryAt <= turn.now {
            epoch?.retryAt = nil
            reconcile(&turn)
        }
        epoch?.centrals.tick(&turn)
    }

    // MARK: The end

    private mutating func remove(_ turn: inout HostTurn) {
        switch phase {
        case .active(var epoch):
            // Replies to earlier calls do not count any more.
            epoch.generation = nextGeneration()
            epoch.retryAt = nil
            epoch.centrals.disconnect(&turn)
            restoreAlias(&turn)
            let answersDue = epoch.unregisterAll(&turn)
            phase = .removing(epoch, answersDue: answersDue)
            if answersDue == 0 { finish(nil, &turn) }
        case .waiting, .suspended: finish(nil, &turn)
        case .removing, .ended: break
        }
    }

    /// Ends the device with an error, and unregisters everything without waiting for the replies.
    private mutating func failed(_ error: BLEError, _ turn: inout HostTurn) {
        restoreAlias(&turn)
        _ = epoch?.unregisterAll(&turn)
        finish(error, &turn)
    }

    /// Ends the device with the bus: the daemon removes its registrations by itself.
    private mutating func lost(_ error: DBusError, _ turn: inout HostTurn) {
        let error = BLEError(.backend, .host, details: error.description)
        finish(isWanted ? error : nil, &turn)
    }

    private mutating func finish(_ error: BLEError?, _ turn: inout HostTurn) {
        if case .ended = phase { return }
        epoch?.end(&turn)
        phase = .ended
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
        let timeout = HostedEpoch.removalTimeout
        epoch?.set(Adapter1.alias, to: .string(name), &turn, timeout: timeout)
    }
}
#endif
