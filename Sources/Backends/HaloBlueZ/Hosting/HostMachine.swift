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
/// Centrals and their requests are a machine of their own: ``HostedCentrals``.
struct HostMachine: Sendable {
    enum Phase: Sendable {
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
    static let pause: Duration = .seconds(1)

    /// The path below which all objects are exported.
    let root: DBusObjectPath
    let renamesAdapter: Bool
    let powersOn: Bool
    private(set) var phase = Phase.waiting
    private var lastGeneration: UInt64 = 0
    private(set) var address: String?
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
        // What the device wants lasts, also while it cannot be registered.
        switch input {
        case .services(let services): self.services = HostedApplication.hostable(services)
        case .effect(.advertise(let new)): wantedAdvertisement = new.map { HostedAdvertisement($0) }
        case .request(let request) where !isAllowed(request, turn):
            let refusal = DBusRefusal.accessDenied("Only \(BlueZDaemon.name) may ask")
            return turn.put(.refuse(refusal, of: request.number))
        // The phase handles all inputs, below.
        default: break
        }
        // The phase is taken out, so that its payload is mutated and not copied.
        var taken = Phase.ended
        swap(&taken, &phase)
        switch consume taken {
        case .waiting: phase = waiting(input, &turn)
        case .active(let epoch): phase = active(epoch, input, &turn)
        case .suspended: phase = suspended(input, &turn)
        case .removing(let epoch, let due): phase = removing(epoch, answersDue: due, input, &turn)
        case .ended: turn.ignore(input)
        }
    }

    private func isAllowed(_ request: HostedRequest, _ turn: HostTurn) -> Bool {
        guard case .active = phase, let owner = turn.owner else { return false }
        return request.sender == owner
    }

    /// The registrations on the present adapter, also while they are being removed.
    var epoch: HostedEpoch? {
        switch phase {
        case .active(let epoch), .removing(let epoch, _): epoch
        case .waiting, .suspended, .ended: nil
        }
    }

    var deadline: Moment? {
        epoch.flatMap { [$0.retryAt, $0.centrals.deadline].compactMap { $0 }.min() }
    }

    var isConnected: Bool { epoch?.centrals.central != nil }

    // MARK: The phases

    private mutating func waiting(_ input: HostInput, _ turn: inout HostTurn) -> Phase {
        switch input {
        case .adapter(.success(let adapter)):
            if let refusal = adapter.hostingRefusal { return end(refusal, &turn) }
            (address, alias) = (adapter.address, adapter.ownAlias)
            turn.put(.start)
            return .active(newEpoch(on: adapter, .starting, turn))
        case .adapter(.failure(let outage)): return end(outage.error(.host), &turn)
        case .busEnded(let error): return end(.lost(error), &turn)
        case .remove: return end(nil, &turn)
        default: turn.ignore(input)
        }
        return .waiting
    }

    private mutating func active(
        _ epoch: consuming HostedEpoch, _ input: HostInput, _ turn: inout HostTurn
    ) -> Phase {
        switch input {
        case .started(let services) where epoch.stage == .starting:
            epoch.stage = .registering
            self.services = HostedApplication.hostable(services)
            reconcile(&epoch, &turn)
        case .services: reconcile(&epoch, &turn)
        case .effect(let effect): passOn(effect, &epoch, &turn)
        case .mirror(.adapter(epoch.adapter), _):
            guard let adapter = turn.mirror.adapters[epoch.adapter], adapter.hostingRefusal == nil
            else { return adapterLost(epoch, &turn) }
            power(adapter.isOn, &epoch, &turn)
        case .mirror(.lost, _), .mirror(.adapterRemoved(epoch.adapter), _):
            return adapterLost(epoch, &turn)
        case .mirror(let change, let isOurs):
            epoch.connectionChanged(change, counts: !isOurs && epoch.stage != .starting, &turn)
        case .request(let request): received(request, &epoch, &turn)
        case .answered(.register(let component), nil, epoch.generation):
            epoch.registered(component)
            reconcile(&epoch, &turn)
        case .answered(.register(let component), let error?, epoch.generation):
            return refused(epoch, component, error, &turn)
        case .answered(.unregister(let component), _, epoch.generation):
            // The application is no longer registered, even after an error.
            if component == .application, let gone = epoch.application {
                // The daemon drops subscriptions together with their characteristics.
                epoch.centrals.forgetSubscriptions(to: gone.characteristics.keys, &turn)
            }
            epoch.unexport(component, &turn)
            reconcile(&epoch, &turn)
        case .deadline:
            if let retryAt = epoch.retryAt, retryAt <= turn.now {
                epoch.retryAt = nil
                reconcile(&epoch, &turn)
            }
            epoch.centrals.tick(&turn)
        case .busEnded(let error): return end(.lost(error), epoch, &turn)
        case .remove: return remove(epoch, &turn)
        default: turn.ignore(input)
        }
        return .active(epoch)
    }

