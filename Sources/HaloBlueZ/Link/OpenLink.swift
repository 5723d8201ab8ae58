#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

struct LinkPlace: Hashable, Sendable {
    let device: DBusObjectPath
    let adapter: DBusObjectPath
}

/// Whether a device's services are known.
enum LinkResolution: Hashable, Sendable {
    /// The daemon has not said so on this link, or has taken it back.
    case unknown(wasKnown: Bool)
    /// It has said so, and more may come: while it is timed, it is known when that is over.
    case settling(isTimed: Bool)
    case known

    /// What there is when the daemon says so is all.
    static func told(of device: DBusObjectPath, in mirror: BlueZMirror) -> LinkResolution {
        mirror.services.paths(of: device).isEmpty ? .settling(isTimed: false) : .known
    }

    var wasKnown: Bool { if case .unknown(let wasKnown) = self { wasKnown } else { true } }
}

/// A link that the app has, with all that exists only as long as it is there: what is known of the
/// services, what is asked of the device, subscriptions and sockets.
///
/// When a device's services are known:
/// - The daemon has to say so on this link: `ServicesResolved` of an earlier one does not count.
/// - Services that are there by then are taken for all: that is the daemon's order (testbed, of
///   real devices), and nothing is waited for.
/// - If none is there, they come later (pitfall 1: bluez#1489, bleak#1806; and the testbed, of
///   devices that the same daemon hosts): then it is waited until none has come for a while.
/// - So it is when services change on a link (pitfall 2: bleak#625, #376): what was given out is
///   stale, and is said to be.
/// - A daemon that never says so is given up, and the end of the link ends the wait (pitfall 3:
///   bleak#1489, #1491, bluez#712, btleplug#164).
///
/// What comes of what, beside the table of ``LinkMachine``; what is asked of the device has a
/// table of its own in `LinkOperation.swift`. Shorthands:
///
///     review     what was given out is other than the mirror has it: subscriptions are
///                released, sockets closed, the numbers forgotten, `.servicesChanged` told;
///                then measure and give
///     measure    the least packet of characteristics and sockets, less 3, from 20 to 510; told
///                if it is another
///     settle t   a wait of t for services that still come
///     give       only if the services are wanted:
///                  settling without a wait: settle 150 ms
///                  known, but there is none with a path: nothing
///                  known, and a battery is promised that is hidden and was not awaited: settle
///                  500 ms; once on a link
///                  known: numbers are given, all who wait are answered, the wait for them stops
///
///     discover, numbers are given out      answered
///     discover, 1024 wait                  overloaded
///     discover                             waits; the first for 30 s; give
///     resolved yes                         known, or settling if there is none; review
///     resolved no                          unknown; the wait stops
///     attributesChanged, resolved          settle 150 ms; review
///     attributesChanged                    review
///     mtuChanged                           measure
///     quiet, settling                      known; give
///     resolution                           known and give, if the mirror has it so; who waits
///                                          still: timedOut
///     battery, a number is given out       told if it is subscribed to
///     battery, the plan has its service    nothing
///     battery                              known, if that was awaited; review
///     value                                kept back while it is read, 64 at most; or else told
struct OpenLink: Sendable, Equatable {
    typealias Turn = LinkTurn

    let place: LinkPlace
    /// Our agent is there for the link: the device was not paired with when it began.
    let mayWantKeys: Bool
    /// Why it ends, as far as that was said before the end.
    var explained: DisconnectReason?

    fileprivate var resolution: LinkResolution
    fileprivate var hasAwaitedBattery = false
    /// What was given out last, unless that is stale.
    private(set) var attributes: LinkAttributes?
    private var lastNumber: UInt32 = 0
    fileprivate(set) var waiters: [UInt64] = []
    /// The longest value of a write without response.
    private(set) var maximumLength = OpenLink.shortestMaximum

    var operations = FIFO<LinkOperation>()
    var running: RunningOperation?
    var subscriptions: [AttributeID: LinkSubscriptionMode] = [:]
    /// Characteristics whose values come as signals, or may.
    var listened: Set<DBusObjectPath> = []
    var sockets = LinkSockets()

    /// How much fits into the shortest packet that every device takes.
    static let shortestMaximum = 20
    /// What is before a value in a packet.
    private static let packetHeader = 3
    /// The longest value in one packet that a device takes which is run by BlueZ, though 512 bytes
    /// are allowed: a longer one is lost without a word (testbed).
    private static let longestMaximum = 510

