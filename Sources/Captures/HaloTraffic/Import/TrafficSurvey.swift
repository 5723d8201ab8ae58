import HaloCapture
import HaloProtocol

/// Surveys a file of traffic: the first of two passes over it.
///
/// It reads the bytes in chunks of any size and keeps none of them. Its memory has limits that do
/// not depend on the file's length.
public struct TrafficSurvey: Sendable {
    private let options: ImportOptions
    private var reader: TrafficReader<SurveySink>

    package static let connectionLimit = ConnectionLimits.numbers
    /// The maximum number of devices with advertisements.
    package static let deviceLimit = 1024
    /// The maximum number of attributes of all connections.
    package static let attributeLimit = 32_768

    /// Creates a survey. Throws for a format that cannot be imported.
    public init(_ options: ImportOptions = ImportOptions()) throws(TrafficError) {
        self.options = options
        reader = try TrafficReader(SurveySink(), options)
    }

    /// Reads more bytes. An error ends the reading: further calls throw it again.
    public mutating func read(_ bytes: Span<UInt8>) throws(TrafficError) {
        try reader.read(bytes)
    }

    /// Ends the file. After an error too, the report has the earlier records.
    public mutating func finish() throws(TrafficError) {
        try reader.finish()
    }

    /// The findings so far.
    public var report: TrafficReport {
        var report = TrafficReport()
        report.format = reader.format
        report.byteCount = reader.byteCount
        report.recordCount = reader.recordCount
        report.firstMicroseconds = reader.decoder.firstMicroseconds
        report.lastMicroseconds =
            reader.decoder.last == nil ? nil : reader.decoder.latestMicroseconds
        report.heard = reader.sink.heard.devices
        report.findings = reader.sink.findings.sorted {
            ($1.count, $0.firstRecord) < ($0.count, $1.firstRecord)
        }
        report.connections = HandleResolver(reader.sink.connections, options).connections(
            names: reader.sink.heard)
        return report
    }
}

/// Collects facts about connections, devices and attributes, without keeping values.
struct SurveySink: ConversationSink {
    private(set) var connections = ContiguousArray<ConnectionSurvey>()
    private(set) var heard = HeardDevices()
    private(set) var findings: [TrafficFinding] = []
    private var reassemblers: [BigDataReassembler] = []
    private var attributeCount = 0
    private var position = FilePosition.start

    /// The maximum number of attributes whose values are joined into long frames.
    private static let reassemblerLimit = 64
    private static let channelLimit = 256

    mutating func receive(
        _ event: ConversationEvent, _ value: Span<UInt8>, on connection: Int,
        at position: FilePosition
    ) {
        self.position = position
        switch event {
        case .odd(let oddity):
            return note(oddity)
        case .advertised(let address, let strength, _):
            if !heard.count(address, strength: strength, value) { note(.beyondLimits) }
            return
        case .role(let role, let basis):
            // The event of an earlier packet, or of the end of the file.
            guard connections.indices.contains(connection) else { return }
            connections[connection].facts.role = role
            connections[connection].facts.roleBasis = basis
            return
        default:
            break
        }
        guard touch(connection) else { return }
        switch event {
        case .transferred(let handle, let action):
            guard let slot = slot(of: handle, connection) else { return }
            Self.count(action, value, &connections[connection].handles[slot], &reassemblers)
        case .value(let direction, let channel, let action):
            guard
                connections[connection].channels[channel] != nil
                    || connections[connection].channels.count < Self.channelLimit
            else { return note(.beyondLimits) }
            Self.count(
                action ?? (direction == .toDevice ? .command : .notified), value,
                &connections[connection].channels[channel, default: HandleTraffic(handle: 0)],
                &reassemblers)
        case .refused(let handle, _):
            guard let slot = slot(of: handle, connection) else { return }
            connections[connection].handles[slot].refusalCount += 1
        case .service, .characteristic, .descriptor:
            guard attributeCount < TrafficSurvey.attributeLimit else { return note(.beyondLimits) }
            let before = connections[connection].table.count
            connections[connection].table.add(event)
            attributeCount += connections[connection].table.count - before
        default:
            connections[connection].facts.note(event)
        }
    }

    private mutating func note(_ oddity: TrafficOddity) {
        if let index = findings.firstIndex(where: { $0.oddity == oddity }) {
            findings[index].count += 1
        } else {
            findings.append(
                TrafficFinding(
                    oddity: oddity, count: 1, firstRecord: position.number,
                    firstOffset: position.offset))
        }
    }

    /// Notes an event of a connection, which begins with its first event. Returns `false` if the
    /// connection is not decoded.
    @inline(__always) private mutating func touch(_ connection: Int) -> Bool {
        guard connection < connections.count || addConnection(connection), connection >= 0
        else { return false }
        connections[connection].facts.lastMicroseconds = max(
            connections[connection].facts.lastMicroseconds, position.microseconds)
        connections[connection].facts.lastRecord = max(
            connections[connection].facts.lastRecord, position.number)
        return true
    }

    private mutating func addConnection(_ connection: Int) -> Bool {
        guard connection < TrafficSurvey.connectionLimit else {
            note(.beyondLimits)
            return false
        }
        while connections.count <= connection {
            var survey = ConnectionSurvey(number: connections.count + 1)
            survey.facts.firstRecord = position.number
            survey.facts.firstMicroseconds = position.microseconds
            survey.facts.lastMicroseconds = position.microseconds
            connections.append(survey)
        }
        return true
    }

    @inline(__always) private mutating func slot(of handle: UInt16, _ connection: Int) -> Int? {
        if let slot = connections[connection].slot(of: handle) { return slot }
        guard attributeCount < TrafficSurvey.attributeLimit else {
            note(.beyondLimits)
            return nil
        }
        attributeCount += 1
        return connections[connection].addSlot(handle)
    }

    @inline(__always)
    private static func count(
        _ action: CaptureAction, _ value: Span<UInt8>, _ traffic: inout HandleTraffic,
        _ reassemblers: inout [BigDataReassembler]
    ) {
        switch action {
        case .notified, .indicated:
            traffic.notified.add(value.count)
            if traffic.fromDevice.needsMore { recognise(value, &traffic, &reassemblers) }
        case .write, .command, .signed:
            traffic.written.add(value.count)
            if HandleTraffic.isConfiguration(value) { traffic.configurationCount += 1 }
            if traffic.toDevice.needsMore { traffic.toDevice.add(value, .toDevice) }
        case .read:
            traffic.read.add(value.count)
        }
    }

    /// Passes a notification to its recogniser. Long frames may span several notifications.
    private static func recognise(
        _ value: Span<UInt8>, _ traffic: inout HandleTraffic,
        _ reassemblers: inout [BigDataReassembler]
    ) {
        traffic.fromDevice.add(value, .fromDevice)
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
        if !traffic.fromDevice.needsMore { reassemblers[reassembler] = BigDataReassembler() }
    }
}

extension TrafficConnection {
    fileprivate mutating func note(_ event: ConversationEvent) {
        switch event {
        case .connected(let address, let role):
            self.address = address
            self.role = role
            roleBasis = role == .unknown ? .assumed : .recorded
        case .encrypted(let isReadable):
            isEncrypted = true
            self.isReadable = isReadable
        case .mtu(let mtu):
            self.mtu = mtu
        case .disconnected(let reason):
            hasEnded = true
            endReason = reason
        default:
            break
        }
    }
}
