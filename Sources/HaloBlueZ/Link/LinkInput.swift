#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// An input of ``LinkMachine``: a request of the app, an event of the daemon, or a timer.
enum LinkInput: Sendable {
    /// Starts the attempt: no earlier link to the same device is left.
    case begin
    /// The app cancels the attempt, or closes the link.
    case cancel, close
    case discover(UInt64)
    case submit(LinkOperation)

    case adapter(Result<DBusObjectPath, Outage>)
    /// The result of a lookup of the device.
    case lookup(DeviceLookup)
    /// Discovery with that adapter has ended.
    case discoveryEnded(Outage, on: DBusObjectPath?)
    /// The adapter, the daemon or the bus is gone: the reason for the end of a link, and the error
    /// kind of an attempt.
    case lost(DisconnectReason, orElse: BLEError.Kind)
    case agentReady(UInt64)

    case connected, disconnected, deviceRemoved, paired
    case resolved(Bool)
    case attributesChanged, mtuChanged
    case battery(Int)
    case reason(name: String, text: String)
    /// A value of a characteristic that is being read.
    case value([UInt8], AttributeID)

    case connectAnswered(attempt: Int, DBusError?)
    case disconnectAnswered, strayChecked
    case answered(step: UInt64, Result<DBusReply, DBusError>)
    case pairAnswered(need: UInt64, DBusError?)

    case timer(LinkTimer)
}

/// The result of a lookup of a device among the daemon's objects.
enum DeviceLookup: Hashable, Sendable {
    case unknown
    /// The device is connected, and its link is about to end.
    case disconnecting
    /// The device has another link of this program.
    case inUse
    case there(DBusObjectPath)
}

enum LinkTimer: Hashable, Sendable {
    /// The timeout of the present phase: discovery, the daemon's reply, the next attempt, the end.
    case step
    /// The end of a change of services.
    case quiet
    /// The timeout of service discovery.
    case resolution
    /// The present operation: waiting for the link's end to explain an error.
    case operation
    /// The next attempt at an operation.
    case retry
}

/// The purpose for which a link holds discovery.
enum DiscoveryHold: Hashable, Sendable {
    /// To find the device.
    case searching
    /// To keep the daemon from removing the device.
    case keeping
}

/// The owner of a call, which receives its reply.
enum LinkCall: Hashable, Sendable {
    case connect(attempt: Int)
    case operation(UInt64)
    case pair(need: UInt64)
    /// The reply is ignored.
    case ignored
}

/// An output of ``LinkMachine``; outputs are carried out in order.
enum LinkEffect: Hashable, Sendable {
    /// Requests an adapter; ``LinkInput/adapter(_:)`` follows, and a lookup.
    case requestAdapter
    case holdDiscovery(DiscoveryHold), releaseDiscovery(DiscoveryHold)
    /// Requests or releases the pairing agent; ``LinkInput/agentReady(_:)`` follows a request.
    case requestAgent(UInt64), releaseAgent(UInt64)
    /// Disconnects; ``LinkInput/disconnectAnswered`` follows.
    case disconnect(DBusObjectPath)
    /// Reads `Connected`, which the daemon may not have announced; ``LinkInput/strayChecked``
    /// follows.
    case askWhetherConnected(DBusObjectPath)
    case call(LinkCall, DBusCall, timeout: Duration)
    case start(LinkTimer, Duration), stop(LinkTimer)
    /// Starts or stops delivering a characteristic's values to this link.
    case listen(DBusObjectPath, AttributeID), unlisten(DBusObjectPath)
    /// Routes values through the machine during a read (`true`), or past it.
    case holdValues(DBusObjectPath, Bool)
    case opened, failed(BLEError)
    case deliver(LinkEvent), deliverValues([[UInt8]], AttributeID)
    case complete(UInt64, Result<[UInt8], BLEError>)
    case completeServices([UInt64], Result<[GATTService], BLEError>)
    /// The end; no effect follows.
    case ended
}

