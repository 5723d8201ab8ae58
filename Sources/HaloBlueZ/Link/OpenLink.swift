#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

struct LinkPlace: Hashable, Sendable {
    let device: DBusObjectPath
    let adapter: DBusObjectPath
}

/// The state of a device's services.
enum LinkResolution: Hashable, Sendable {
    /// The daemon has not announced the services on this link, or has withdrawn the announcement.
    case unknown(wasKnown: Bool)
    /// The services are announced, and more may come. With a timer, they are known when it fires.
    case settling(isTimed: Bool)
    case known

    /// Returns the state at the announcement: the services that exist by then are complete.
    static func announced(for device: DBusObjectPath, in mirror: BlueZMirror) -> LinkResolution {
        mirror.services.paths(of: device).isEmpty ? .settling(isTimed: false) : .known
    }

    var wasKnown: Bool { if case .unknown(let wasKnown) = self { wasKnown } else { true } }
}

/// A link that the app has, with everything that exists only as long as the link: services,
/// operations and subscriptions.
///
/// Service discovery:
/// - The daemon has to announce the services on this link: `ServicesResolved` of an earlier one
///   does not count.
/// - The services that exist at the announcement are complete, as the daemon adds them before it
///   (testbed, of real devices): there is no delay.
/// - If none exists, they are added later (pitfall 1: bluez#1489, bleak#1806; and the testbed, of
///   devices that the same daemon hosts): they are complete when none was added for a while.
/// - The same applies when services change on a link (pitfall 2: bleak#625, #376): the old
///   attributes are stale, and the app is notified.
/// - Discovery has a timeout, for a daemon that never announces the services, and ends with the
///   link (pitfall 3: bleak#1489, #1491, bluez#712, btleplug#164).
///
/// The transitions, beside those of ``LinkMachine``; operations have a table of their own in
/// `LinkOperation.swift`. Shorthands:
///
///     refresh    if the app's attributes differ from the mirror: subscriptions are ended, the
///                numbers forgotten, `.servicesChanged` is delivered; then measure and complete
///     measure    the smallest packet of the characteristics, less 3, from 20 to 510; a change is
///                delivered
///     settle t   a timer of t for services that are still to come
///     complete   only if a discovery waits:
///                  settling without a timer: settle 150 ms
///                  known, but there is none with a path: no effect
///                  known, a battery is announced, hidden, and was not awaited: settle 500 ms;
///                  once on a link
///                  known: numbers are assigned, all discoveries completed, their timer stops
///
///     discover, numbers are assigned       completed
///     discover, 1024 wait                  overloaded
///     discover                             waits; the first for 30 s; complete
///     resolved yes                         known, or settling if there is none; refresh
///     resolved no                          unknown; the timer stops
///     attributesChanged, resolved          settle 150 ms; refresh
///     attributesChanged                    refresh
///     mtuChanged                           measure
///     quiet, settling                      known; complete
///     resolution                           known and complete, if resolved in mirror; the rest:
///                                          timedOut
///     battery, a number is assigned        delivered if it is subscribed to
///     battery, there is a battery service  no effect
///     battery                              known, if that was awaited; refresh
///     value                                held during a read, 64 at most; or else delivered
struct OpenLink: Sendable, Equatable {
    typealias Turn = LinkTurn

    let place: LinkPlace
    /// `true` if the pairing agent is registered for the link: the device was not paired when it
    /// began.
    let mayWantKeys: Bool
    /// The daemon's reason for the end, if it was received before the end.
    var explained: DisconnectReason?

    fileprivate var resolution: LinkResolution
    fileprivate var hasAwaitedBattery = false
    /// The attributes that the app has; `nil` if they are stale or unknown.
    private(set) var attributes: LinkAttributes?
    private var lastNumber: UInt32 = 0
    fileprivate(set) var waiters: [UInt64] = []
    /// The maximum length of a write without response, in bytes.
    private(set) var maximumLength = OpenLink.shortestMaximum

    var operations = Queue<LinkOperation>()
    var running: RunningOperation?
    var subscriptions: [AttributeID: LinkSubscriptionMode] = [:]
    /// Characteristics whose values are received as signals, or may be.
    var listened: Set<DBusObjectPath> = []

