import HaloCapture
import HaloProtocol
import HaloTransport

/// Notes what there is, without keeping what was said.
struct SurveySink: ConversationSink, Sendable {
    private(set) var connections = ContiguousArray<ConnectionSurvey>()
    private(set) var heard = HeardDevices()
    private(set) var findings = FindingTable()
    private var reassemblers: [BigDataReassembler] = []
    /// How many attributes are remembered, discovered or used.
    private var attributeCount = 0

    /// How many attributes are listened to at once for frames in pieces.
    private static let reassemblerLimit = 64
    /// How many channels a log may name.
    private static let channelLimit = 256

    /// In which way a value came.
    private enum Way {
        case written, notified, read
    }

    mutating func take(
        _ event: ConversationEvent, _ value: Span<UInt8>, on connection: Int,
        at place: RecordPlace
    ) {
        switch event {
        case .notified(let handle), .indicated(let handle):
            count(.notified, handle, value, connection, place)
        case .written(let handle, _):
            count(.written, handle, value, connection, place)
        case .readAnswered(let handle):
            count(.read, handle, value, connection, place)
        case .acknowledged, .readBegun, .confirmed:
            touch(connection, place)
        case .value(let direction, let channel, _):
            count(direction, channel, value, connection, place)
        case .odd(let oddity):
            findings.take(oddity, at: place)
        case .advertised(let address, let strength, _):
            if !heard.take(address, strength: strength, value) {
                findings.take(.beyondLimits, at: place)
            }
        default:
            takeOther(event, connection, place)
        }
    }

    private mutating func takeOther(
        _ event: ConversationEvent, _ connection: Int, _ place: RecordPlace
    ) {
        guard touch(connection, place) else { return }
        switch event {
        case .connected(let address, let role):
            connections[connection].facts.address = address
            connections[connection].facts.role = role
        case .encrypted(let isReadable):
            connections[connection].facts.isEncrypted = true
            connections[connection].facts.isReadable = isReadable
        case .mtu(let mtu):
            connections[connection].facts.mtu = mtu
        case .disconnected(let reason):
            connections[connection].facts.hasEnded = true
            connections[connection].facts.endReason = reason
        case .refused(let handle, _):
            if let slot = slot(of: handle, connection, place) {
                connections[connection].handles[slot].refusalCount += 1
            }
        case .service, .characteristic, .descriptor:
            learn(event, connection, place)
        default:
            break
        }
    }

    // MARK: Discovery

    private mutating func learn(
        _ event: ConversationEvent, _ connection: Int, _ place: RecordPlace
    ) {
        guard attributeCount < TrafficSurvey.attributeLimit else {
            return findings.take(.beyondLimits, at: place)
        }
        let before = connections[connection].table.count
        switch event {
        case .service(let uuid, let first, let last, let isPrimary) where first <= last:
            connections[connection].table.addService(
                .init(uuid: uuid, handles: first...last, isPrimary: isPrimary))
        case .characteristic(let uuid, let value, let properties):
            connections[connection].table.addCharacteristic(
                .init(uuid: uuid, properties: properties), value: value)
        case .descriptor(let uuid, let handle):
            connections[connection].table.addType(uuid, handle: handle)
        default:
            break
        }
        attributeCount += connections[connection].table.count - before
    }

    // MARK: Values

    /// Notes that a connection is alive; it begins when it is first heard of.
    @discardableResult @inline(__always)
    private mutating func touch(_ connection: Int, _ place: RecordPlace) -> Bool {
        guard connection < connections.count || begin(connection, place), connection >= 0 else {
            return false
        }
        connections[connection].facts.lastMicroseconds = max(
            connections[connection].facts.lastMicroseconds, place.microseconds)
        connections[connection].facts.lastRecord = place.number
        return true
    }

