#if os(Linux)
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

struct LinkTable: Sendable {
    typealias Completion<Value> = @Sendable (Result<Value, BLEError>) -> Void

    struct Entry: Sendable {
        var machine: LinkMachine
        let events: @Sendable (LinkEvent) -> Void
        let makeDriver: @Sendable (LinkNumber) -> any LinkDriver
        /// The completion of the attempt; `nil` once it has been called.
        var completion: Completion<any LinkDriver>?
        var requests: [UInt64: Completion<[UInt8]>] = [:]
        var waiters: [UInt64: Completion<[GATTService]>] = [:]
        var timers: [LinkTimer: BlueZSession.TimerNumber] = [:]
    }

    /// The link that has subscribed to a characteristic.
    struct Source: Sendable {
        let link: LinkNumber
        let attribute: AttributeID
        let events: @Sendable (LinkEvent) -> Void
        /// `true` during a read, when values are held until the reply.
        var isRead = false
    }

    var entries: [LinkNumber: Entry] = [:]
    /// The link that owns each device: the only one that receives the device's events.
    private(set) var byDevice: [DBusObjectPath: LinkNumber] = [:]
    private(set) var listening: Set<LinkNumber> = []
    /// Links that are open for an app.
    private(set) var open: Set<LinkNumber> = []
    /// The subscribed characteristics of the present links. The daemon also signals values for
    /// subscriptions of an earlier link (pitfall 10, testbed: "stays Notifying over a reconnect")
    /// and of other programs.
    var sources: [DBusObjectPath: Source] = [:]
    /// Devices for which `Disconnect` was called, with the generation of the last call.
    var disconnecting: [DBusObjectPath: UInt64] = [:]
    var agent = PairingAgent.absent
    /// The time without an answer after which the end of a link means
    /// ``DisconnectReason/Kind/noResponse``.
    var silenceThreshold = LinkLimits.silenceThreshold
    var inputs = Queue<(LinkNumber, LinkInput)>()
    var isHandling = false
    private(set) var lastNumber: UInt64 = 0

    mutating func newNumber() -> UInt64 {
        lastNumber &+= 1
        return lastNumber
    }

    mutating func handle(
        _ input: LinkInput, for number: LinkNumber, now: Moment, mirror: BlueZMirror,
        options: BlueZOptions
    ) -> [LinkEffect] {
        var turn = LinkTurn(
            now: now, mirror: mirror, options: options, silenceThreshold: silenceThreshold,
            lastNumber: lastNumber)
        // The link is mutated in place: a copy costs more than the work.
        guard let change = entries[number]?.machine.handling(input, &turn) else { return [] }
        lastNumber = turn.lastNumber
        if change.from != change.to {
            if let device = change.from { byDevice[device] = nil }
            if let device = change.to { byDevice[device] = number }
        }
        if change.isListening { listening.insert(number) } else { listening.remove(number) }
        if change.isOpen { open.insert(number) } else { open.remove(number) }
        return turn.effects
    }

    func numbers(through adapter: DBusObjectPath) -> [LinkNumber] {
        entries.filter { $0.value.machine.adapter == adapter }.keys.sorted()
    }

    func numbers(to address: String) -> [LinkNumber] {
        entries.filter { $0.value.machine.address == address }.keys.sorted()
    }
}

extension LinkMachine {
    /// Handles an input; returns what the table's indices depend on, in one access.
    fileprivate mutating func handling(
        _ input: LinkInput, _ turn: inout Turn
    ) -> (from: DBusObjectPath?, to: DBusObjectPath?, isListening: Bool, isOpen: Bool) {
        let device = place?.device
        handle(input, &turn)
        return (device, place?.device, isListening, link != nil)
    }
}
#endif
