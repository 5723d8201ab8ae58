import HaloProtocol
import HaloTransport

@testable import HaloSimulator

/// The app's end of one ring: connects, discovers, subscribes, and runs a session.
///
/// It passes bytes between a session and an air, and reconnects after a disconnection. It checks no
/// rules about requests.
struct SimulatedApp<Session: SessionUnderTest> {
    /// The phases of a link.
    enum Phase: Equatable {
        /// No link; the next connection attempt is made at `until`.
        case disconnected(until: Moment)
        case connecting
        case discovering(AirLinkNumber)
        /// The link, and the number of characteristics that are not subscribed yet.
        case subscribing(AirLinkNumber, Int)
        case open(AirLinkNumber)
    }

    /// The purposes of the air's operations.
    enum Purpose: UInt64 {
        case connect, discover, subscribe, write
    }

    let index: Int
    let device: DeviceNumber
    let central: CentralNumber
    let writeMode: WriteMode
    var phase = Phase.disconnected(until: .origin)
    var session: Session
    private(set) var links = 0
    /// The moment at which the connection attempt for this link began.
    private(set) var linkedAt = Moment.origin
    private var writeTargets: [RingChannel: AttributeID] = [:]
    private var channels: [AttributeID: RingChannel] = [:]

    /// The delay before the next connection attempt.
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

    var openLink: AirLinkNumber? {
        if case .open(let link) = phase { link } else { nil }
    }

    /// The moment of the app's next action, or `nil` if there is none.
    var deadline: Moment? {
        if case .disconnected(let moment) = phase { moment } else { nil }
    }

    /// The tag of an operation: the app's index, the number of the connection attempt, and the
    /// purpose.
    func tag(_ purpose: Purpose) -> UInt64 {
        UInt64(links) << 16 | UInt64(index) << 8 | purpose.rawValue
    }

    /// The index of the app that a tag belongs to.
    static func index(of tag: UInt64) -> Int { Int(tag >> 8 & 0xFF) }

    func isCurrent(_ tag: UInt64) -> Bool { Int(tag >> 16) == links }

    func channel(of attribute: AttributeID) -> RingChannel? { channels[attribute] }

    /// Starts a connection attempt, if it is due.
    mutating func connectIfDue(_ air: Air) {
        guard case .disconnected(let moment) = phase, moment <= air.now else { return }
        links += 1
        linkedAt = air.now
        phase = .connecting
        air.connect(central: central, to: device, tag: tag(.connect))
    }

    /// Discovers services on a new link.
    mutating func connected(_ link: AirLinkNumber, _ air: Air) {
        phase = .discovering(link)
        air.discover(link, tag: tag(.discover))
    }

    /// Subscribes after discovery.
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
        // Some firmware has no second service.
        guard writeTargets[.uart] != nil, notifying.count == writeTargets.count else {
            return air.disconnect(link)
        }
        phase = .subscribing(link, notifying.count)
        for attribute in notifying {
            air.setNotify(true, for: attribute, on: link, tag: tag(.subscribe))
        }
    }

    /// Notes a subscription. Returns `true` once the link can be used.
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

    /// Disconnects after a failed operation that the link needs.
    mutating func failed(_ purpose: Purpose?, _ air: Air) {
        switch (purpose, phase) {
        case (.connect, _): phase = .disconnected(until: air.now + Self.usualPause)
        case (.discover, .discovering(let link)), (.subscribe, .subscribing(let link, _)):
            air.disconnect(link)
        default: break
        }
    }

    /// Notes the end of a link. Returns `true` if the link was usable before.
    mutating func disconnected(_ link: AirLinkNumber, at now: Moment) -> Bool {
        let wasOpen = openLink == link
        switch phase {
        case .discovering(link), .subscribing(link, _), .open(link):
            phase = .disconnected(until: now + pauseBetweenLinks)
            pauseBetweenLinks = Self.usualPause
        case .disconnected, .connecting, .discovering, .subscribing, .open: break
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
}