    init(place: LinkPlace, mayWantKeys: Bool, resolution: LinkResolution) {
        self.place = place
        self.mayWantKeys = mayWantKeys
        self.resolution = resolution
    }

    /// Takes in what has happened while it is open; the reason if the daemon is to end the link.
    mutating func handle(_ input: LinkInput, _ turn: inout Turn) -> DisconnectReason? {
        defer { beginNext(&turn) }
        switch input {
        case .discover(let request): discover(request, &turn)
        case .resolved(let isResolved): resolved(isResolved, &turn)
        case .attributesChanged:
            if case .unknown = resolution {} else { settle(LinkLimits.quietTime, &turn) }
            review(&turn)
        case .mtuChanged: measure(&turn)
        case .battery(let level): batteryCame(level, &turn)
        case .timer(.quiet):
            guard case .settling = resolution else { break }
            resolution = .known
            give(&turn)
        case .timer(.resolution): resolutionFailed(&turn)
        default: return handleOperation(input, &turn)
        }
        return nil
    }

    // MARK: The services

    private mutating func discover(_ request: UInt64, _ turn: inout Turn) {
        if let attributes {
            return turn.put(.completeServices([request], .success(attributes.services)))
        }
        let isFirst = waiters.isEmpty
        wait(for: request, &turn)
        if isFirst { turn.put(.start(.resolution, LinkLimits.resolutionTimeout)) }
        give(&turn)
    }

    /// Keeps who wants the services, or too many do.
    mutating func wait(for request: UInt64, _ turn: inout Turn) {
        guard waiters.count < LinkLimits.maximumOperations else {
            let error = BLEError(.overloaded, .discover)
            return turn.put(.completeServices([request], .failure(error)))
        }
        waiters.append(request)
    }

    /// The daemon says that the services are known, or no longer.
    private mutating func resolved(_ isResolved: Bool, _ turn: inout Turn) {
        if resolution == .settling(isTimed: true) { turn.put(.stop(.quiet)) }
        guard isResolved else {
            // At the end of a link this is said first.
            resolution = .unknown(wasKnown: resolution.wasKnown)
            return
        }
        resolution = .told(of: place.device, in: turn.mirror)
        review(&turn)
    }

    private mutating func settle(_ duration: Duration, _ turn: inout Turn) {
        resolution = .settling(isTimed: true)
        turn.put(.start(.quiet, duration))
    }

    /// Says that what was given out is stale, if it is; and whether the services are known now.
    mutating func review(_ turn: inout Turn) {
        if attributes?.isStale(for: place.device, in: turn.mirror) == true {
            releaseSubscriptions(&turn)
            attributes = nil
            turn.put(.tell(.servicesChanged))
        }
        measure(&turn)
        give(&turn)
    }

    /// Tells the services to those who wait, if they are known.
    private mutating func give(_ turn: inout Turn) {
        guard !waiters.isEmpty else { return }
        switch resolution {
        case .unknown, .settling(isTimed: true): return
        case .settling(isTimed: false): return settle(LinkLimits.quietTime, &turn)
        case .known: break
        }
        let new = LinkAttributes(of: place.device, in: turn.mirror, after: lastNumber)
        guard !new.paths.isEmpty else { return }
        // The daemon tells of a battery that it keeps to itself just after the services (pitfall
        // 23: gattlib#84, #89; testbed).
        let uuids = turn.mirror.devices[place.device]?.uuids ?? []
        if !hasAwaitedBattery, new.lacksBattery, uuids.contains(StandardServices.battery) {
            hasAwaitedBattery = true
            return settle(LinkLimits.batteryTime, &turn)
        }
        (attributes, lastNumber) = (new, new.lastNumber)
        measure(&turn)
        turn.put(.stop(.resolution))
        turn.put(.completeServices(waiters, .success(new.services)))
        waiters = []
    }

    private mutating func batteryCame(_ level: Int, _ turn: inout Turn) {
        if let attribute = attributes?.battery {
            guard subscriptions[attribute] == .battery else { return }
            return turn.put(.tellValues([[UInt8(clamping: level)]], attribute))
        }
        // A device that shows its battery service itself needs no other.
        if attributes?.lacksBattery == false { return }
        if hasAwaitedBattery, resolution == .settling(isTimed: true) {
            turn.put(.stop(.quiet))
            resolution = .known
        }
        review(&turn)
    }

