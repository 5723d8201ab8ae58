#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// The time of a hosted device between the coming of its adapter and the end of that: what stands
/// there of the device, and who is connected to it.
struct HostedStay: Sendable {
    /// What is registered.
    enum Part: Hashable, Sendable {
        case application, advertisement
    }

    /// Where registering something stands.
    enum Standing<Thing: Sendable>: Sendable {
        case none
        case asked(Thing)
        case registered(Thing)
        case leaving(Thing)

        var thing: Thing? {
            switch self {
            case .none: nil
            case .asked(let thing), .registered(let thing), .leaving(let thing): thing
            }
        }
    }

    /// How far the device is.
    enum Stage: Hashable, Sendable {
        /// It comes to life.
        case starting
        /// Not everything stood yet: a failure ends it, and who waits for it is told.
        case registering
        case ready
        /// The daemon or the adapter has come back; so often registering is tried again.
        case returned(attemptsLeft: Int)
    }

    /// What the daemon is asked, where the answer matters.
    enum Question: Hashable, Sendable {
        case register(Part), unregister(Part)
    }

    static let answerTimeout: Duration = .seconds(10)
    /// Removing is to be quick: the daemon cleans up by itself when the connection ends.
    static let removalTimeout: Duration = .seconds(2)

    /// Which answers count: what was asked in an earlier stay, or before the removal, is void.
    var generation: UInt64
    let adapter: DBusObjectPath
    /// The advertisement's place; where an application is changes with each one.
    let advertisementPath: DBusObjectPath
    var isOn: Bool
    var stage: Stage
    /// What is registered: the services that there were first, and those that came later.
    var applications: [HostedApplication] = []
    /// What is about to be registered, or unregistered.
    var application = Standing<HostedApplication>.none
    var advertisement = Standing<HostedAdvertisement>.none
    /// When it goes on after a refusal.
    var retryAt: Moment?
    var centrals: HostedCentrals

    /// A stay of which nothing is registered.
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

    /// All that the daemon may know of.
    var present: [HostedApplication] { applications + [application.thing].compactMap { $0 } }

    /// Whether who waited for the device to be there was told that it is.
    var wasReady: Bool {
        switch stage {
        case .starting, .registering: false
        case .ready, .returned: true
        }
    }

    // MARK: What the daemon is asked for

    private func ask(
        _ question: Question?, _ method: String, of interface: String,
        _ arguments: [DBusValue], _ timeout: Duration, _ turn: inout HostTurn
    ) {
        turn.ask(
            question.map { ($0, generation) },
            DBusCall(method, of: interface, at: adapter, on: BlueZDaemon.name, arguments),
            timeout)
    }

    mutating func register(_ new: HostedApplication, _ turn: inout HostTurn) {
        application = .asked(new)
        for object in new.objects { turn.perform(.export(object)) }
        ask(
            .register(.application), GattManager1.registerApplication,
            of: GattManager1.interfaceName, [.objectPath(new.root), .properties([:])],
            Self.answerTimeout, &turn)
    }

    mutating func register(_ new: HostedAdvertisement, _ turn: inout HostTurn) {
        advertisement = .asked(new)
        let object = DBusObject(
            [LEAdvertisement1.interface], values: [LEAdvertisement1.interfaceName: new.values])
        turn.perform(.export(HostedApplication.Object(path: advertisementPath, object: object)))
        ask(
            .register(.advertisement), LEAdvertisingManager1.registerAdvertisement,
            of: LEAdvertisingManager1.interfaceName,
            [.objectPath(advertisementPath), .properties([:])], Self.answerTimeout, &turn)
    }

    func unregister(
        _ application: HostedApplication, _ turn: inout HostTurn,
        timeout: Duration = answerTimeout
    ) {
        ask(
            .unregister(.application), GattManager1.unregisterApplication,
            of: GattManager1.interfaceName, [.objectPath(application.root)], timeout, &turn)
    }

    func unregisterAdvertisement(_ turn: inout HostTurn, timeout: Duration = answerTimeout) {
        ask(
            .unregister(.advertisement), LEAdvertisingManager1.unregisterAdvertisement,
            of: LEAdvertisingManager1.interfaceName, [.objectPath(advertisementPath)], timeout,
            &turn)
    }

    /// Asks for everything to be unregistered, at once; how many answers are due.
    func unregisterAll(_ turn: inout HostTurn) -> Int {
        let advertises = advertisement.thing != nil
        if advertises { unregisterAdvertisement(&turn, timeout: Self.removalTimeout) }
        for one in present { unregister(one, &turn, timeout: Self.removalTimeout) }
        return present.count + (advertises ? 1 : 0)
    }

    /// Sets a property of the adapter, which says itself whether that worked.
    func set(
        _ name: String, to value: DBusValue, _ turn: inout HostTurn, timeout: Duration
    ) {
        ask(
            nil, DBusProperties.set, of: DBusProperties.interfaceName,
            [.string(Adapter1.interfaceName), .string(name), .variant(value)], timeout, &turn)
    }

    /// Takes the objects away of what is not registered, or no longer.
    mutating func takeBack(_ part: Part, _ turn: inout HostTurn) {
        switch part {
        case .application:
            for object in application.thing?.objects ?? [] { turn.perform(.unexport(object.path)) }
            application = .none
        case .advertisement:
            if advertisement.thing != nil { turn.perform(.unexport(advertisementPath)) }
            advertisement = .none
        }
    }

    /// The central leaves, and all objects go.
    mutating func end(_ turn: inout HostTurn) {
        centrals.leave(&turn)
        takeBack(.advertisement, &turn)
        takeBack(.application, &turn)
        for object in applications.flatMap(\.objects) { turn.perform(.unexport(object.path)) }
        applications = []
    }
}
#endif