    /// The maximum length of a value in the smallest packet of Bluetooth.
    static let shortestMaximum = 20
    /// The number of bytes before a value in a packet.
    private static let packetHeader = 3
    /// The maximum length of a value in one packet that a device run by BlueZ accepts, though 512
    /// bytes are allowed: a longer one is lost without an error (testbed).
    private static let longestMaximum = 510

    init(place: LinkPlace, mayWantKeys: Bool, resolution: LinkResolution) {
        self.place = place
        self.mayWantKeys = mayWantKeys
        self.resolution = resolution
    }

    /// Handles an input while the link is open; returns the reason if the daemon is to end the
    /// link.
    mutating func handle(_ input: LinkInput, _ turn: inout Turn) -> DisconnectReason? {
        defer { beginNext(&turn) }
        switch input {
        case .discover(let request): discover(request, &turn)
        case .resolved(let isResolved): resolved(isResolved, &turn)
        case .attributesChanged:
            if case .unknown = resolution {} else { settle(LinkLimits.quietTime, &turn) }
            refreshServices(&turn)
        case .mtuChanged: updateMaximumLength(&turn)
        case .battery(let level): batteryChanged(level, &turn)
        case .timer(.quiet):
            guard case .settling = resolution else { break }
            resolution = .known
            completeDiscovery(&turn)
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
        completeDiscovery(&turn)
    }

    /// Queues a discovery, unless too many wait.
    mutating func wait(for request: UInt64, _ turn: inout Turn) {
        guard waiters.count < LinkLimits.maximumOperations else {
            let error = BLEError(.overloaded, .discover)
            return turn.put(.completeServices([request], .failure(error)))
        }
        waiters.append(request)
    }

    /// Handles the daemon's `ServicesResolved`.
    private mutating func resolved(_ isResolved: Bool, _ turn: inout Turn) {
        if resolution == .settling(isTimed: true) { turn.put(.stop(.quiet)) }
        guard isResolved else {
            // At the end of a link, this is signalled first.
            resolution = .unknown(wasKnown: resolution.wasKnown)
            return
        }
        resolution = .announced(for: place.device, in: turn.mirror)
        refreshServices(&turn)
    }

    private mutating func settle(_ duration: Duration, _ turn: inout Turn) {
        resolution = .settling(isTimed: true)
        turn.put(.start(.quiet, duration))
    }

    /// Notifies the app of stale attributes, and completes discoveries if the services are known.
    mutating func refreshServices(_ turn: inout Turn) {
        if attributes?.isStale(for: place.device, in: turn.mirror) == true {
            releaseSubscriptions(&turn)
            attributes = nil
            turn.put(.deliver(.servicesChanged))
        }
        updateMaximumLength(&turn)
        completeDiscovery(&turn)
    }

    /// Completes the waiting discoveries, if the services are known.
    private mutating func completeDiscovery(_ turn: inout Turn) {
        guard !waiters.isEmpty else { return }
        switch resolution {
        case .unknown, .settling(isTimed: true): return
        case .settling(isTimed: false): return settle(LinkLimits.quietTime, &turn)
        case .known: break
        }
        let new = LinkAttributes(of: place.device, in: turn.mirror, after: lastNumber)
        guard !new.paths.isEmpty else { return }
        // The daemon adds the battery that it keeps to itself just after the services (pitfall 23:
        // gattlib#84, #89; testbed).
        let uuids = turn.mirror.devices[place.device]?.uuids ?? []
        if !hasAwaitedBattery, new.lacksBattery, uuids.contains(StandardServices.battery) {
            hasAwaitedBattery = true
            return settle(LinkLimits.batteryTime, &turn)
        }
        (attributes, lastNumber) = (new, new.lastNumber)
        updateMaximumLength(&turn)
        turn.put(.stop(.resolution))
        turn.put(.completeServices(waiters, .success(new.services)))
        waiters = []
    }

    private mutating func batteryChanged(_ level: Int, _ turn: inout Turn) {
        if let attribute = attributes?.battery {
            guard subscriptions[attribute] == .battery else { return }
            return turn.put(.deliverValues([[UInt8(clamping: level)]], attribute))
        }
        // A device with a visible battery service needs no replacement.
        if attributes?.lacksBattery == false { return }
        if hasAwaitedBattery, resolution == .settling(isTimed: true) {
            turn.put(.stop(.quiet))
            resolution = .known
        }
        refreshServices(&turn)
    }

    /// Handles the timeout of discovery: the daemon may have the services without an announcement.
    private mutating func resolutionFailed(_ turn: inout Turn) {
        let isResolved = turn.mirror.devices[place.device]?.isResolved == true
        if isResolved {
            resolution = .known
            completeDiscovery(&turn)
        }
        guard !waiters.isEmpty else { return }
        let words = isResolved ? "yes, but there are none" : "no"
        let details = "services resolved: \(words), link: up"
        turn.put(
            .completeServices(waiters, .failure(BLEError(.timedOut, .discover, details: details))))
        waiters = []
    }

    /// Updates the length of packets: the daemon has it with each characteristic from 5.62 on, and
    /// not before (pitfall 17: bleak, SimpleBLE#481, bluez#576).
    mutating func updateMaximumLength(_ turn: inout Turn) {
        let known = (attributes?.characteristics ?? []).compactMap {
            turn.mirror.characteristics[$0]?.mtu
        }
        guard let packet = known.min() else { return }
        let maximum = min(
            max(packet - Self.packetHeader, Self.shortestMaximum), Self.longestMaximum)
        guard maximum != maximumLength else { return }
        maximumLength = maximum
        turn.put(.deliver(.maximumLengthChanged))
    }

    // MARK: Values received during a read

    /// Holds a value until the reply to the present read, or delivers it. Beyond the limit, the
    /// oldest held value is delivered.
    mutating func holdOrDeliver(_ value: [UInt8], of attribute: AttributeID, _ turn: inout Turn) {
        guard running?.operation.work == .read, running?.operation.attribute == attribute else {
            return turn.put(.deliverValues([value], attribute))
        }
        running?.held.append(value)
        guard let count = running?.held.count, count > LinkLimits.maximumHeld,
            let oldest = running?.held.removeFirst()
        else { return }
        turn.put(.deliverValues([oldest], attribute))
    }

    /// Delivers the values that were held during a read.
    mutating func deliverHeldValues(answer: [UInt8]?, _ turn: inout Turn) {
        guard let running, running.operation.work == .read,
            let attribute = running.operation.attribute
        else { return }
        if case .characteristic(let path)? = attributes?[attribute] {
            turn.put(.holdValues(path, false))
        }
        var values = running.held
        if let answer, let last = values.lastIndex(of: answer) { values.remove(at: last) }
        if !values.isEmpty { turn.put(.deliverValues(values, attribute)) }
    }

    // MARK: The end

    /// Handles an input after the link's end, or shortly before: a reply completes its operation,
    /// and nothing is started.
    mutating func handleAfterEnd(_ input: LinkInput, _ turn: inout Turn) {
        switch input {
        case .resolved(true):
            if case .unknown = resolution { resolution = .unknown(wasKnown: true) }
        case .answered(let step, let answer) where running?.isAsked(step) == true:
            finishRunning(answer, &turn)
        case .value(let value, let attribute): holdOrDeliver(value, of: attribute, &turn)
        default: break
        }
    }

    /// Delivers the end, together with the state of the services (pitfall 3: bleak#1489,
    /// bluez#712): a link that breaks before discovery is a separate problem. All pending
    /// operations fail, and the daemon's subscriptions are ended.
    mutating func end(_ reason: DisconnectReason, _ turn: inout Turn) {
        var reason = reason
        if !resolution.wasKnown, reason.kind != .local {
            let text = "services resolved: no, link: down"
            reason = DisconnectReason(
                reason.kind, details: reason.details.map { "\($0); \(text)" } ?? text)
        }
        deliverHeldValues(answer: nil, &turn)
        turn.put(.deliver(.disconnected(reason)))
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
                .ignored, GattCharacteristic1.stopNotify, of: GattCharacteristic1.interfaceName,
                at: path, timeout: LinkLimits.releaseTimeout)
        }
    }
}
#endif
