internal import HaloProtocol
import HaloTransport

/// The newest lines of a recording within its limits.
struct KeptLines {
    let limits: RecordingLimits
    /// The comments of the program.
    private var notes = LinkHistory()
    private var cost = 0
    private var count: UInt64 = 0
    private var droppedCount: UInt64 = 0
    /// The device and the number of each line, the oldest first; some entries may be of dropped
    /// lines.
    private var order = Queue<(identity: PeripheralIdentity?, number: UInt64)>()

    init(_ limits: RecordingLimits) {
        self.limits = limits
    }

    mutating func note(_ text: CaptureText, at offset: UInt64) {
        notes.append(entry(.comment(text), at: offset, of: nil))
    }

    /// Counts a line, which the caller adds to the history of its connection.
    mutating func entry(
        _ line: CaptureLine, at offset: UInt64, of identity: PeripheralIdentity?
    ) -> LinkHistory.Entry {
        count += 1
        order.append((identity, count))
        cost += line.cost
        return LinkHistory.Entry(offset: offset, number: count, line: line)
    }

    /// Drops the oldest exchanges until the kept lines are within the limits.
    mutating func trim(_ links: inout RecordedLinks, at now: UInt64) {
        while let first = oldest(links), isTooMuch(first.entry, at: now) {
            let dropped: (count: Int, cost: Int)? =
                if let identity = first.identity {
                    links.links[identity]?.history.dropExchange()
                } else {
                    notes.dropExchange()
                }
            guard let dropped else { return }
            droppedCount += UInt64(dropped.count)
            cost -= dropped.cost
        }
    }

    private func isTooMuch(_ oldest: LinkHistory.Entry, at now: UInt64) -> Bool {
        if cost > limits.byteCount { return true }
        guard let age = limits.age else { return false }
        return now - oldest.offset > UInt64(clamping: age.wholeMicroseconds)
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
        let entries = (notes.all + links.flatMap(\.history.all)).sorted { $0.number < $1.number }
        let begin = entries.first?.offset ?? now
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
        for entry in entries {
            if entry.offset > offset {
                _ = capture.admit(.elapsed(microseconds: entry.offset - offset))
                offset = entry.offset
            }
            _ = capture.admit(entry.line)
        }
        return capture
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

    mutating func apply(_ line: CaptureLine) {
        let last = change
        change = nil
        if let channel = line.requested { pendingCounts[channel, default: 0] += 1 }
        if let channel = line.answered, answer(channel) { return }
        guard case .event(let event, _) = line else { return }
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

    var events: [CaptureEvent] {
        guard isConnected else { return [] }
        return [.connected(mtu: mtu)] + offers + subscribed.map { .subscribed($0) }
    }
}