    /// Resumes once the adapter is back with all of its interfaces, which may be added one by one.
    private mutating func suspended(_ input: HostInput, _ turn: inout HostTurn) -> Phase {
        switch input {
        case .mirror(.loaded, _), .mirror(.adapter, _):
            guard let adapter = turn.mirror.adapters.values.first(where: { $0.address == address }),
                adapter.hostingRefusal == nil
            else { break }
            var epoch = newEpoch(on: adapter, .returned(attemptsLeft: Self.attempts), turn)
            if !adapter.isOn, powersOn {
                // The property changes if that worked; an adapter that stays off may be powered on
                // later.
                epoch.set(
                    Adapter1.powered, to: .boolean(true), timeout: HostedEpoch.answerTimeout, &turn)
            }
            reconcile(&epoch, &turn)
            return .active(epoch)
        case .busEnded(let error): return end(.lost(error), &turn)
        case .remove: return end(nil, &turn)
        default: turn.ignore(input)
        }
        return .suspended
    }

    private func removing(
        _ epoch: consuming HostedEpoch, answersDue: Int, _ input: HostInput,
        _ turn: inout HostTurn
    ) -> Phase {
        var answersDue = answersDue
        switch input {
        case .answered(.unregister, _, epoch.generation):
            answersDue -= 1
            if answersDue == 0 { return end(nil, epoch, &turn) }
        case .mirror(let change, _): epoch.connectionChanged(change, counts: false, &turn)
        case .deadline: epoch.centrals.tick(&turn)
        case .busEnded: return end(nil, epoch, &turn)
        // The device was removed while it started.
        case .started: break
        default: turn.ignore(input)
        }
        return .removing(epoch, answersDue: answersDue)
    }

    // MARK: The adapter

    private mutating func newEpoch(
        on adapter: BlueZAdapter, _ stage: HostedEpoch.Stage, _ turn: HostTurn
    ) -> HostedEpoch {
        lastGeneration += 1
        let linked = turn.mirror.devices.filter { _, device in
            device.adapter == adapter.path && device.isConnected
        }
        return HostedEpoch(
            generation: lastGeneration, adapter: adapter.path,
            advertisementPath: root.appending("advertisement"), isOn: adapter.isOn, stage: stage,
            centrals: HostedCentrals(connected: Set(linked.keys)))
    }

    /// Handles a change of the adapter's power. Registrations wait while it is off.
    private mutating func power(
        _ isOn: Bool, _ epoch: inout HostedEpoch, _ turn: inout HostTurn
    ) {
        guard epoch.isOn != isOn else { return }
        epoch.isOn = isOn
        guard isOn else { return }
        epoch.allowAttempts()
        epoch.retryAt = nil
        reconcile(&epoch, &turn)
    }

    private func adapterLost(_ epoch: consuming HostedEpoch, _ turn: inout HostTurn) -> Phase {
        // A pending host call fails, so that the app can retry: the daemon may never come back.
        switch epoch.stage {
        case .starting, .registering:
            let words = "the daemon or the adapter has gone"
            return end(BLEError(.backend, .host, details: words), epoch, &turn)
        case .ready, .returned:
            epoch.end(&turn)
            return .suspended
        }
    }

