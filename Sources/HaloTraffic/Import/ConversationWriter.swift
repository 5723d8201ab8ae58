import HaloCapture
import HaloProtocol
import HaloTransport

/// Writes down what apps and devices said to each other, as lines of a capture.
struct ConversationWriter: ConversationSink, Sendable {
    private(set) var writer = CaptureWriter()
    private let report: TrafficReport
    private var plan: ConversationPlan
    private let keepsAdvertisements: Bool
    private var talks: ContiguousArray<Talk> = []
    private var progress: [LinkProgress]
    private var linkOfAddress: [DeviceAddress: Int] = [:]
    /// When the last line was written: the file's time, and the record.
    private var last: (microseconds: Int64, number: Int)?

    /// What is open on a connection.
    private struct Talk: Sendable {
        var link: Int?
        var channels: HandleChannels?
        /// Whether the app's last request was a read.
        var isReading = false
        /// A switch of notifications that the device has not acknowledged.
        var switching: Switching?
    }

    private struct Switching: Sendable {
        var entry: HandleChannels.Entry
        var how: WrittenHow
        var value: [UInt8]
        var place: RecordPlace
    }

    /// How far the telling of a link is.
    private struct LinkProgress: Sendable {
        var hasOffered = false
        var advertisementCount = 0
    }

    init(_ report: TrafficReport, _ options: ImportOptions) throws(TrafficError) {
        self.report = report
        plan = try ConversationPlan(report, options.device)
        keepsAdvertisements = options.keepsAdvertisements
        progress = Array(repeating: LinkProgress(), count: plan.links.count)
        for index in report.connections.indices {
            talks.append(Talk(link: plan.link(of: index), channels: plan.channels[index]))
        }
        for (index, link) in plan.links.enumerated() {
            guard let address = link.address else { continue }
            linkOfAddress[address] = linkOfAddress[address] ?? index
        }
    }

    /// Hands over what was written since the last time.
    mutating func takeBytes() -> [UInt8] { writer.takeBytes() }

    /// Hands over what was written since the last time, and keeps the memory.
    mutating func takeBytes<Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        try writer.takeBytes(body)
    }

    /// Writes what is still open; the recording is over.
    mutating func finish() {
        if last == nil { begin(at: report.firstMicroseconds ?? 0, number: 0) }
        for connection in talks.indices { writeSwitching(connection) }
    }

    mutating func take(
        _ event: ConversationEvent, _ value: Span<UInt8>, on connection: Int,
        at place: RecordPlace
    ) {
        guard connection >= 0, connection < talks.count, let link = talks[connection].link else {
            if case .advertised(let address, let strength, let isScanResponse) = event {
                takeAdvertisement(address, strength, isScanResponse, value, place)
            }
            return
        }
        switch event {
        case .notified(let handle), .indicated(let handle):
            guard let entry = talks[connection].channels?.entry(of: handle) else { return }
            if talks[connection].switching != nil {
                settle(connection, notified: entry.fromDevice, place)
            }
            if entry.saysServicesChanged {
                put(.servicesChanged, link, place)
                return putOffers(link, place)
            }
            var action = CaptureAction.notified
            if case .indicated = event { action = .indicated }
            put(action, entry.fromDevice, value, link, place)
        case .written(let handle, let how):
            takeWrite(handle, how, value, connection, place)
        case .readAnswered(let handle):
            guard let entry = talks[connection].channels?.entry(of: handle) else { return }
            put(.read, entry.fromDevice, value, link, place)
        case .value(let direction, let channel, let action):
            guard let action else { return put(direction, channel, value, link, place) }
            put(action, channel, value, link, place)
        case .odd, .advertised, .service, .characteristic, .descriptor:
            break
        default:
            takeEvent(event, connection, link, place)
        }
    }
}

extension ConversationWriter {
    private mutating func takeEvent(
        _ event: ConversationEvent, _ connection: Int, _ link: Int, _ place: RecordPlace
    ) {
        switch event {
        case .connected:
            put(.connected(mtu: nil), link, place)
            if !progress[link].hasOffered {
                progress[link].hasOffered = true
                putOffers(link, place)
            }
        case .mtu(let mtu):
            let range = CaptureEvent.mtuRange
            put(.mtu(min(max(mtu, range.lowerBound), range.upperBound)), link, place)
        case .encrypted:
            put(.encrypted, link, place)
        case .disconnected(let reason):
            writeSwitching(connection)
            put(.disconnected(reason: reason), link, place)
        default:
            takeAnswer(event, connection, link, place)
        }
    }