/// The context of one input: the state that the machine may read, and the effects so far.
struct LinkTurn: Sendable {
    let now: Moment
    let mirror: BlueZMirror
    let options: BlueZOptions
    /// The time without an answer after which the end of a link means
    /// ``DisconnectReason/Kind/noResponse``.
    let silenceThreshold: Duration
    /// The last number of an operation; the numbers are unique across all links.
    private(set) var lastNumber: UInt64
    private(set) var effects: [LinkEffect] = []

    init(
        now: Moment, mirror: BlueZMirror, options: BlueZOptions,
        silenceThreshold: Duration = LinkLimits.silenceThreshold, lastNumber: UInt64 = 0
    ) {
        self.now = now
        self.mirror = mirror
        self.options = options
        self.silenceThreshold = silenceThreshold
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

/// The timeouts and limits of a link.
enum LinkLimits {
    /// The timeout of `Connect`.
    static let connectTimeout: Duration = .seconds(60)
    /// The timeout of the search for a device.
    static let searchTimeout: Duration = .seconds(120)
    /// The time for the reply to `Connect` once the device is connected.
    static let lateAnswer: Duration = .seconds(5)
    /// The time for the connection once `Connect` has succeeded.
    static let lateLink: Duration = .seconds(2)
    static let maximumFailures = 4
    /// The backoff before the second attempt; doubled before each next one.
    static let firstBackoff: Duration = .milliseconds(250)
    /// A failure of `Connect` after this time means that the device is absent.
    static let shortestAbsence: Duration = .seconds(20)
    /// The backoff while another program is connecting the device.
    static let othersBackoff: Duration = .milliseconds(500)

    /// The timeout of `Disconnect`; less than the layer above allows.
    static let disconnectTimeout: Duration = .seconds(4)
    /// The time during which a device that reconnects is disconnected again.
    static let disconnectRetryTimeout: Duration = .seconds(8)
    /// The wait for the reason of an end: 20 ms were seen (testbed).
    static let reasonTimeout: Duration = .milliseconds(100)
    /// The time in which a cancelled link may still be established: 13 ms were seen (5.66, in the
    /// virtual machine).
    static let strayTimeout: Duration = .milliseconds(50)

    /// Services are complete when none was added for this time.
    static let quietTime: Duration = .milliseconds(150)
    /// The wait for the daemon to add `Battery1`.
    static let batteryTime: Duration = .milliseconds(500)
    static let resolutionTimeout: Duration = .seconds(30)

    /// The maximum number of queued operations: more than the layer above ever queues.
    static let maximumOperations = 1024
    /// The timeout of an operation: Bluetooth gives a device 30 seconds, after which the daemon
    /// ends the link.
    static let operationTimeout: Duration = .seconds(33)
    /// The timeout of calls whose reply is ignored.
    static let releaseTimeout: Duration = .seconds(10)
    /// The time without an answer that explains the end of a link: a little less than the 30
    /// seconds after which Bluetooth demands the end.
    static let silenceThreshold: Duration = .seconds(29)
    /// The timeout of retries while the daemon is busy.
    static let busyTimeout: Duration = .seconds(10)
    /// The first retry interval while the daemon is busy; doubled each time.
    static let firstRetry: Duration = .milliseconds(10)
    /// The longest retry interval.
    static let longestRetry: Duration = .milliseconds(640)
    /// The wait for the link's end, which may explain an error.
    static let explanationTime: Duration = .milliseconds(250)
    /// The maximum number of values held during a read of their characteristic.
    static let maximumHeld = 64

    /// The timeout of pairing: a person may have to confirm it at the other end.
    static let pairingTimeout: Duration = .seconds(60)
    /// The retry interval while the daemon is pairing already.
    static let pairingPause: Duration = .seconds(1)
    /// The maximum number of retries: another program's pairing may take as long as ours.
    static let maximumPairingPauses = 60
}
#endif