    // MARK: The device

    private mutating func passOn(
        _ effect: PeripheralEffect, _ epoch: inout HostedEpoch, _ turn: inout HostTurn
    ) {
        switch effect {
        case .value(let value, let token):
            epoch.centrals.answer(token, [.bytes(HostedCentrals.cut(value))], &turn)
        case .done(let token): epoch.centrals.answer(token, [], &turn)
        case .refuse(let error, let token): epoch.centrals.refuse(token, error, &turn)
        case .notify(let attribute, let value), .indicate(let attribute, let value):
            // The daemon chooses notification or indication by the characteristic's properties.
            guard
                let path = epoch.present.lazy.compactMap({ $0.characteristics[attribute] }).first,
                let cut = epoch.centrals.value(value, of: attribute)
            else { return }
            turn.put(.value(cut, at: path))
        case .disconnect: epoch.centrals.disconnect(&turn)
        case .advertise: reconcile(&epoch, &turn)
        // The daemon has no call for it.
        case .requestParameters: break
        // The device's host wakes it; changed services come as an input of their own.
        case .wake, .servicesChanged: turn.put(.reportFault("a host cannot get \(effect)"))
        }
    }

    private mutating func received(
        _ request: HostedRequest, _ epoch: inout HostedEpoch, _ turn: inout HostTurn
    ) {
        if request.interface == LEAdvertisement1.interfaceName {
            // The daemon releases the advertisement: the adapter is about to be removed, which is
            // reported separately.
            turn.put(.reply([], to: request.number))
            guard epoch.isAdvertising else { return }
            epoch.unexport(.advertisement, &turn)
            epoch.retryAt = turn.now + Self.pause
            return
        }
        guard let target = epoch.present.lazy.compactMap({ $0.attributes[request.path] }).first
        else {
            let refusal = DeviceRefusal.refusal(.invalidHandle)
            return turn.put(.refuse(refusal, of: request.number))
        }
        epoch.centrals.received(request, target, &lastToken, &turn)
    }

    // MARK: Registering

    /// Makes the next call towards the device's wanted state, if one is due.
    private mutating func reconcile(_ epoch: inout HostedEpoch, _ turn: inout HostTurn) {
        guard epoch.stage != .starting, epoch.isOn, epoch.retryAt == nil,
            epoch.application == nil
        else { return }
        let stale = epoch.applications.firstIndex { present in
            !present.services.allSatisfy { services.contains($0) }
        }
        if let stale {
            let gone = epoch.applications.remove(at: stale)
            epoch.application = gone
            return epoch.unregister(.application, at: gone.root, &turn)
        }
        let present = epoch.applications.flatMap(\.services)
        let missing = services.filter { !present.contains($0) }
        // The daemon refuses an application without services; a beacon has none.
        guard missing.isEmpty else {
            lastApplication += 1
            let path = root.appending("application\(lastApplication)")
            return epoch.register(HostedApplication(missing, at: path), &turn)
        }
        guard let advertisement = epoch.advertisement else {
            guard let wantedAdvertisement else { return epoch.completed(&turn) }
            rename(wantedAdvertisement.name, epoch, &turn)
            return epoch.register(wantedAdvertisement, &turn)
        }
        // The reply to the present call comes back here.
        guard epoch.isAdvertising else { return }
        guard advertisement != wantedAdvertisement else { return epoch.completed(&turn) }
        epoch.isAdvertising = false
        epoch.unregister(.advertisement, at: epoch.advertisementPath, &turn)
    }

