internal import HaloProtocol
internal import HaloTransport

final class AirLink {
    enum Phase {
        /// The connection was accepted; the first connection event is still to come.
        case establishing
        case open
    }

    let number: AirLinkNumber
    let central: CentralNumber
    let tag: UInt64
    @exclusivity(unchecked) var phase = Phase.establishing
    var isClosing = false

    // Connection events happen at `anchor` and at every multiple of the interval after it.
    @exclusivity(unchecked) var anchor: Moment
    @exclusivity(unchecked) var interval: Int64
    @exclusivity(unchecked) var peripheralLatency: Int64
    var supervisionTimeout: Int64
    /// The number of the last connection event that the device attended.
    @exclusivity(unchecked) var lastAttended: Int64 = 0
    var requested: LinkParameters?

    // The current connection event.
    @exclusivity(unchecked) var isInConnectionEvent = false
    @exclusivity(unchecked) var connectionEventStart = Moment.origin
    @exclusivity(unchecked) var packetsLeft = 0

    @exclusivity(unchecked) var toDevice = AirLane<AirPacketToDevice>()
    @exclusivity(unchecked) var toCentral = AirLane<AirPacketToCentral>()
    var commandCount = 0

    @exclusivity(unchecked) var mtu = AirLimits.defaultMTU
    var isDiscovered = false
    @exclusivity(unchecked) var subscriptions: Set<AttributeID> = []
    /// `true` while an indication awaits its confirmation; no other may be sent.
    var isIndicating = false
    var indications = Queue<(AttributeID, [UInt8])>()

    @exclusivity(unchecked) var operations = Queue<AirOperation>()
    var roundTrips = 0
    var partial: [UInt8] = []
    /// The longest part of a long value at the MTU of the last reply.
    var partLimit = 0
    var token: UInt32 = 0
    var openRequest: (token: UInt32, isRead: Bool)?

    // The effects of faults.
    @exclusivity(unchecked) var quietUntil = Moment.origin
    /// The notification that is delivered after the next one.
    @exclusivity(unchecked) var postponed: (AttributeID, [UInt8])?

    // The event sources of the link.
    let connectionEvent: Int
    let answerDeadline: Int
    let supervision: Int
    let update: Int
    let postponement: Int

    init(
        _ number: AirLinkNumber, central: CentralNumber, tag: UInt64, anchor: Moment,
        parameters: LinkParameters, events: inout EventQueue
    ) {
        self.number = number
        self.central = central
        self.tag = tag
        self.anchor = anchor
        interval = parameters.interval.wholeMicroseconds
        peripheralLatency = Int64(parameters.latency)
        supervisionTimeout = parameters.supervisionTimeout.wholeMicroseconds
        let device = number.device.rawValue
        connectionEvent = events.makeSource(.connectionEvent(device))
        answerDeadline = events.makeSource(.answerDeadline(device))
        supervision = events.makeSource(.supervision(device))
        update = events.makeSource(.update(device))
        postponement = events.makeSource(.postponed(device))
    }

    func release(_ events: inout EventQueue) {
        for source in [connectionEvent, answerDeadline, supervision, update, postponement] {
            events.release(source)
        }
    }

    var maximumLength: Int { mtu - 3 }

    func connectionEventNumber(after moment: Moment) -> Int64 {
        let elapsed = moment.microseconds(since: anchor)
        return elapsed < 0 ? 0 : elapsed / interval + 1
    }

    func moment(ofConnectionEvent number: Int64) -> Moment {
        let (distance, overflow) = number.multipliedReportingOverflow(by: interval)
        return anchor.advanced(byMicroseconds: overflow ? .max : distance)
    }

    /// The next connection event that has a packet to carry, or `nil` if none waits.
    func nextConnectionEvent(after now: Moment) -> Moment? {
        var next: Moment?
        if let ready = toCentral.ready {
            let start = max(max(now, quietUntil), ready)
            next = moment(ofConnectionEvent: connectionEventNumber(after: start))
        }
        if let ready = toDevice.ready {
            let number = connectionEventNumber(after: max(max(now, quietUntil), ready))
            let skipped = (number - lastAttended) % (peripheralLatency + 1)
            let listening =
                skipped <= 0 ? number - skipped : number + peripheralLatency + 1 - skipped
            let moment = moment(ofConnectionEvent: listening)
            next = next.map { min($0, moment) } ?? moment
        }
        return next
    }
}
