#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// One epoch of a hosted device, from the adapter's appearance until its removal: its registrations
/// and its central.
struct HostedEpoch: Sendable {
    enum Component: Hashable, Sendable { case application, advertisement }

    /// The state of one registration.
    enum RegistrationState<Thing: Sendable>: Sendable {
        case none
        case registering(Thing)
        case registered(Thing)
        case unregistering(Thing)

        var thing: Thing? {
            switch self {
            case .none: nil
            case .registering(let thing), .registered(let thing), .unregistering(let thing): thing
            }
        }
    }

    enum Stage: Hashable, Sendable {
        case starting
        /// The first registration is under way: an error ends the device, and is thrown by the host
        /// call.
        case registering
        case ready
        /// The daemon or the adapter has come back; registering may be retried `attemptsLeft`
        /// times.
        case returned(attemptsLeft: Int)
    }

    /// A call whose reply becomes an input of the machine.
    enum TrackedCall: Hashable, Sendable { case register(Component), unregister(Component) }

    static let answerTimeout: Duration = .seconds(10)
    /// The timeout of removals: short, as the daemon cleans up by itself when the connection ends.
    static let removalTimeout: Duration = .seconds(2)

    /// The current generation: replies to calls of earlier epochs, or from before the removal, are
    /// ignored.
    var generation: UInt64
    let adapter: DBusObjectPath
    /// The advertisement's path; each application has one of its own.
    let advertisementPath: DBusObjectPath
    var isOn: Bool
    var stage: Stage
    /// The registered applications: the first services, and those that were added later.
    var applications: [HostedApplication] = []
    /// The application that is being registered or unregistered.
    var application = RegistrationState<HostedApplication>.none
    var advertisement = RegistrationState<HostedAdvertisement>.none
    /// The time of the next retry after a refusal.
    var retryAt: Moment?
    var centrals: HostedCentrals

    init(
        _ generation: UInt64, on adapter: BlueZAdapter, _ stage: Stage, in mirror: BlueZMirror,
        advertisementPath: DBusObjectPath
    ) {
        self.generation = generation
        self.adapter = adapter.path
        self.advertisementPath = advertisementPath
        isOn = adapter.isOn
        self.stage = stage
        let linked = mirror.devices.filter { _, device in
            device.adapter == adapter.path && device.isConnected
        }
        centrals = HostedCentrals(connected: Set(linked.keys))
    }

    /// All applications that the daemon may know.
    var present: [HostedApplication] { applications + [application.thing].compactMap { $0 } }

    /// `true` once the host call has returned.
    var wasReady: Bool {
        switch stage {
        case .starting, .registering: false
        case .ready, .returned: true
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
        turn.perform(.ask((tracked, generation), call, timeout: timeout))
    }

    mutating func register(_ new: HostedApplication, _ turn: inout HostTurn) {
        application = .registering(new)
        for object in new.objects { turn.perform(.export(object)) }
        ask(.register(.application), [.objectPath(new.root), .properties([:])], &turn)
    }

    mutating func register(_ new: HostedAdvertisement, _ turn: inout HostTurn) {
        advertisement = .registering(new)
        let object = DBusObject(
            [LEAdvertisement1.interface], values: [LEAdvertisement1.interfaceName: new.values])
        turn.perform(.export(HostedApplication.Object(path: advertisementPath, object: object)))
        ask(.register(.advertisement), [.objectPath(advertisementPath), .properties([:])], &turn)
    }

    func unregister(
        _ component: Component, at path: DBusObjectPath, timeout: Duration = answerTimeout,
        _ turn: inout HostTurn
    ) { ask(.unregister(component), [.objectPath(path)], timeout: timeout, &turn) }

    /// Unregisters everything at once, and returns the number of replies to wait for.
    func unregisterAll(_ turn: inout HostTurn) -> Int {
        var components = present.map { (Component.application, $0.root) }
        if advertisement.thing != nil {
            components.insert((.advertisement, advertisementPath), at: 0)
        }
        for (component, path) in components {
            unregister(component, at: path, timeout: Self.removalTimeout, &turn)
        }
        return components.count
    }

    /// Sets a property of the adapter. Success is shown by the change of the property.
    func set(_ name: String, to value: DBusValue, _ turn: inout HostTurn, timeout: Duration) {
        let call = DBusCall(
            DBusProperties.set, of: DBusProperties.interfaceName, at: adapter, on: BlueZDaemon.name,
            [.string(Adapter1.interfaceName), .string(name), .variant(value)])
        turn.perform(.ask(nil, call, timeout: timeout))
    }

    /// Unexports the objects of a component that is not registered, or no longer registered.
    mutating func unexport(_ component: Component, _ turn: inout HostTurn) {
        switch component {
        case .application:
            for object in application.thing?.objects ?? [] { turn.perform(.unexport(object.path)) }
            application = .none
        case .advertisement:
            if advertisement.thing != nil { turn.perform(.unexport(advertisementPath)) }
            advertisement = .none
        }
    }

    /// Removes the central and all objects.
    mutating func end(_ turn: inout HostTurn) {
        centrals.removeCentral(&turn)
        unexport(.advertisement, &turn)
        unexport(.application, &turn)
        for object in applications.flatMap(\.objects) { turn.perform(.unexport(object.path)) }
        applications = []
    }
}
#endif
