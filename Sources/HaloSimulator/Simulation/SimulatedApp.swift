internal import HaloProtocol
internal import HaloTransport

/// An app's end of one ring: connects, finds what it needs, subscribes, and lets a session speak.
///
/// It holds no rules of its own about what is asked or answered; it carries bytes between a
/// session and an air, and connects again when a link has ended.
struct SimulatedApp<Session: SessionUnderTest> {
    /// How far a link has come.
    enum Phase: Equatable {
        /// The next attempt to connect is made then.
        case apart(until: Moment)
        case connecting
        case discovering(LinkNumber)
        /// So many characteristics are not subscribed to yet.
        case subscribing(LinkNumber, Int)
        case open(LinkNumber)
    }

    /// What an operation of the air was asked for.
    enum Purpose: UInt64 {
        case connect, discover, subscribe, write
    }

    let index: Int
    let device: DeviceNumber
    let central: CentralNumber
    let writeMode: WriteMode
    var phase = Phase.apart(until: .origin)
    var session: Session
    private(set) var links = 0
    /// When the attempt began that led to the link.
    private(set) var linkedAt = Moment.origin
    private var writeTargets: [RingChannel: AttributeID] = [:]
    private var channels: [AttributeID: RingChannel] = [:]

    /// How long it waits before it connects again, the next time that a link ends.
    var pauseBetweenLinks = Self.usualPause

    private static var usualPause: Duration { .seconds(2) }

    init(
        index: Int, device: DeviceNumber, central: CentralNumber, writeMode: WriteMode,
        rules: SessionRules
    ) {
        self.index = index
        self.device = device
        self.central = central
        self.writeMode = writeMode
        session = Session(rules)
    }

    var openLink: LinkNumber? {
        if case .open(let link) = phase { link } else { nil }
    }

    /// When it has something to do by itself.
    var deadline: Moment? {
        if case .apart(let moment) = phase { moment } else { nil }
    }

    /// The tag of an operation: whose it is, of which attempt to connect, and what for.
    func tag(_ purpose: Purpose) -> UInt64 {
        UInt64(links) << 16 | UInt64(index) << 8 | purpose.rawValue
    }

    /// Which app a tag belongs to.
    static func index(of tag: UInt64) -> Int { Int(tag >> 8 & 0xFF) }

    func isCurrent(_ tag: UInt64) -> Bool { Int(tag >> 16) == links }

    func channel(of attribute: AttributeID) -> RingChannel? { channels[attribute] }

    /// Connects, if it is time.
    mutating func connectIfDue(_ air: Air) {
        guard case .apart(let moment) = phase, moment <= air.now else { return }
        links += 1
        linkedAt = air.now
        phase = .connecting
        air.connect(central: central, to: device, tag: tag(.connect))
    }

    /// The link has come about.
    mutating func connected(_ link: LinkNumber, _ air: Air) {
        phase = .discovering(link)
        air.discover(link, tag: tag(.discover))
    }

    /// What the device consists of is known.
    mutating func discovered(_ services: [GATTService], _ air: Air) {
        guard case .discovering(let link) = phase else { return }
        writeTargets.removeAll()
        channels.removeAll()
        var notifying: [AttributeID] = []
        for characteristic in services.flatMap(\.characteristics) {
            switch characteristic.uuid {
            case RingServices.uartWrite: writeTargets[.uart] = characteristic.id
            case RingServices.bigDataWrite: writeTargets[.bigData] = characteristic.id
            case RingServices.uartNotify:
                channels[characteristic.id] = .uart
                notifying.append(characteristic.id)
            case RingServices.bigDataNotify:
                channels[characteristic.id] = .bigData
                notifying.append(characteristic.id)
            default: break
            }
        }
        guard writeTargets.count == 2, notifying.count == 2 else { return giveUp(link, air) }
        phase = .subscribing(link, notifying.count)
        for attribute in notifying {
            air.setNotify(true, for: attribute, on: link, tag: tag(.subscribe))
        }
    }

    /// A subscription was carried out; says whether the link can be used now.
    mutating func subscribed(rules: SessionRules) -> Bool {
        guard case .subscribing(let link, let rest) = phase else { return false }
        guard rest == 1 else {
            phase = .subscribing(link, rest - 1)
            return false
        }
        phase = .open(link)
        session = Session(rules)
        return true
    }

    /// An operation has failed: without a usable link there is a new attempt.
    mutating func failed(_ purpose: Purpose?, _ air: Air) {
        switch (purpose, phase) {
        case (.connect, _): phase = .apart(until: air.now + Self.usualPause)
        case (.discover, .discovering(let link)), (.subscribe, .subscribing(let link, _)):
            giveUp(link, air)
        default: break
        }
    }

    /// The link has ended; says whether it could be used before.
    mutating func disconnected(_ link: LinkNumber, at now: Moment) -> Bool {
        let wasOpen = openLink == link
        switch phase {
        case .discovering(link), .subscribing(link, _), .open(link):
            phase = .apart(until: now + pauseBetweenLinks)
            pauseBetweenLinks = Self.usualPause
        case .apart, .connecting, .discovering, .subscribing, .open: break
        }
        return wasOpen
    }

    /// Writes bytes of a session.
    func write(_ bytes: [UInt8], on channel: RingChannel, _ air: Air) {
        guard let link = openLink, let target = writeTargets[channel] else { return }
        switch channel {
        case .uart: air.write(bytes, to: target, writeMode, on: link, tag: tag(.write))
        case .bigData:
            let length = max(air.maximumWriteLength(.withoutResponse, on: link), 1)
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = Array(rest.prefix(length))
                air.write(piece, to: target, .withoutResponse, on: link, tag: tag(.write))
                rest = rest.dropFirst(length)
            }
        }
    }

    private mutating func giveUp(_ link: LinkNumber, _ air: Air) {
        air.disconnect(link)
    }
}
