#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// What happens to a link: asked for by the app, said by the daemon, or due.
enum LinkInput: Sendable {
    /// Nothing is in the way: no earlier link to the same device is left.
    case begin
    /// The app wants no link any more; or it closes the one that there is.
    case cancel, close
    case discover(UInt64)
    case submit(LinkOperation)

    case adapter(Result<DBusObjectPath, Outage>)
    /// The device may be there by now.
    case look(LinkSighting)
    /// The daemon does not look for devices any more with that adapter.
    case discoveryEnded(Outage, on: DBusObjectPath?)
    /// The adapter, the daemon or the bus is gone: why a link has ended, and what became of an
    /// attempt to have one.
    case lost(DisconnectReason, orElse: BLEError.Kind)
    case agentIsThere(UInt64)

    case connected, disconnected, deviceRemoved, paired
    case resolved(Bool)
    case attributesChanged, mtuChanged
    case battery(Int)
    case reason(name: String, text: String)
    /// A characteristic has a value, while it is read.
    case value([UInt8], AttributeID)

    case connectAnswered(attempt: Int, DBusError?)
    case disconnectAnswered, strayChecked
    case answered(step: UInt64, Result<DBusReply, DBusError>)
    case pairAnswered(need: UInt64, DBusError?)

    case socketMade(UInt64), socketEnded(UInt64)
    /// A socket has taken a packet, or has not.
    case socketSent(UInt64, step: UInt64, isTaken: Bool)

    case timer(LinkWait)
}

/// Whether a device is there.
enum LinkSighting: Hashable, Sendable {
    case unknown
    /// It is connected, and its link is about to end.
    case parting
    /// It is another link's.
    case taken
    case there(DBusObjectPath)
}

enum LinkWait: Hashable, Sendable {
    /// The device, the daemon's answer, the next attempt, the end.
    case step
    /// That no more services come.
    case quiet
    /// That the device's services are known.
    case resolution
    /// That the link's end explains an error; or that a socket has room.
    case hold
    /// The next attempt at an operation.
    case retry
    /// Values go on as signals when a socket was taken away.
    case resubscribe(AttributeID)
}

/// What the daemon's looking for devices is needed for.
enum LinkHold: Hashable, Sendable {
    /// The device is still to be found.
    case seeking
    /// The device is not to be forgotten.
    case keeping
}

/// Whose an answer of the daemon is.
enum LinkCall: Hashable, Sendable {
    case connect(attempt: Int)
    case operation(UInt64)
    case pair(need: UInt64)
    /// Its answer is ignored.
    case nobody
}

/// What is to be done about what has happened, in this order.
enum LinkEffect: Hashable, Sendable {
    /// Answered by ``LinkInput/adapter(_:)``, and a look.
    case wantAdapter
    case holdDiscovery(LinkHold), releaseDiscovery(LinkHold)
    /// Answered by ``LinkInput/agentIsThere(_:)``.
    case wantAgent(UInt64), releaseAgent(UInt64)
    /// Answered by ``LinkInput/disconnectAnswered``.
    case disconnect(DBusObjectPath)
    /// Asks what the daemon may not have said; answered by ``LinkInput/strayChecked``.
    case askWhetherConnected(DBusObjectPath)
    case call(LinkCall, DBusCall, timeout: Duration)
    case start(LinkWait, Duration), stop(LinkWait)
    /// Start, or stop, delivering the values of a characteristic to this link.
    case listen(DBusObjectPath, AttributeID), unlisten(DBusObjectPath)
    /// Its values come here first, or no longer.
    case holdValues(DBusObjectPath, Bool)
    case openSocket(LinkSocketOffer), closeSocket(UInt64)
    case send([UInt8], socket: UInt64, step: UInt64)
    case opened, failed(BLEError)
    case tell(LinkEvent), tellValues([[UInt8]], AttributeID)
    case complete(UInt64, Result<[UInt8], BLEError>)
    case completeServices([UInt64], Result<[GATTService], BLEError>)
    /// Nothing comes after it.
    case over
}

/// What a link looks at when something happens to it, and what is to be done about that.
struct LinkTurn: Sendable {
    let now: Moment
    let mirror: BlueZMirror
    let options: BlueZOptions
    /// How long a device may not have answered when its link ends, for that to be the reason.
    let silence: Duration
    /// Numbers what is asked for, of all links.
    private(set) var lastNumber: UInt64
    private(set) var effects: [LinkEffect] = []