    /// Handles a refused registration: a retry, if there is one left, or the end.
    private func refused(
        _ epoch: consuming HostedEpoch, _ component: HostedEpoch.Component, _ error: DBusError,
        _ turn: inout HostTurn
    ) -> Phase {
        let excess = component == .advertisement ? epoch.advertisement?.excess : nil
        let error = BLEError(hosting: error, excess: excess)
        epoch.unexport(component, &turn)
        switch epoch.stage {
        case .starting, .registering:
            let isOff = BLEError(.bluetoothOff, .host, details: "\(epoch.adapter) is off")
            return fail(epoch.isOn ? error : isOff, epoch, &turn)
        // The retry follows when the adapter is powered on.
        case _ where !epoch.isOn: break
        case .returned(let attemptsLeft) where attemptsLeft > 0:
            epoch.stage = .returned(attemptsLeft: attemptsLeft - 1)
            epoch.retryAt = turn.now + Self.pause
        case .ready, .returned: return fail(error, epoch, &turn)
        }
        return .active(epoch)
    }

    // MARK: The end

    private mutating func remove(
        _ epoch: consuming HostedEpoch, _ turn: inout HostTurn
    ) -> Phase {
        // Replies to earlier calls do not count any more.
        lastGeneration += 1
        epoch.generation = lastGeneration
        epoch.retryAt = nil
        epoch.centrals.disconnect(&turn)
        restoreAlias(epoch, &turn)
        let answersDue = epoch.unregisterAll(&turn)
        guard answersDue > 0 else { return end(nil, epoch, &turn) }
        return .removing(epoch, answersDue: answersDue)
    }

    /// Ends the device with an error, and unregisters everything without waiting for the replies.
    private func fail(
        _ error: BLEError, _ epoch: HostedEpoch, _ turn: inout HostTurn
    ) -> Phase {
        restoreAlias(epoch, &turn)
        _ = epoch.unregisterAll(&turn)
        return end(error, epoch, &turn)
    }

    private func end(
        _ error: BLEError?, _ epoch: consuming HostedEpoch, _ turn: inout HostTurn
    ) -> Phase {
        epoch.end(&turn)
        return end(error, &turn)
    }

    private func end(_ error: BLEError?, _ turn: inout HostTurn) -> Phase {
        turn.put(.ended(error))
        return .ended
    }

    // MARK: The adapter's name

    private mutating func rename(
        _ name: String?, _ epoch: HostedEpoch, _ turn: inout HostTurn
    ) {
        guard renamesAdapter, let name, name != alias || isRenamed else { return }
        isRenamed = true
        epoch.setAlias(name, &turn)
    }

    private func restoreAlias(_ epoch: HostedEpoch, _ turn: inout HostTurn) {
        if isRenamed, let alias { epoch.setAlias(alias, &turn) }
    }
}

/// A hosted device from its adapter's appearance until the removal: registrations and central.
struct HostedEpoch: Sendable {
    enum Component: Hashable, Sendable { case application, advertisement }

    enum Stage: Hashable, Sendable {
        case starting
        /// The first registration: an error ends the device, and the host call throws it.
        case registering
        case ready
        /// The daemon or the adapter has come back.
        case returned(attemptsLeft: Int)
    }

    /// A call whose reply becomes an input of the machine.
    enum TrackedCall: Hashable, Sendable { case register(Component), unregister(Component) }

    static let answerTimeout: Duration = .seconds(10)
    /// The timeout of removals: short, as the daemon cleans up by itself when the connection ends.
    static let removalTimeout: Duration = .seconds(2)

    /// Replies to calls of earlier generations, or from before the removal, are ignored.
    var generation: UInt64
    let adapter: DBusObjectPath
    /// The advertisement's path; each application has one of its own.
    let advertisementPath: DBusObjectPath
    var isOn: Bool
    var stage: Stage
    /// The registered applications: the first services, and those that were added later.
    var applications: [HostedApplication] = []
    /// The application that is being registered or unregistered.
    var application: HostedApplication?
    var advertisement: HostedAdvertisement?
    /// `true` while the advertisement is registered, and no call for it is under way.
    var isAdvertising = false
    var retryAt: Moment?
    var centrals: HostedCentrals

