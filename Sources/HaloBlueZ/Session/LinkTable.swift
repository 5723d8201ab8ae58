#if os(Linux)
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// Numbers the links of a session, and the attempts to have one.
struct LinkNumber: Hashable, Comparable, Sendable {
    let rawValue: UInt64

    static func < (one: LinkNumber, other: LinkNumber) -> Bool { one.rawValue < other.rawValue }
}

/// What a link has outside of the session.
struct LinkShell: Sendable {
    let receiver: LinkReceiver
    /// Makes the user's end of the link.
    let makeDriver: @Sendable (LinkNumber) -> any LinkDriver
}

/// A socket as the session knows it.
protocol LinkSocket: AnyObject, Sendable {
    /// Sends a packet; says whether the system has taken it.
    func send(_ packet: [UInt8], completion: @escaping @Sendable (Bool) -> Void)
    func close()
}

/// All links of a session, and the attempts to have one; and by what they are found.
struct LinkTable: Sendable {
    typealias Completion<Value> = @Sendable (Result<Value, BLEError>) -> Void

    /// A link with all that is no value.
    struct Entry: Sendable {
        var machine: LinkMachine
        let shell: LinkShell
        /// Whom to tell that there is a link, or none; nothing when told.
        var completion: Completion<any LinkDriver>?
        var requests: [UInt64: Completion<[UInt8]>] = [:]
        var waiters: [UInt64: Completion<[GATTService]>] = [:]
        var sockets: [UInt64: any LinkSocket] = [:]
        var timers: [LinkWait: BlueZSession.TimerNumber] = [:]
    }

    /// Who wants the values of a characteristic.
    struct Source: Sendable {
        let link: LinkNumber
        let attribute: AttributeID
        let receiver: LinkReceiver
        /// Whether it is being read: then values wait for the answer.
        var isRead = false
        /// What came last, and when, if equal values may be left out.
        var last: (value: [UInt8], moment: Moment)?
    }

    var entries: [LinkNumber: Entry] = [:]
    /// Whose link a device's is. Nobody else's is ever told.
    private(set) var byDevice: [DBusObjectPath: LinkNumber] = [:]
    /// Attempts whose device is still to be heard of.
    private(set) var listening: Set<LinkNumber> = []
    /// Links that an app has.
    private(set) var open: Set<LinkNumber> = []
    /// Which characteristics were subscribed to on the present link: a daemon goes on telling the
    /// values of a link before (pitfall 10, testbed: "stays Notifying over a reconnect"), and those
    /// of others.
    var sources: [DBusObjectPath: Source] = [:]
    /// Devices that the daemon was asked to disconnect, and by which question last: what is left of
    /// those links is about to end.
    var parting: [DBusObjectPath: UInt64] = [:]
    var agent = PairingAgent.absent
    /// How long a device may not have answered when its link ends, for that to be the reason.
    var silence = LinkLimits.silence
    /// What has happened to links and was not taken in yet.
    var inbox = FIFO<(LinkNumber, LinkInput)>()
    var isTakingIn = false
    private(set) var lastNumber: UInt64 = 0

    /// A number that nothing else has: of a link, of something asked for on it.
    mutating func newNumber() -> UInt64 {
        lastNumber &+= 1
        return lastNumber
    }

    /// Tells a link what has happened; what is to be done about that.
    mutating func handle(
        _ input: LinkInput, for number: LinkNumber, now: Moment, mirror: BlueZMirror,
        options: BlueZOptions
    ) -> [LinkEffect] {
        var turn = LinkTurn(
            now: now, mirror: mirror, options: options, silence: silence, lastNumber: lastNumber)
        // A link is changed where it lies: a copy of it costs more than what is done with it.
        guard let change = entries[number]?.machine.taking(input, &turn) else { return [] }
        lastNumber = turn.lastNumber
        if change.from != change.to {
            if let device = change.from { byDevice[device] = nil }
            if let device = change.to { byDevice[device] = number }
        }
        if change.isListening { listening.insert(number) } else { listening.remove(number) }
        if change.hasLink { open.insert(number) } else { open.remove(number) }
        return turn.effects
    }

    /// Links that go through an adapter, or try to.
    func numbers(through adapter: DBusObjectPath) -> [LinkNumber] {
        entries.filter { $0.value.machine.adapter == adapter }.keys.sorted()
    }

    /// Links to a device, and attempts to have one.
    func numbers(to address: String) -> [LinkNumber] {
        entries.filter { $0.value.machine.address == address }.keys.sorted()
    }
}

extension LinkMachine {
    /// Takes in what has happened; what it is found by afterwards, and its device before.
    mutating func taking(
        _ input: LinkInput, _ turn: inout Turn
    ) -> (from: DBusObjectPath?, to: DBusObjectPath?, isListening: Bool, hasLink: Bool) {
        let device = place?.device
        handle(input, &turn)
        return (device, place?.device, isListening, hasLink)
    }

    /// Whether the app has it.
    private var hasLink: Bool {
        switch phase {
        case .open, .ending: true
        case .leaving(let leaving): leaving.link != nil
        case .waiting, .seeking, .connecting, .over: false
        }
    }

    /// Whether it goes by itself, and is only waited for.
    var isEnding: Bool {
        switch phase {
        case .ending, .leaving: true
        case .waiting, .seeking, .connecting, .open, .over: false
        }
    }

    /// The link, while the app has it.
    var link: OpenLink? {
        switch phase {
        case .open(let link), .ending(let link): link
        case .leaving(let leaving): leaving.link
        case .waiting, .seeking, .connecting, .over: nil
        }
    }

    var adapter: DBusObjectPath? {
        if case .seeking(let seeking) = phase { seeking.adapter } else { place?.adapter }
    }

    /// Where the device is; nobody else's link is told of it.
    var place: LinkPlace? {
        switch phase {
        case .connecting(let state): state.place
        case .open(let link), .ending(let link): link.place
        case .leaving(let leaving): leaving.place
        case .waiting, .seeking, .over: nil
        }
    }

    /// Whether the device is still to be heard of.
    var isListening: Bool {
        if case .seeking(let state) = phase, case .listening = state.stage { true } else { false }
    }

    /// Whether an answer to `Connect` is to the question that was asked last.
    func awaits(attempt: Int) -> Bool {
        switch phase {
        case .connecting(let state): state.isAsked && state.attempt.count == attempt
        case .leaving(let leaving): leaving.pending == attempt
        default: false
        }
    }
}
#endif
