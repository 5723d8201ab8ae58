import HaloProtocol
import HaloTransport

/// The newest lines of a recording within its limits.
struct KeptLines {
    let limits: RecordingLimits
    /// The comments of the program.
    private var notes = LinkHistory()
    private var cost = 0
    private var count: UInt64 = 0
    private var droppedCount: UInt64 = 0
    private var newest: UInt64 = 0
    /// The device and the number of each line, the oldest first; some entries may be of dropped
    /// lines.
    private var order = Queue<(identity: PeripheralIdentity?, number: UInt64)>()

    init(_ limits: RecordingLimits) {
        self.limits = limits
    }

    mutating func append(
        _ line: RecordedLine, at offset: UInt64, of identity: PeripheralIdentity?,
        to history: inout LinkHistory
    ) {
        count += 1
        order.append((identity, count))
        cost += line.cost
        newest = offset
        history.append(LinkHistory.Entry(offset: offset, number: count, line: line))
    }

    mutating func note(_ text: CaptureText, at offset: UInt64) {
        var history = notes
        notes = LinkHistory()
        append(.comment(text), at: offset, of: nil, to: &history)
        notes = history
    }

    /// Drops the oldest exchanges until the kept lines are within the limits.
    mutating func trim(_ links: inout RecordedLinks) {
        while let first = oldest(links), isTooMuch(first.entry) {
            let dropped: (count: Int, cost: Int)
            if let identity = first.identity {
                dropped = links.change(identity) { $0.history.dropExchange() } ?? (0, 0)
            } else {
                dropped = notes.dropExchange()
            }
            guard dropped.count > 0 else { return }
            droppedCount += UInt64(dropped.count)
            cost -= dropped.cost
        }
    }

    private func isTooMuch(_ oldest: LinkHistory.Entry) -> Bool {
        if cost > limits.byteCount { return true }
        guard let age = limits.age else { return false }
        return newest - oldest.offset > UInt64(clamping: age.wholeMicroseconds)
    }

    private mutating func oldest(
        _ links: RecordedLinks
    ) -> (identity: PeripheralIdentity?, entry: LinkHistory.Entry)? {
        while let (identity, number) = order.first {
            let history = identity.map { links.links[$0]?.history } ?? notes
            if let entry = history?.first, entry.number <= number { return (identity, entry) }
            _ = order.popFirst()
        }
        return nil
    }

    /// Returns the kept lines as a capture, with the state of each connection at its beginning.
    func capture(
        _ links: RecordedLinks, _ header: RecordingHeader, at now: UInt64
    ) -> Capture {
        let links = links.links.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value)
        var entries = notes.all.map { (entry: $0, link: CaptureName?.none) }
        for link in links {
            entries += link.history.all.map { (entry: $0, link: link.name) }
        }
        entries.sort { $0.entry.number < $1.entry.number }

        let begin = entries.first?.entry.offset ?? now
        var capture = Capture()
        for line in header.lines(at: begin) { _ = capture.admit(line) }
        let shown = links.filter {
            $0.history.first != nil || !$0.history.conditions.events.isEmpty
        }
        for tag in shown.flatMap(\.tags) { _ = capture.admit(.comment(tag)) }
        if droppedCount > 0 {
            let text = "\(droppedCount) lines before were dropped; this is how things stood."
            _ = capture.admit(.comment(CaptureText(text)))
        }
        for link in shown {
            for event in link.history.conditions.events {
                _ = capture.admit(.event(event, link: link.name))
            }
        }
        var offset = begin
        for (entry, link) in entries {
            if entry.offset > offset {
                _ = capture.admit(.elapsed(microseconds: entry.offset - offset))
                offset = entry.offset
            }
            _ = capture.admit(entry.line.line(link))
        }
        return capture
    }
}

/// The kept lines of one connection, with the state of the connection before them.
struct LinkHistory {
    /// A line, with its time and its number among all the recorder's lines.
    struct Entry {
        let offset: UInt64
        let number: UInt64
        let line: RecordedLine
    }

    private(set) var conditions = LinkConditions()
    private var entries = Queue<Entry>()
    /// The number of entries that begin an exchange.
    private var beginningCount = 0

    /// The oldest entry; `nil` if there is none.
    var first: Entry? { entries.first }

    /// All entries, the oldest first, except for refusals of requests that were dropped: they would
    /// refuse something else.
    var all: [Entry] {
        var copy = entries
        var conditions = conditions
        return copy.removeAll().filter { entry in
            guard let channel = entry.line.answered, conditions.answer(channel),
                case .event(.refused) = entry.line
            else { return true }
            return false
        }
    }

