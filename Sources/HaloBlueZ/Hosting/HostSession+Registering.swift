#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

extension HostSession {
    /// Begins.
    mutating func begin() {
        guard end == nil, daemon == .away else { return }
        daemon = .looking
        call(
            .look, DBusObjectManager.getManagedObjects, of: DBusObjectManager.interfaceName,
            at: BlueZDaemon.manager)
    }

    /// The device has come to life, and consists of this.
    mutating func started(_ services: [GATTService]) {
        isAlive = true
        offer(services)
    }

    /// The device consists of this now.
    mutating func offer(_ services: [GATTService]) {
        self.services = HostedApplication.hostable(services)
        reconcile()
    }

    /// Takes in what the daemon answered.
    mutating func answered(
        _ purpose: Purpose, _ answer: Result<DBusReply, DBusError>, in age: UInt64
    ) {
        guard age == self.age, end != .over else { return }
        switch purpose {
        case .look: looked(answer)
        case .register(let part): registered(part, answer)
        case .unregister(let part): unregistered(part)
        case .power: powered(answer)
        case .alias, .disconnect: break
        }
    }

    /// Something is another way than it should be: asks for the next step towards it.
    mutating func reconcile() {
        guard let adapter, isAlive, isPowered, end == nil, retryAt == nil else { return }
        guard case .none = application else { return }
        let stale = applications.firstIndex { present in
            !present.services.allSatisfy { services.contains($0) }
        }
        if let stale {
            let leaving = applications.remove(at: stale)
            application = .leaving(leaving)
            return unregister(leaving, at: adapter)
        }
        let present = applications.flatMap(\.services)
        let missing = services.filter { !present.contains($0) }
        // The daemon refuses an application without a service; a beacon has none.
        guard !missing.isEmpty else { return reconcileAdvertisement(adapter) }
        edition += 1
        let new = HostedApplication(missing, at: root.appending("edition\(edition)"))
        application = .asked(new)
        for object in new.objects { perform(.export(object)) }
        call(
            .register(.application), GattManager1.registerApplication,
            of: GattManager1.interfaceName, at: adapter,
            [.objectPath(new.root), .properties([:])])
    }

    private mutating func reconcileAdvertisement(_ adapter: DBusObjectPath) {
        switch advertisement {
        case .none:
            guard let wantedAdvertisement else { return settled() }
            advertisement = .asked(wantedAdvertisement)
            rename(wantedAdvertisement.name, adapter)
            let object = DBusObject(
                [LEAdvertisement1.interface],
                values: [LEAdvertisement1.interfaceName: wantedAdvertisement.values])
            perform(.export(HostedApplication.Object(path: advertisementPath, object: object)))
            call(
                .register(.advertisement), LEAdvertisingManager1.registerAdvertisement,
                of: LEAdvertisingManager1.interfaceName, at: adapter,
                [.objectPath(advertisementPath), .properties([:])])
        case .registered(let present) where present != wantedAdvertisement:
            advertisement = .leaving(present)
            unregisterAdvertisement(at: adapter)
        case .registered: settled()
        case .asked, .leaving: break
        }
    }

    /// Everything is as the device wants it.
    private mutating func settled() {
        attemptsLeft = Self.attempts
        guard !isReady else { return }
        isReady = true
        perform(.ready)
    }

    mutating func unregister(
        _ application: HostedApplication, at adapter: DBusObjectPath,
        timeout: Duration = Self.answerTimeout
    ) {
        call(
            .unregister(.application), GattManager1.unregisterApplication,
            of: GattManager1.interfaceName, at: adapter, [.objectPath(application.root)],
            timeout: timeout)
    }

    mutating func unregisterAdvertisement(
        at adapter: DBusObjectPath, timeout: Duration = Self.answerTimeout
    ) {
        call(
            .unregister(.advertisement), LEAdvertisingManager1.unregisterAdvertisement,
            of: LEAdvertisingManager1.interfaceName, at: adapter,
            [.objectPath(advertisementPath)], timeout: timeout)
    }

    private mutating func registered(_ part: Part, _ answer: Result<DBusReply, DBusError>) {
        guard end == nil else { return }
        if case .failure(let error) = answer {
            let excess = part == .advertisement ? advertisement.thing?.excess : nil
            takeBack(part)
            return refused(BLEError(hosting: error, excess: excess))
        }
        switch (part, application, advertisement) {
        case (.application, .asked(let thing), _):
            applications.append(thing)
            application = .none
        case (.advertisement, _, .asked(let thing)): advertisement = .registered(thing)
        default: break
        }
        reconcile()
    }

    /// Whatever the daemon answered, it is registered no longer.
    private mutating func unregistered(_ part: Part) {
        if end == .removing { return removed() }
        if part == .application { forgetSubscriptions(application.thing) }
        takeBack(part)
        reconcile()
    }

    /// The daemon drops subscriptions together with their characteristics.
    private mutating func forgetSubscriptions(_ application: HostedApplication?) {
        for attribute in application?.characteristics.keys.sorted(by: Self.order) ?? []
        where subscriptions.remove(attribute) != nil {
            perform(.tell(.subscription(attribute, isOn: false)))
        }
    }

    static func order(_ one: AttributeID, _ other: AttributeID) -> Bool {
        one.rawValue < other.rawValue
    }

    /// Takes the objects away of what is not registered, or no longer.
    mutating func takeBack(_ part: Part) {
        switch part {
        case .application:
            for object in application.thing?.objects ?? [] { perform(.unexport(object.path)) }
            application = .none
        case .advertisement:
            if advertisement.thing != nil { perform(.unexport(advertisementPath)) }
            advertisement = .none
        }
    }

    /// Takes all objects away.
    mutating func takeBackAll() {
        takeBack(.advertisement)
        takeBack(.application)
        for object in applications.flatMap(\.objects) { perform(.unexport(object.path)) }
        applications = []
    }

    /// The daemon does not want it: what is tried again is, unless that was often enough.
    private mutating func refused(_ error: BLEError) {
        if !isPowered, let adapter {
            // It is tried again when the adapter is switched on.
            if !isReady { failed(isOff(adapter)) }
            return
        }
        guard hasReturned, attemptsLeft > 0 else { return failed(error) }
        attemptsLeft -= 1
        retryAt = now + Self.pause
        perform(.alarm(now + Self.pause))
    }

    private mutating func rename(_ name: String?, _ adapter: DBusObjectPath) {
        guard options.renamesAdapter, let name, name != alias || isRenamed else { return }
        isRenamed = true
        setAlias(name, adapter)
    }

    mutating func setAlias(_ name: String, _ adapter: DBusObjectPath) {
        call(
            .alias, DBusProperties.set, of: DBusProperties.interfaceName, at: adapter,
            [
                .string(Adapter1.interfaceName), .string(Adapter1.alias),
                .variant(.string(name)),
            ], timeout: Self.removalTimeout)
    }
}
#endif
