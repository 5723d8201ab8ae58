#if os(Linux)
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// One link from the wish for it until its end.
struct LinkCourse: Sendable {
    typealias Completion<Value> = @Sendable (Result<Value, BLEError>) -> Void

    /// How far it has come.
    enum Phase: Hashable, Sendable {
        /// An earlier link to the same device is still being closed.
        case waiting
        /// The device, or the daemon, is still to be heard of.
        case seeking
        /// The daemon was asked to connect.
        case connecting
        /// It is there.
        case open
        /// It has ended; why is still to be heard, or values that came before.
        case ending
        /// The daemon was asked to end it, or to connect no longer.
        case leaving
    }

    /// What is waited for.
    enum Wait: Hashable, CaseIterable, Sendable {
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
    }

    /// What the daemon's looking for devices is needed for.
    enum Hold: Hashable, Sendable {
        /// The device is still to be found.
        case seeking
        /// The device is not to be forgotten.
        case keeping
    }

    /// An attempt to connect.
    struct Attempt: Sendable {
        /// How often the daemon was asked.
        var count = 0
        /// How often what the daemon said was worth another attempt.
        var failures = 0
        /// Whether its answer is still to come.
        var isPending = false
        /// Since when somebody else is connecting the device.
        var othersSince: Moment?
        var began = Moment.origin
    }

    let address: String
    let shell: LinkShell
    /// Whom to tell that there is a link, or none; nothing when told.
    var completion: Completion<any LinkDriver>?
    /// Whether somebody was told that there is a link, and is to be told that it ends.
    var isTold = false
    var phase = Phase.seeking
    var device: DBusObjectPath?
    var adapter: DBusObjectPath?
    var hold: Hold?
    var attempt = Attempt()
    var timers: [Wait: BlueZSession.TimerNumber] = [:]

    /// Whether the daemon has said on this link that the services are known: what it said on an
    /// earlier one does not count.
    var isResolved = false
    /// Whether it ever has.
    var wasResolved = false
    /// Whether nothing more is waited for once the services are there.
    var isQuiet = false
    var hasAwaitedBattery = false
    var attributes = LinkAttributes()
    var waiters: [Completion<[GATTService]>] = []

    var operations = FIFO<LinkOperation>()
    var current: LinkOperation?
    /// While it is looked what to ask for next.
    var isStarting = false
    var subscriptions: [AttributeID: LinkSubscriptionMode] = [:]
    var sockets = LinkSockets()
    /// The longest value of a write without response.
    var maximumLength = LinkCourse.shortestMaximum
    /// What our agent is there for as long as the link is: the device may want to be paired with.
    var agentNeed: UInt64?
    /// Why it ends, as far as is known.
    var reason: DisconnectReason?

    /// How much fits into the shortest packet that every device takes.
    static let shortestMaximum = 20

    init(
        address: String, shell: LinkShell, completion: @escaping Completion<any LinkDriver>
    ) {
        self.address = address
        self.shell = shell
        self.completion = completion
    }

    /// How many values are kept back at most while the same characteristic is read.
    private static let maximumHeld = 64

    /// Keeps a value back until the answer to the read that is under way; gives what is to be
    /// told now: the value itself if nothing is read, or the oldest of too many that are kept.
    mutating func keep(_ value: [UInt8], of attribute: AttributeID) -> [UInt8]? {
        guard var operation = current, operation.attribute == attribute,
            case .read = operation.work
        else { return value }
        operation.values.append(value)
        let isFull = operation.values.count > Self.maximumHeld
        let oldest = isFull ? operation.values.removeFirst() : nil
        current = operation
        return oldest
    }

    /// What helps when the device has forgotten the bond that this computer still has.
    var bondHint: String { "; bluetoothctl remove \(address) forgets it here, too" }

    /// Whether somebody can use it.
    var isOpen: Bool { phase == .open }

    /// Whether something can be asked for next.
    var isIdle: Bool { isOpen && current == nil }

    /// Whether it goes by itself, and is only waited for.
    var isOver: Bool { phase == .ending || phase == .leaving }
}

/// What a link has outside of the session.
struct LinkShell: Sendable {
    /// Who is told what happens.
    let receiver: LinkReceiver
    /// Makes the user's end of the link.
    let makeDriver: @Sendable (LinkNumber) -> any LinkDriver
    /// Makes a socket of what the daemon gave, and tells the session of what comes through it.
    let openSocket: @Sendable (LinkSocketOffer) -> Void
    /// Puts the object on the bus that answers while devices are paired with, or takes it away.
    let setAgent: @Sendable (Bool) -> Void
    /// Changes the session later, from outside.
    let update: @Sendable (@escaping BlueZSession.Action) -> Void
}

/// How values of a characteristic come.
enum LinkSubscriptionMode: Hashable, Sendable {
    /// As signals.
    case signals
    /// Through a socket, by its number.
    case socket(UInt64)
    /// With the daemon's word of the battery.
    case battery
    /// Not at this moment: the socket was taken away.
    case broken
}
#endif
