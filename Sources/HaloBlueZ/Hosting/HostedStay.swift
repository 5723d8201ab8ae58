#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// The time of a hosted device between the coming of its adapter and the end of that: what stands
/// there of the device, and who is connected to it.
struct HostedStay: Sendable {
    enum Part: Hashable, Sendable { case application, advertisement }

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

    enum Stage: Hashable, Sendable {
        case starting
        /// Not everything stood yet: a failure ends it, and who waits for it is told.
        case registering
        case ready
        /// The daemon or the adapter has come back; so often registering is tried again.
        case returned(attemptsLeft: Int)
    }

    /// What the daemon is asked, where the answer matters.
    enum Question: Hashable, Sendable { case register(Part), unregister(Part) }

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
        _ question: Question, _ arguments: [DBusValue], timeout: Duration = answerTimeout,
        _ turn: inout HostTurn
    ) {
        let (interface, method) =
            switch question {
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
        turn.perform(.ask((question, generation), call, timeout: timeout))
    }

    mutating func register(_ new: HostedApplication, _ turn: inout HostTurn) {
        application = .asked(new)
        for object in new.objects { turn.perform(.export(object)) }
        ask(.register(.application), [.objectPath(new.root), .properties([:])], &turn)
    }

    mutating func register(_ new: HostedAdvertisement, _ turn: inout HostTurn) {
        advertisement = .asked(new)
        let object = DBusObject(
            [LEAdvertisement1.interface], values: [LEAdvertisement1.interfaceName: new.values])
        turn.perform(.export(HostedApplication.Object(path: advertisementPath, object: object)))
        ask(.register(.advertisement), [.objectPath(advertisementPath), .properties([:])], &turn)
    }

    func unregister(
        _ part: Part, at path: DBusObjectPath, timeout: Duration = answerTimeout,
        _ turn: inout HostTurn
    ) { ask(.unregister(part), [.objectPath(path)], timeout: timeout, &turn) }

    /// Asks for everything to be unregistered, at once; how many answers are due.
    func unregisterAll(_ turn: inout HostTurn) -> Int {
        var parts = present.map { (Part.application, $0.root) }
        if advertisement.thing != nil { parts.insert((.advertisement, advertisementPath), at: 0) }
        for (part, path) in parts {
            unregister(part, at: path, timeout: Self.removalTimeout, &turn)
        }
        return parts.count
    }

    /// Sets a property of the adapter, which says itself whether that worked.
    func set(_ name: String, to value: DBusValue, _ turn: inout HostTurn, timeout: Duration) {
        let call = DBusCall(
            DBusProperties.set, of: DBusProperties.interfaceName, at: adapter, on: BlueZDaemon.name,
            [.string(Adapter1.interfaceName), .string(name), .variant(value)])
        turn.perform(.ask(nil, call, timeout: timeout))
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
