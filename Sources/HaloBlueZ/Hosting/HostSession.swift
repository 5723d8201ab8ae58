#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// A device that the daemon has on the air for us: what the bus and the device say goes in, what
/// is to be done comes out.
///
/// Rules:
/// - First the adapter is looked for; then the device comes to life; then its services are
///   registered, and then, if it advertises, its advertisement. When all this stands, it is ready.
/// - What is registered follows what the device wants, one call at a time. Services that come
///   later are an application of their own, so that those that were there before stay as they
///   are for a central. An application of which something has gone is unregistered, and what
///   remains of it registered anew. Another advertisement takes the place of the old one.
/// - When the daemon or the adapter has gone, the central has too, and everything is registered
///   again as soon as both are back: that is tried ``attempts`` times. A refusal at any other
///   time ends the device with an error, as does the end of the bus.
/// - One central at a time. Who asks for something, or connects first, is it; until it has asked
///   for something that is a guess, and another one that does takes its place, and what was
///   subscribed to meanwhile is its. What the second one asks for is refused, and its link closed.
///   A guess is never disconnected: it may be a keyboard. A device that this program has connected
///   to is none, nor is one that was connected before.
/// - Each request is answered once: by the device, or with ``ATTError/unlikely`` shortly before
///   the daemon would, which is after five seconds (seen on 5.66), or with an error when the link
///   or the device ends. An answer of the device that comes later is dropped.
/// - Nobody but the daemon is answered.
struct HostSession: Sendable {
    /// What was asked of the daemon.
    enum Purpose: Hashable, Sendable {
        case look, power, alias
        case register(Part), unregister(Part)
        case disconnect
    }

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

    /// What is to be done outside, in this order.
    enum Effect: Sendable {
        /// Asks the daemon something; the answer goes to ``answered(_:_:in:)``.
        case call(Purpose, DBusCall, timeout: Duration, age: UInt64)
        case export(HostedApplication.Object)
        case unexport(DBusObjectPath)
        /// Gives a characteristic a value, of which the daemon hears.
        case value([UInt8], at: DBusObjectPath)
        case reply([DBusValue], to: UInt64)
        case refuse(DBusRefusal, of: UInt64)
        /// Brings the device to life; ``started(_:)`` follows.
        case start
        case tell(PeripheralEvent)
        /// Calls ``tick()`` at that time.
        case alarm(Moment)
        /// Everything is registered.
        case ready
        /// Nothing follows.
        case ended(BLEError?)
    }

    /// A central, as far as it is known.
    struct Central: Hashable, Sendable {
        var path: DBusObjectPath?
        /// Whether it has asked for anything.
        var isSure: Bool
        var mtu: Int?
    }

    /// A request that the device has not answered yet.
    struct Pending: Hashable, Sendable {
        let request: UInt64
        let due: Moment
    }

    /// How far the daemon is known.
    enum Daemon: Hashable, Sendable {
        case away
        case looking
        case here(adapter: DBusObjectPath)
    }

    /// How the end comes.
    enum End: Hashable, Sendable {
        case removing
        case over
    }

    /// How often registering is tried again when the daemon or the adapter has come back.
    static let attempts = 5
    /// How long it is to the next time.
    static let pause: Duration = .seconds(1)
    static let answerTimeout: Duration = .seconds(10)
    /// Removing is to be quick: the daemon cleans up by itself when the connection ends.
    static let removalTimeout: Duration = .seconds(2)
    /// The daemon waits for five seconds.
    static let patience: Duration = .milliseconds(4500)
    static let mostPending = 32
    static let longestValue = 512

    let options: HostingOptions
    let wish: HostedAdapterWish
    /// Below which all objects are.
    let root: DBusObjectPath
    var now = Moment.origin

    var daemon = Daemon.away
    /// The name that the bus gave the daemon.
    var owner: String?
    /// Answers to what was asked before the daemon went are void.
    var age: UInt64 = 0
    var hasReturned = false
    var attemptsLeft = 0
    var retryAt: Moment?

    var address: String?
    var alias: String?
    var isRenamed = false
    var isPowered = true
    var devices: [DBusObjectPath: Bool] = [:]
    /// Devices that have connected since the device is there, and not to this program's wish.
    var arrivals: Set<DBusObjectPath> = []

    var isAlive = false
    var isReady = false
    var end: End?
    var services: [GATTService] = []
    var edition = 0
    var wantedAdvertisement: HostedAdvertisement?
    /// What is registered: the services that there were first, and those that came later.
    var applications: [HostedApplication] = []
    /// What is about to be registered, or unregistered.
    var application = Standing<HostedApplication>.none
    var advertisement = Standing<HostedAdvertisement>.none

    /// How many answers removing still waits for.
    var answersDue = 0

    var central: Central?
    var subscriptions: Set<AttributeID> = []
    var pending: [ResponseToken: Pending] = [:]
    private var lastToken: UInt32 = 0

    private var effects = FIFO<Effect>()

    /// A device that nothing was done for yet.
    init(_ options: HostingOptions, _ wish: HostedAdapterWish, at root: DBusObjectPath) {
        self.options = options
        self.wish = wish
        self.root = root
    }

    /// Takes out what is to be done next.
    mutating func nextEffect() -> Effect? { effects.popFirst() }

    mutating func perform(_ effect: Effect) { effects.append(effect) }

    /// Asks the daemon something.
    mutating func call(
        _ purpose: Purpose, _ method: String, of interface: String, at path: DBusObjectPath,
        _ arguments: [DBusValue] = [], timeout: Duration = Self.answerTimeout
    ) {
        let call = DBusCall(method, of: interface, at: path, on: BlueZDaemon.name, arguments)
        perform(.call(purpose, call, timeout: timeout, age: age))
    }

    mutating func nextToken() -> ResponseToken {
        repeat { lastToken &+= 1 } while pending[ResponseToken(lastToken)] != nil
        return ResponseToken(lastToken)
    }

    /// The adapter, while everything can be asked of it.
    var adapter: DBusObjectPath? {
        if case .here(let adapter) = daemon { adapter } else { nil }
    }

    /// All that the daemon may know of.
    var present: [HostedApplication] { applications + [application.thing].compactMap { $0 } }

    /// The advertisement's place; where an application is changes with each one.
    var advertisementPath: DBusObjectPath { root.appending("advertisement") }
}
#endif
