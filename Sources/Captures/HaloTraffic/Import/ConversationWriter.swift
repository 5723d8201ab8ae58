import HaloCapture
import HaloProtocol
import HaloTransport

struct ConversationWriter: ConversationSink {
    var writer = CaptureWriter()
    private let report: TrafficReport
    private var plan: ConversationPlan
    private let keepsAdvertisements: Bool
    private var connections: ContiguousArray<Connection> = []
    private var progress: [(hasOffered: Bool, advertisementCount: Int)]
    private var linkOfAddress: [DeviceAddress: Int] = [:]
    /// The time and the number of the record of the last line.
    private var last: (microseconds: Int64, number: Int)?

    /// The longest step back, in microseconds, that is none of a clock that was set.
    private static let smallStep: Int64 = 100_000

    private struct Connection: Sendable {
        var link: Int?
        var channels: HandleChannels?
        /// The requests without a response, by handle: the channel of a refusal, and whether the
        /// request changes a subscription.
        var requests: [UInt16: (channel: CaptureChannel, isChange: Bool)] = [:]
    }

    init(_ report: TrafficReport, _ options: ImportOptions) throws(TrafficError) {
        self.report = report
        plan = try ConversationPlan(report, options.device)
        keepsAdvertisements = options.keepsAdvertisements
        progress = Array(repeating: (false, 0), count: plan.links.count)
        for index in report.connections.indices {
            let planned = plan.connections[index]
            connections.append(Connection(link: planned?.link, channels: planned?.channels))
        }
        for (index, link) in plan.links.enumerated() {
            guard let address = link.address else { continue }
            linkOfAddress[address] = linkOfAddress[address] ?? index
        }
    }

    mutating func finish() {
        if last == nil { writeHead(at: report.firstMicroseconds ?? 0, number: 0) }
    }

    mutating func receive(
        _ event: ConversationEvent, _ value: Span<UInt8>, on connection: Int,
        at position: FilePosition
    ) {
        guard connection >= 0, connection < connections.count,
            let link = connections[connection].link
        else {
            guard case .advertised(let address?, let strength, let isScanResponse) = event,
                keepsAdvertisements, let link = linkOfAddress[address],
                !progress[link].hasOffered,
                progress[link].advertisementCount < ImportOptions.advertisementLimit
            else { return }
            progress[link].advertisementCount += 1
            put(.advertised(rssi: strength), link, position)
            let channel: CaptureChannel = isScanResponse ? .scanResponse : .advertisement
            return put(.fromDevice, nil, channel, value, link, position)
        }
        switch event {
        case .odd, .role, .advertised, .service, .characteristic, .descriptor:
            break
        case .value(let direction, let channel, let action):
            put(direction, action, channel, value, link, position)
        case .connected:
            put(.connected(mtu: nil), link, position)
            if !progress[link].hasOffered {
                progress[link].hasOffered = true
                putOffers(link, position)
            }
        case .mtu(let mtu):
            let range = CaptureEvent.mtuRange
            put(.mtu(min(max(mtu, range.lowerBound), range.upperBound)), link, position)
        case .encrypted:
            put(.encrypted, link, position)
        case .disconnected(let reason):
            put(.disconnected(reason: reason), link, position)
        case .transferred(let handle, _), .acknowledged(let handle), .refused(let handle, _),
            .readBegun(let handle), .confirmed(let handle):
            guard let entry = connections[connection].channels?.entry(of: handle) else { return }
            receive(event, of: entry, value, connection, link, position)
        }
    }