    /// All applications that the daemon may know.
    var present: [HostedApplication] { applications + [application].compactMap { $0 } }

    mutating func allowAttempts() {
        if case .returned = stage { stage = .returned(attemptsLeft: HostMachine.attempts) }
    }

    mutating func registered(_ component: Component) {
        switch component {
        case .application:
            applications = present
            application = nil
        case .advertisement: isAdvertising = advertisement != nil
        }
    }

    mutating func completed(_ turn: inout HostTurn) {
        allowAttempts()
        guard stage == .registering else { return }
        stage = .ready
        turn.put(.ready)
    }

    mutating func connectionChanged(
        _ change: MirrorChange, counts: Bool, _ turn: inout HostTurn
    ) {
        switch change {
        case .connection(let path, let isOn):
            guard turn.mirror.devices[path]?.adapter == adapter else { return }
            centrals.connection(of: path, isOn, counts: counts, &turn)
        case .deviceRemoved(let path):
            centrals.connection(of: path, false, counts: false, &turn)
        // Other adapters, and what devices have as peripherals, are of no interest.
        case .loaded, .lost, .adapter, .adapterRemoved, .device, .resolved, .attributes, .mtu,
            .value, .battery, .reason:
            break
        }
    }

    // MARK: Calls to the daemon

    private func ask(
        _ tracked: TrackedCall, _ arguments: [DBusValue], timeout: Duration = answerTimeout,
        _ turn: inout HostTurn
    ) {
        let (interface, method) =
            switch tracked {
            case .register(.application):
                (GattManager1.interfaceName, GattManager1.registerApplication)
            case .unregister(.application):
                (GattManager1.interfaceName, GattManager1.unregisterApplication)
            case .register(.advertisement):
                (LEAdvertisingManager1.interfaceName, LEAdvertisingManager1.registerAdvertisement)
            case .unregister(.advertisement):
                (LEAdvertisingManager1.interfaceName, LEAdvertisingManager1.unregisterAdvertisement)
            }
        let call = DBusCall(method, of: interface, at: adapter, on: BlueZDaemon.name, arguments)
        turn.put(.ask((tracked, generation), call, timeout: timeout))
    }

    mutating func register(_ new: HostedApplication, _ turn: inout HostTurn) {
        application = new
        for object in new.objects { turn.put(.export(object)) }
        ask(.register(.application), [.objectPath(new.root), .properties([:])], &turn)
    }

    mutating func register(_ new: HostedAdvertisement, _ turn: inout HostTurn) {
        advertisement = new
        let object = DBusObject(
            [LEAdvertisement1.interface], values: [LEAdvertisement1.interfaceName: new.values])
        turn.put(.export(HostedApplication.Object(path: advertisementPath, object: object)))
        ask(.register(.advertisement), [.objectPath(advertisementPath), .properties([:])], &turn)
    }

    func unregister(
        _ component: Component, at path: DBusObjectPath, timeout: Duration = answerTimeout,
        _ turn: inout HostTurn
    ) { ask(.unregister(component), [.objectPath(path)], timeout: timeout, &turn) }

    /// Unregisters everything at once, and returns the number of replies to wait for.
    func unregisterAll(_ turn: inout HostTurn) -> Int {
        var components = present.map { (Component.application, $0.root) }
        if advertisement != nil {
            components.insert((.advertisement, advertisementPath), at: 0)
        }
        for (component, path) in components {
            unregister(component, at: path, timeout: Self.removalTimeout, &turn)
        }
        return components.count
    }

    /// Sets a property of the adapter. Success is shown by the change of the property.
    func set(_ name: String, to value: DBusValue, timeout: Duration, _ turn: inout HostTurn) {
        let call = DBusCall(
            DBusProperties.set, of: DBusProperties.interfaceName, at: adapter, on: BlueZDaemon.name,
            [.string(Adapter1.interfaceName), .string(name), .variant(value)])
        turn.put(.ask(nil, call, timeout: timeout))
    }