    mutating func append(_ entry: Entry) {
        entries.append(entry)
        if entry.line.beginsExchange { beginningCount += 1 }
    }

    /// Drops the oldest exchange: a request of the app with all lines up to the next request.
    /// Without further requests, it drops one value.
    ///
    /// - Returns: The number of dropped lines, and the length of their text.
    mutating func dropExchange() -> (count: Int, cost: Int) {
        var dropped = (count: 0, cost: 0)
        var isFirst = true
        while let entry = entries.first {
            let mustStop = entry.line.beginsExchange || beginningCount == 0
            if !isFirst, mustStop, !entry.line.isResponse { break }
            _ = entries.popFirst()
            isFirst = false
            if entry.line.beginsExchange { beginningCount -= 1 }
            conditions.apply(entry.line)
            dropped.count += 1
            dropped.cost += entry.line.cost
        }
        return dropped
    }

    /// Applies a line that is not kept to the connection's state.
    mutating func pass(_ line: RecordedLine) { conditions.apply(line) }
}

/// A line of a recording without the name of its connection.
enum RecordedLine {
    case event(CaptureEvent)
    /// A packet without the name of a connection.
    case packet(CapturePacket)
    case comment(CaptureText)

    /// Returns the line of a capture.
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

    /// The channel of a read, or of a write with a response; `nil` for other lines.
    var requested: CaptureChannel? {
        switch self {
        case .event(.read(let channel)): channel
        case .packet(let packet) where packet.action == .write: packet.channel
        default: nil
        }
    }

    /// The channel of an answer to a read or a write; `nil` for other lines.
    var answered: CaptureChannel? {
        switch self {
        case .event(.acknowledged(let channel)), .event(.refused(let channel, _)): channel
        case .packet(let packet) where packet.action == .read: packet.channel
        default: nil
        }
    }

    /// `true` if the line begins an exchange.
    var beginsExchange: Bool {
        switch self {
        case .packet(let packet): packet.direction == .toDevice
        case .event(.acknowledged), .event(.refused), .event(.confirmed): false
        case .event, .comment: true
        }
    }

    /// `true` if the line is a response to the line before it.
    var isResponse: Bool {
        switch self {
        case .event(.acknowledged), .event(.refused), .event(.confirmed): true
        case .event, .comment, .packet: false
        }
    }

    /// The approximate length of the line's text, with the time before it, in bytes.
    var cost: Int {
        switch self {
        case .packet(let packet): 32 + 3 * packet.bytes.count
        case .event(.offers): 112
        case .event: 40
        case .comment(let text): 16 + text.text.utf8.count
        }
    }
}

/// The state of a connection, as the events with which a part of a recording must begin.
struct LinkConditions {
    private var isConnected = false
    private var mtu: UInt16?
    private var offers: [CaptureEvent] = []
    private var subscribed: [CaptureChannel] = []
    /// The last line, if it changed a subscription, which may be refused, with the subscriptions
    /// before it.
    private var change: (channel: CaptureChannel, subscribed: [CaptureChannel])?
    /// The number of unanswered reads of, and writes to, each channel.
    private(set) var pendingCounts: [CaptureChannel: Int] = [:]

    /// The maximum number of offers: a device has far fewer characteristics.
    private static let offerLimit = 2_048

    /// Applies a line.
    mutating func apply(_ line: RecordedLine) {
        let last = change
        change = nil
        if let channel = line.requested { pendingCounts[channel, default: 0] += 1 }
        if let channel = line.answered, answer(channel) { return }
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
            change = (channel, subscribed)
            if !subscribed.contains(channel) { subscribed.append(channel) }
        case .unsubscribed(let channel):
            change = (channel, subscribed)
            subscribed.removeAll { $0 == channel }
        case .refused(let channel, _):
            if let last, last.channel == channel { subscribed = last.subscribed }
        case .disconnected: self = LinkConditions()
        case .read, .acknowledged, .confirmed, .encrypted, .advertised: break
        }
    }

    /// Ends an unanswered read or write of a channel. Returns `false` if there is none.
    mutating func answer(_ channel: CaptureChannel) -> Bool {
        guard let count = pendingCounts[channel] else { return false }
        pendingCounts[channel] = count > 1 ? count - 1 : nil
        return true
    }

    /// The events that result in the state.
    var events: [CaptureEvent] {
        guard isConnected else { return [] }
        return [.connected(mtu: mtu)] + offers + subscribed.map { .subscribed($0) }
    }
}