    /// The services were not known in time: it may be that the daemon has them and did not say so.
    private mutating func resolutionFailed(_ turn: inout Turn) {
        let isResolved = turn.mirror.devices[place.device]?.isResolved == true
        if isResolved {
            resolution = .known
            give(&turn)
        }
        guard !waiters.isEmpty else { return }
        let words = isResolved ? "yes, but there are none" : "no"
        let details = "services resolved: \(words), link: up"
        turn.put(
            .completeServices(waiters, .failure(BLEError(.timedOut, .discover, details: details))))
        waiters = []
    }

    /// Finds out how long packets can be: the daemon tells it of each characteristic, from 5.62
    /// on; before, nobody knows (pitfall 17: bleak, SimpleBLE#481, bluez#576).
    mutating func measure(_ turn: inout Turn) {
        let known = (attributes?.characteristics ?? []).compactMap {
            turn.mirror.characteristics[$0]?.mtu
        }
        guard let packet = (known + sockets.lengths).min() else { return }
        let maximum = min(
            max(packet - Self.packetHeader, Self.shortestMaximum), Self.longestMaximum)
        guard maximum != maximumLength else { return }
        maximumLength = maximum
        turn.put(.tell(.maximumLengthChanged))
    }

    // MARK: Values that come while they are read

    /// Keeps a value back until the answer to the read that is under way, or tells it; or the
    /// oldest of too many.
    mutating func keep(_ value: [UInt8], of attribute: AttributeID, _ turn: inout Turn) {
        guard running?.operation.work == .read, running?.operation.attribute == attribute else {
            return turn.put(.tellValues([value], attribute))
        }
        running?.held.append(value)
        guard let count = running?.held.count, count > LinkLimits.maximumHeld,
            let oldest = running?.held.removeFirst()
        else { return }
        turn.put(.tellValues([oldest], attribute))
    }

    /// Tells the values that waited for a read's answer.
    mutating func tellHeld(answer: [UInt8]?, _ turn: inout Turn) {
        guard let running, running.operation.work == .read,
            let attribute = running.operation.attribute
        else { return }
        if case .characteristic(let path)? = attributes?[attribute] {
            turn.put(.holdValues(path, false))
        }
        var values = running.held
        if let answer, let last = values.lastIndex(of: answer) { values.remove(at: last) }
        if !values.isEmpty { turn.put(.tellValues(values, attribute)) }
    }

    // MARK: The end

    /// Takes in what still comes of what was asked when the link has ended, or is about to: what
    /// has an answer ends with it, and nothing is begun. Whether the last socket with values has
    /// ended.
    mutating func conclude(_ input: LinkInput, _ turn: inout Turn) -> Bool {
        switch input {
        case .resolved(true):
            if case .unknown = resolution { resolution = .unknown(wasKnown: true) }
        case .answered(let step, let answer) where running?.isAsked(step) == true:
            concludeRunning(answer, &turn)
        case .value(let value, let attribute): keep(value, of: attribute, &turn)
        case .socketSent(let socket, let step, true):
            if running?.isSending(socket, step) == true { done(.success([]), &turn) }
        case .socketMade(let socket): if !sockets.made(socket) { turn.put(.closeSocket(socket)) }
        case .socketEnded(let socket), .socketSent(let socket, _, false):
            if case .values? = sockets.remove(socket) { return sockets.isEmpty }
        default: break
        }
        return false
    }

    /// Tells the end, with how far the services were known (pitfall 3: bleak#1489, bluez#712): a
    /// link that breaks before is a trouble of its own. Everything that was asked for fails, and
    /// what the daemon would go on with ends.
    mutating func end(_ reason: DisconnectReason, _ turn: inout Turn) {
        var reason = reason
        if !resolution.wasKnown, reason.kind != .local {
            let text = "services resolved: no, link: down"
            reason = DisconnectReason(
                reason.kind, details: reason.details.map { "\($0); \(text)" } ?? text)
        }
        tellHeld(answer: nil, &turn)
        turn.put(.tell(.disconnected(reason)))
        if !waiters.isEmpty {
            let error = BLEError(.disconnected, .discover, reason: reason)
            turn.put(.completeServices(waiters, .failure(error)))
        }
        let left = (running.map { [$0.operation] } ?? []) + operations.removeAll()
        for operation in left {
            let error = BLEError(.disconnected, operation.kind, reason: reason)
            turn.put(.complete(operation.number, .failure(error)))
        }
        for path in unlisten(&turn) {
            turn.call(
                .nobody, GattCharacteristic1.stopNotify, of: GattCharacteristic1.interfaceName,
                at: path, timeout: LinkLimits.releaseTimeout)
        }
        closeSockets(&turn)
    }
}
#endif