    func setAlias(_ name: String, _ turn: inout HostTurn) {
        set(Adapter1.alias, to: .string(name), timeout: Self.removalTimeout, &turn)
    }

    mutating func unexport(_ component: Component, _ turn: inout HostTurn) {
        switch component {
        case .application:
            for object in application?.objects ?? [] { turn.put(.unexport(object.path)) }
            application = nil
        case .advertisement:
            if advertisement != nil { turn.put(.unexport(advertisementPath)) }
            (advertisement, isAdvertising) = (nil, false)
        }
    }

    mutating func end(_ turn: inout HostTurn) {
        centrals.removeCentral(&turn)
        unexport(.advertisement, &turn)
        unexport(.application, &turn)
        for object in applications.flatMap(\.objects) { turn.put(.unexport(object.path)) }
        applications = []
    }
}

enum HostInput: Sendable {
    case adapter(Result<BlueZAdapter, Outage>)
    case started([GATTService])
    case effect(PeripheralEffect)
    case services([GATTService])
    /// A change of the mirror; `isOurs` for a connection that this program has as a central.
    case mirror(MirrorChange, isOurs: Bool)
    case busEnded(DBusError)
    case request(HostedRequest)
    case answered(HostedEpoch.TrackedCall, DBusError?, generation: UInt64)
    /// The ``HostMachine/deadline`` has passed, or an earlier deadline.
    case deadline
    case remove
}

enum HostEffect: Sendable {
    /// Calls the daemon; the reply to a tracked call becomes an input.
    case ask((HostedEpoch.TrackedCall, generation: UInt64)?, DBusCall, timeout: Duration)
    case export(HostedApplication.Object)
    case unexport(DBusObjectPath)
    /// Sets a characteristic's value, which notifies the daemon.
    case value([UInt8], at: DBusObjectPath)
    case reply([DBusValue], to: UInt64)
    case refuse(DBusRefusal, of: UInt64)
    /// Starts the device; ``HostInput/started(_:)`` follows.
    case start
    case deliver(PeripheralEvent)
    case ready
    case reportFault(String)
    /// The end; no output follows.
    case ended(BLEError?)
}

struct HostTurn {
    let now: Moment
    let mirror: BlueZMirror
    /// The daemon's unique name on the bus; `nil` while the daemon is absent.
    let owner: String?
    private(set) var effects: [HostEffect] = []

    mutating func put(_ effect: HostEffect) { effects.append(effect) }

    fileprivate mutating func ignore(_ input: HostInput) {
        switch input {
        // The daemon changes at any time, and its replies may be for an earlier epoch.
        case .mirror, .request, .answered, .busEnded: break
        // What the device wants is kept; the rest was for a central that is gone.
        case .effect, .services: break
        // The timer may fire early, and the app may remove the device twice.
        case .deadline, .remove: break
        // The session reports one adapter, and then starts the device once.
        case .adapter, .started: put(.reportFault("a host cannot get \(input) now"))
        }
    }
}

extension BLEError {
    fileprivate static func lost(_ error: DBusError) -> BLEError {
        BLEError(.backend, .host, details: error.description)
    }

    /// The error for a refused registration; `excess` names a part that is too long.
    init(hosting error: DBusError, excess: String? = nil) {
        let kind: Kind? =
            switch error.name {
            case BlueZErrorName.invalidLength: .tooLong
            case BlueZErrorName.failed where excess != nil: .tooLong
            // The controller has no room for another advertisement.
            case BlueZErrorName.notPermitted: .overloaded
            case BlueZErrorName.notReady: .bluetoothOff
            case BlueZErrorName.notSupported, DBusErrorName.unknownMethod,
                DBusErrorName.unknownInterface, DBusErrorName.unknownObject:
                .notSupported
            // The general meaning applies.
            default: nil
            }
        guard let kind else {
            self = Outage(error).error(.host)
            return
        }
        self.init(kind, .host, details: error.words + (excess.map { " (\($0))" } ?? ""))
    }
}
#endif