    @inline(__always)
    private mutating func receive(
        _ event: ConversationEvent, of entry: HandleChannels.Entry, _ value: Span<UInt8>,
        _ connection: Int, _ link: Int, _ position: FilePosition
    ) {
        switch event {
        case .transferred(_, let action):
            switch action {
            case .notified, .indicated:
                if entry.announcesServices {
                    put(.servicesChanged, link, position)
                    return putOffers(link, position)
                }
                put(.fromDevice, action, entry.fromDevice, value, link, position)
            case .write, .command, .signed:
                let switched = HandleTraffic.isConfiguration(value) ? entry.switches : nil
                if case .write = action {
                    connections[connection].requests[entry.handle] =
                        (switched ?? entry.toDevice, switched != nil)
                }
                guard let switched else {
                    return put(.toDevice, action, entry.toDevice, value, link, position)
                }
                put(value[0] != 0 ? .subscribed(switched) : .unsubscribed(switched), link, position)
            case .read:
                connections[connection].requests[entry.handle] = nil
                put(.fromDevice, .read, entry.fromDevice, value, link, position)
            }
        case .readBegun:
            connections[connection].requests[entry.handle] = (entry.fromDevice, false)
            put(.read(entry.fromDevice), link, position)
        case .acknowledged:
            let request = connections[connection].requests.removeValue(forKey: entry.handle)
            if request?.isChange != true { put(.acknowledged(entry.toDevice), link, position) }
        case .refused(_, let error):
            let request = connections[connection].requests.removeValue(forKey: entry.handle)
            let channel = request?.channel ?? entry.toDevice
            put(.refused(channel, code: error.code), link, position)
        case .confirmed:
            if !entry.announcesServices { put(.confirmed(entry.fromDevice), link, position) }
        default:
            break
        }
    }

    // ``ConversationOutput`` ensures that a value is no longer than a packet may be.
    @inline(__always)
    private mutating func put(
        _ direction: Direction, _ action: CaptureAction?, _ channel: CaptureChannel,
        _ value: Span<UInt8>, _ link: Int, _ position: FilePosition
    ) {
        advance(to: position)
        try? writer.writePacket(
            direction, action: action, link: plan.links[link].name, channel, value)
    }

    private mutating func put(_ event: CaptureEvent, _ link: Int, _ position: FilePosition) {
        advance(to: position)
        writer.put(.event(event, link: plan.links[link].name))
    }

    /// Writes the offers of the device from the whole file, since a change of services does not
    /// list the new ones.
    private mutating func putOffers(_ link: Int, _ position: FilePosition) {
        for offer in plan.links[link].offers { put(offer, link, position) }
    }

    /// Writes the time since the last line.
    ///
    /// After a clock was set back, no time has passed, and later times count from there. A small
    /// step back is one between two clocks of a recorder: later times count from before it. A value
    /// that is emitted late belongs to a record before the last one, and does not set the time
    /// back.
    @inline(__always)
    private mutating func advance(to position: FilePosition) {
        guard let last else { return writeHead(at: position.microseconds, number: position.number) }
        let (passed, overflow) = position.microseconds.subtractingReportingOverflow(
            last.microseconds)
        if passed > 0, !overflow {
            // A clock that was set by decades counts as no time passed.
            try? writer.write(.elapsed(microseconds: UInt64(passed)))
        }
        let isSet = passed < -Self.smallStep || overflow
        if passed > 0 || position.number >= last.number && (isSet || passed == 0) {
            self.last = (position.microseconds, max(position.number, last.number))
        }
    }

    /// Writes the comments at the beginning: the source of the capture, and its uncertainties.
    private mutating func writeHead(at microseconds: Int64, number: Int) {
        last = (microseconds, number)
        writer.put(.version)
        putComment("source: imported from \(report.format?.name ?? "traffic")")
        for link in plan.links {
            if let address = link.address {
                putComment("address: \(address)\(address.isRandom ? " (random)" : "")", of: link)
            }
            if let name = link.deviceName {
                let text = name.text.map(CaptureText.harmless) ?? PrintableText.escaped(name.bytes)
                putComment("name: \(text)", of: link)
            }
        }
        if let clock = TrafficReport.clock(microseconds) { putComment("clock: \(clock) +00:00") }
        for link in plan.links {
            for guess in link.guesses { putComment("guessed: \(guess.guess)", of: link) }
        }
    }

    private mutating func putComment(_ text: String, of link: ConversationPlan.Link? = nil) {
        writer.put(.comment(CaptureText(text + CaptureText.ending(link?.name))))
    }
}