    private mutating func takeAnswer(
        _ event: ConversationEvent, _ connection: Int, _ link: Int, _ place: RecordPlace
    ) {
        switch event {
        case .readBegun(let handle):
            guard let entry = talks[connection].channels?.entry(of: handle) else { return }
            talks[connection].isReading = true
            put(.read(entry.fromDevice), link, place)
        case .acknowledged(let handle):
            guard let entry = talks[connection].channels?.entry(of: handle) else { return }
            if let switching = talks[connection].switching, switching.entry == entry {
                settle(connection, notified: nil, place)
            } else if entry.switches == nil {
                put(.acknowledged(entry.toDevice), link, place)
            }
        case .refused(let handle, let error):
            guard let entry = talks[connection].channels?.entry(of: handle) else { return }
            writeSwitching(connection)
            let channel = talks[connection].isReading ? entry.fromDevice : entry.toDevice
            put(.refused(channel, code: error.code), link, place)
        case .confirmed(let handle):
            guard let entry = talks[connection].channels?.entry(of: handle),
                !entry.saysServicesChanged
            else { return }
            put(.confirmed(entry.fromDevice), link, place)
        default:
            break
        }
    }

    // MARK: Writes, and switches of notifications

    private mutating func takeWrite(
        _ handle: UInt16, _ how: WrittenHow, _ value: Span<UInt8>, _ connection: Int,
        _ place: RecordPlace
    ) {
        guard let link = talks[connection].link,
            let entry = talks[connection].channels?.entry(of: handle)
        else { return }
        talks[connection].isReading = false
        writeSwitching(connection)
        guard entry.switches != nil, HandleTraffic.isConfiguration(value) else {
            return put(how.action, entry.toDevice, value, link, place)
        }
        talks[connection].switching = Switching(
            entry: entry, how: how, value: value.withUnsafeBufferPointer { Array($0) },
            place: place)
        if how == .command || how == .signed { settle(connection, notified: nil, place) }
    }

    /// Notifications were switched, as is known from the device's answer, or from one that came.
    private mutating func settle(
        _ connection: Int, notified channel: CaptureChannel?, _ place: RecordPlace
    ) {
        guard let switching = talks[connection].switching, let link = talks[connection].link,
            let switched = switching.entry.switches
        else { return }
        let isOn = switching.value.first != 0
        if let channel, channel != switched || !isOn { return }
        talks[connection].switching = nil
        put(isOn ? .subscribed(switched) : .unsubscribed(switched), link, place)
    }

    /// Writes a switch down as the write that it was: it was refused, or nobody answered.
    private mutating func writeSwitching(_ connection: Int) {
        guard let switching = talks[connection].switching, let link = talks[connection].link else {
            return
        }
        talks[connection].switching = nil
        switching.value.withUnsafeBufferPointer {
            put(
                switching.how.action, switching.entry.toDevice, $0.span, link, switching.place)
        }
    }

    // MARK: Lines

    private mutating func takeAdvertisement(
        _ address: DeviceAddress, _ strength: Int8?, _ isScanResponse: Bool,
        _ value: Span<UInt8>, _ place: RecordPlace
    ) {
        guard keepsAdvertisements,
            let link = linkOfAddress[address],
            !progress[link].hasOffered,
            progress[link].advertisementCount < ImportOptions.advertisementLimit
        else { return }
        progress[link].advertisementCount += 1
        put(.advertised(rssi: strength), link, place)
        put(.fromDevice, isScanResponse ? .scanResponse : .advertisement, value, link, place)
    }

    // A value is no longer than a packet may be: the followers and ATT see to that.
    @inline(__always)
    private mutating func put(
        _ action: CaptureAction, _ channel: CaptureChannel, _ value: Span<UInt8>, _ link: Int,
        _ place: RecordPlace
    ) {
        advance(to: place)
        try? writer.writePacket(action, link: plan.links[link].name, channel, value)
    }

    /// Writes a value of which nobody noted what was done.
    private mutating func put(
        _ direction: Direction, _ channel: CaptureChannel, _ value: Span<UInt8>, _ link: Int,
        _ place: RecordPlace
    ) {
        advance(to: place)
        try? writer.writePacket(direction, link: plan.links[link].name, channel, value)
    }

    private mutating func put(_ event: CaptureEvent, _ link: Int, _ place: RecordPlace) {
        advance(to: place)
        writer.put(.event(event, link: plan.links[link].name))
    }

    /// What the device has, as far as the whole file tells: which part of it is new, nobody says.
    private mutating func putOffers(_ link: Int, _ place: RecordPlace) {
        for offer in plan.links[link].offers { put(offer, link, place) }
    }

    /// Writes how much time has passed.
    ///
    /// Where the clock was set back, nothing has passed, and time goes on from there. A value that
    /// is told late has a record before the last one; that does not turn the time back.
    @inline(__always)
    private mutating func advance(to place: RecordPlace) {
        guard let last else { return begin(at: place.microseconds, number: place.number) }
        let (passed, overflow) = place.microseconds.subtractingReportingOverflow(
            last.microseconds)
        if passed > 0, !overflow {
            // A clock that was set by decades is as good as one that stood still.
            try? writer.writeElapsed(microseconds: UInt64(passed))
        }
        if passed > 0 || place.number >= last.number {
            self.last = (place.microseconds, max(place.number, last.number))
        }
    }

    private mutating func begin(at microseconds: Int64, number: Int) {
        last = (microseconds, number)
        for line in CaptureHead.lines(report, plan, at: microseconds) { writer.put(line) }
    }
}