    private mutating func begin(_ connection: Int, _ place: RecordPlace) -> Bool {
        guard connection >= 0, connection < TrafficSurvey.connectionLimit else {
            findings.take(.beyondLimits, at: place)
            return false
        }
        while connections.count <= connection {
            var survey = ConnectionSurvey(number: connections.count + 1)
            survey.facts.firstRecord = place.number
            survey.facts.firstMicroseconds = place.microseconds
            survey.facts.lastMicroseconds = place.microseconds
            connections.append(survey)
        }
        return true
    }

    @inline(__always)
    private mutating func slot(
        of handle: UInt16, _ connection: Int, _ place: RecordPlace
    ) -> Int? {
        guard touch(connection, place) else { return nil }
        if let slot = connections[connection].slot(of: handle) { return slot }
        guard attributeCount < TrafficSurvey.attributeLimit else {
            findings.take(.beyondLimits, at: place)
            return nil
        }
        attributeCount += 1
        return connections[connection].addSlot(handle)
    }

    @inline(__always)
    private mutating func count(
        _ way: Way, _ handle: UInt16, _ value: Span<UInt8>, _ connection: Int,
        _ place: RecordPlace
    ) {
        guard let slot = slot(of: handle, connection, place) else { return }
        Self.count(way, value, &connections[connection].handles[slot], &reassemblers)
    }

    private mutating func count(
        _ direction: Direction, _ channel: CaptureChannel, _ value: Span<UInt8>,
        _ connection: Int, _ place: RecordPlace
    ) {
        guard touch(connection, place) else { return }
        guard
            connections[connection].channels[channel] != nil
                || connections[connection].channels.count < Self.channelLimit
        else { return findings.take(.beyondLimits, at: place) }
        Self.count(
            direction == .toDevice ? .written : .notified, value,
            &connections[connection].channels[channel, default: HandleTraffic(handle: 0)],
            &reassemblers)
    }

    @inline(__always)
    private static func count(
        _ way: Way, _ value: Span<UInt8>, _ traffic: inout HandleTraffic,
        _ reassemblers: inout [BigDataReassembler]
    ) {
        switch way {
        case .notified:
            traffic.notified.take(value.count)
            if traffic.fromDevice.isCurious { look(value, &traffic, &reassemblers) }
        case .written:
            traffic.written.take(value.count)
            if HandleTraffic.isConfiguration(value) { traffic.configurationCount += 1 }
            if traffic.toDevice.isCurious { traffic.toDevice.take(value, .toDevice) }
        case .read:
            traffic.read.take(value.count)
        }
    }

    /// Looks what a notification is like; frames may be cut into several.
    private static func look(
        _ value: Span<UInt8>, _ traffic: inout HandleTraffic,
        _ reassemblers: inout [BigDataReassembler]
    ) {
        traffic.fromDevice.take(value, .fromDevice)
        if traffic.reassembler == nil, value.count > 0, value[0] == BigDataFrame.marker,
            reassemblers.count < reassemblerLimit
        {
            traffic.reassembler = reassemblers.count
            reassemblers.append(BigDataReassembler())
        }
        guard let reassembler = traffic.reassembler else { return }
        reassemblers[reassembler].receive(value)
        while let event = reassemblers[reassembler].nextEvent() {
            if case .frame = event { traffic.fromDevice.hasBigData = true }
        }
        if !traffic.fromDevice.isCurious { reassemblers[reassembler] = BigDataReassembler() }
    }
}

/// Counts what looks wrong, and remembers where it was seen first.
struct FindingTable: Sendable {
    private var findings: [TrafficFinding] = []

    mutating func take(_ oddity: TrafficOddity, at place: RecordPlace) {
        if let index = findings.firstIndex(where: { $0.oddity == oddity }) {
            findings[index].count += 1
        } else {
            findings.append(
                TrafficFinding(
                    oddity: oddity, count: 1, firstRecord: place.number,
                    firstOffset: place.offset))
        }
    }

    /// All of them, the most frequent first.
    var all: [TrafficFinding] {
        findings.sorted { ($1.count, $0.firstRecord) < ($0.count, $1.firstRecord) }
    }
}