    init(
        now: Moment, mirror: BlueZMirror, options: BlueZOptions,
        silence: Duration = LinkLimits.silence, lastNumber: UInt64 = 0
    ) {
        self.now = now
        self.mirror = mirror
        self.options = options
        self.silence = silence
        self.lastNumber = lastNumber
    }

    mutating func newNumber() -> UInt64 {
        lastNumber &+= 1
        return lastNumber
    }

    mutating func put(_ effect: LinkEffect) { effects.append(effect) }

    mutating func call(
        _ owner: LinkCall, _ method: String, of interface: String, at path: DBusObjectPath,
        _ arguments: [DBusValue] = [], timeout: Duration
    ) {
        let call = DBusCall(method, of: interface, at: path, on: BlueZDaemon.name, arguments)
        effects.append(.call(owner, call, timeout: timeout))
    }

    func isConnected(_ device: DBusObjectPath) -> Bool {
        mirror.devices[device]?.isConnected == true
    }
}

/// How long things may take on a link, and how often they are tried.
enum LinkLimits {
    /// How long the daemon has to connect, or to say that it does not.
    static let connectTimeout: Duration = .seconds(60)
    /// How long a device is looked for at most.
    static let seekTimeout: Duration = .seconds(120)
    /// How long the answer may stay out when the link is there.
    static let lateAnswer: Duration = .seconds(5)
    /// How long the link may stay out when the answer is there.
    static let lateLink: Duration = .seconds(2)
    static let maximumFailures = 4
    /// How long is waited before the second attempt; twice as long before each next one.
    static let firstPause: Duration = .milliseconds(250)
    /// A daemon that gives up later than this has waited for a device that is not there.
    static let shortestAbsence: Duration = .seconds(20)
    /// The pause between attempts while another program is connecting the device.
    static let othersPause: Duration = .milliseconds(500)

    /// How long the daemon has to end a link; less than what the layer above gives us.
    static let leaveTimeout: Duration = .seconds(4)
    /// For how long it is asked again when the device is connected once more.
    static let leavingTimeout: Duration = .seconds(8)
    /// How long the reason of an end is waited for: 20 ms were seen (testbed).
    static let reasonTimeout: Duration = .milliseconds(100)
    /// How long a link may still come that was called off while it began: 13 ms were seen (5.66,
    /// in the virtual machine).
    static let strayTime: Duration = .milliseconds(50)
    /// How long sockets may still give what was in them.
    static let drainTimeout: Duration = .seconds(1)

    /// For how long no service may come until all are there.
    static let quietTime: Duration = .milliseconds(150)
    /// For how long a battery is waited for that the daemon tells of by itself.
    static let batteryTime: Duration = .milliseconds(500)
    static let resolutionTimeout: Duration = .seconds(30)

    /// How many things may wait on a link: more than the layer above ever asks for.
    static let maximumOperations = 1024
    /// How long an answer is waited for: Bluetooth gives a device 30 seconds, after which the
    /// daemon ends the link; one that does not is not waited for.
    static let operationTimeout: Duration = .seconds(33)
    /// The timeout of calls whose answer is ignored.
    static let releaseTimeout: Duration = .seconds(10)
    /// How long a device may not have answered when its link ends, for that to be the reason: a
    /// little less than the 30 seconds after which Bluetooth demands the end.
    static let silence: Duration = .seconds(29)
    /// How long the daemon may be busy with something else.
    static let busyTimeout: Duration = .seconds(10)
    /// After how long a busy daemon is asked again; after twice as long each next time.
    static let firstRetry: Duration = .milliseconds(10)
    /// What that grows to.
    static let longestRetry: Duration = .milliseconds(640)
    /// How long the link's end is waited for that an error may announce.
    static let explanationTime: Duration = .milliseconds(250)
    /// How many values are kept back at most while the same characteristic is read.
    static let maximumHeld = 64
    /// How many writes without response in a row are worth a socket.
    static let commandsBeforeSocket = 8

    /// How long pairing may take: there may be a person at the other end.
    static let pairingTimeout: Duration = .seconds(60)
    /// How long is waited when the daemon is pairing already.
    static let pairingPause: Duration = .seconds(1)
    /// The most pauses: another program's pairing may take as long as one of ours.
    static let maximumPairingPauses = 60
}
#endif
