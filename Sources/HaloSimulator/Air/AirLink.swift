internal import HaloProtocol
internal import HaloTransport

/// The state of one link.
final class AirLink {
    enum Phase {
        /// The radios have agreed to meet, and have not met yet.
        case establishing
        case open
    }

    let number: LinkNumber
    let central: CentralNumber
    /// The attempt that led to it.
    let tag: UInt64
    var phase = Phase.establishing
    /// The central has asked for its end.
    var isClosing = false

    // The rhythm: the radios meet at `anchor` and at each whole number of intervals after it.
    var anchor: Moment
    var interval: Int64
    var latency: Int64
    var supervisionTimeout: Int64
    /// Which meeting the device took part in last.
    var lastAttended: Int64 = 0
    /// The rhythm that the device has asked for.
    var requested: LinkParameters?

    // The meeting that goes on.
    var isMeeting = false
    var meetingStart = Moment.origin
    var packetsLeft = 0

    var toDevice = FIFO<AirWaiting<AirPacketToDevice>>()
    var toCentral = FIFO<AirWaiting<AirPacketToCentral>>()
    var commandCount = 0

    var mtu = AirLimits.defaultMTU
    var isDiscovered = false
    var subscriptions: Set<AttributeID> = []
    /// An indication is on its way, and no other may be.
    var isIndicating = false
    var indications = FIFO<(AttributeID, [UInt8])>()

    var operations = FIFO<AirOperation>()
    /// The first operation has a request on its way.
    var isAsking = false
    var roundTrips = 0
    var partial: [UInt8] = []
    /// How long a part of a value could be when the device answered.
    var partLimit = 0
    var token: UInt32 = 0
    /// The request that the device has not answered.
    var openRequest: (token: UInt32, isRead: Bool)?

    // What faults do to it.
    var quietUntil = Moment.origin
    var toDeviceHeldUntil = Moment.origin
    var toCentralHeldUntil = Moment.origin
    /// A notification that the next one passes.
    var late: (AttributeID, [UInt8])?

    // Where its events are in the queue.
    let meeting: Int
    let answerDeadline: Int
    let supervision: Int
    let update: Int
    let lateness: Int

    init(
        _ number: LinkNumber, central: CentralNumber, tag: UInt64, anchor: Moment,
        parameters: LinkParameters, events: inout EventQueue
    ) {
        self.number = number
        self.central = central
        self.tag = tag
        self.anchor = anchor
        interval = parameters.interval.wholeMicroseconds
        latency = Int64(parameters.latency)
        supervisionTimeout = parameters.supervisionTimeout.wholeMicroseconds
        meeting = events.makeSource()
        answerDeadline = events.makeSource()
        supervision = events.makeSource()
        update = events.makeSource()
        lateness = events.makeSource()
    }

    /// Gives its events back.
    func release(_ events: inout EventQueue) {
        events.release(meeting)
        events.release(answerDeadline)
        events.release(supervision)
        events.release(update)
        events.release(lateness)
    }

    /// The most bytes that one notification or one write holds.
    var maximumLength: Int { mtu - 3 }

    /// The number of the first meeting after a moment.
    func meetingNumber(after moment: Moment) -> Int64 {
        let elapsed = moment.microseconds(since: anchor)
        return elapsed < 0 ? 0 : elapsed / interval + 1
    }

    /// When a meeting is.
    func moment(ofMeeting number: Int64) -> Moment {
        let (distance, overflow) = number.multipliedReportingOverflow(by: interval)
        return anchor.advanced(byMicroseconds: overflow ? .max : distance)
    }

    /// When the radios have a reason to meet again; nothing if nobody has anything to say.
    func nextMeeting(after now: Moment) -> Moment? {
        var next: Moment?
        if let first = toCentral.first {
            let start = max(max(now, quietUntil), max(first.since, toCentralHeldUntil))
            next = moment(ofMeeting: meetingNumber(after: start))
        }
        if let first = toDevice.first {
            let start = max(max(now, quietUntil), max(first.since, toDeviceHeldUntil))
            let number = meetingNumber(after: start)
            let skipped = (number - lastAttended) % (latency + 1)
            let listening = skipped <= 0 ? number - skipped : number + latency + 1 - skipped
            let moment = moment(ofMeeting: listening)
            next = next.map { min($0, moment) } ?? moment
        }
        return next
    }
}
