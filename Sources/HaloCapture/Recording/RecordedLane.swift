import HaloProtocol
import HaloTransport

/// What is kept of one connection, and how things stood where that begins.
struct RecordedLane {
    /// A line, when it happened, and which of all the recorder's lines it is.
    struct Entry {
        let offset: UInt64
        let number: UInt64
        let line: RecordedLine
    }

    private(set) var conditions = LinkConditions()
    private var entries = FIFO<Entry>()
    /// How many entries begin an exchange.
    private var beginningCount = 0

    /// The oldest entry.
    var first: Entry? { entries.first }

    /// All entries, the oldest first.
    var all: [Entry] {
        var copy = entries
        return copy.removeAll()
    }

    mutating func append(_ entry: Entry) {
        entries.append(entry)
        if entry.line.beginsExchange { beginningCount += 1 }
    }

    /// Forgets the oldest exchange: what the app has asked for and all that came of it, up to
    /// what it asked for next. Where nothing follows that it has asked for, it is one value.
    ///
    /// - Returns: How many lines that was, and how long they were.
    mutating func dropExchange() -> (count: Int, cost: Int) {
        var dropped = (count: 0, cost: 0)
        var isFirst = true
        while let entry = entries.first {
            let mustStop = entry.line.beginsExchange || beginningCount == 0
            if !isFirst, mustStop, !entry.line.isRemark { break }
            _ = entries.popFirst()
            isFirst = false
            if entry.line.beginsExchange { beginningCount -= 1 }
            conditions.apply(entry.line)
            dropped.count += 1
            dropped.cost += entry.line.cost
        }
        return dropped
    }

    /// Takes in a line that is not kept.
    mutating func pass(_ line: RecordedLine) { conditions.apply(line) }
}

/// A line of a recording, without the connection that it belongs to.
enum RecordedLine {
    case event(CaptureEvent)
    /// A packet without the name of a connection.
    case packet(CapturePacket)
    case comment(CaptureText)

    /// The line of a capture.
    func line(_ link: CaptureName?) -> CaptureLine {
        switch self {
        case .event(let event): .event(event, link: link)
        case .packet(let packet):
            .packet(
                CapturePacket(
                    unchecked: packet.direction, packet.action, link: link, packet.channel,
                    packet.bytes))
        case .comment(let text): .comment(text)
        }
    }

    /// Whether something begins with it, and does not only go on.
    var beginsExchange: Bool {
        switch self {
        case .packet(let packet): packet.direction == .toDevice
        case .event(.acknowledged), .event(.refused), .event(.confirmed): false
        case .event, .comment: true
        }
    }

    /// Whether it says something of what stands before it.
    var isRemark: Bool {
        switch self {
        case .event(.acknowledged), .event(.refused), .event(.confirmed): true
        case .event, .comment, .packet: false
        }
    }

    /// How long its text is, with the time before it, more or less.
    var cost: Int {
        switch self {
        case .packet(let packet): 32 + 3 * packet.bytes.count
        case .event(.offers): 112
        case .event: 40
        case .comment(let text): 16 + text.text.utf8.count
        }
    }
}

/// How things stand on a connection: what has to be said before a part of a recording for the
/// part to be understood.
struct LinkConditions {
    private var isConnected = false
    private var mtu: UInt16?
    private var offers: [CaptureEvent] = []
    private var subscribed: [CaptureChannel] = []

    /// A device has far fewer characteristics.
    private static let offerLimit = 2_048

    /// Takes in what happened.
    mutating func apply(_ line: RecordedLine) {
        guard case .event(let event) = line else { return }
        switch event {
        case .connected(let mtu):
            self = LinkConditions()
            isConnected = true
            self.mtu = mtu
        case .mtu(let mtu): self.mtu = mtu
        case .offers:
            if offers.count < Self.offerLimit { offers.append(event) }
        case .servicesChanged: offers = []
        case .subscribed(let channel):
            if !subscribed.contains(channel) { subscribed.append(channel) }
        case .unsubscribed(let channel): subscribed.removeAll { $0 == channel }
        case .disconnected: self = LinkConditions()
        case .read, .acknowledged, .refused, .confirmed, .encrypted, .advertised: break
        }
    }

    /// The events that lead there.
    var events: [CaptureEvent] {
        guard isConnected else { return [] }
        return [.connected(mtu: mtu)] + offers + subscribed.map { .subscribed($0) }
    }
}
