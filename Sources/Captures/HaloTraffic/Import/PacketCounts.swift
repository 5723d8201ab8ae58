public import HaloCapture
public import HaloProtocol

/// Counts of the packets of a conversation by type, with the number of undecodable ones.
public struct PacketCounts: Hashable, Sendable {
    /// One type of packet in one direction.
    public struct Entry: Hashable, Sendable {
        /// The channel of the packets.
        public let channel: CaptureChannel
        /// The direction of the packets.
        public let direction: Direction
        /// The name of the type, or `nil` for an undescribed one.
        public let packet: PacketName?
        /// The first byte of a frame, or the id of a record; `nil` for other channels.
        public let code: UInt8?
        /// The number of packets, including faulty ones.
        public internal(set) var count = 0
        /// The number of packets that cannot be decoded.
        public internal(set) var faultCount = 0
        /// The first packet that cannot be decoded, or `nil` if there is none.
        public internal(set) var firstFault: Fault?
    }

    /// The reason why a packet cannot be decoded.
    public struct Fault: Hashable, Sendable {
        /// The number of the packet's record, counted from 1.
        public let record: Int
        /// The file offset of this record.
        public let offset: Int
        /// The reason in words.
        public let reason: String
    }

    /// All types with packets, the most frequent first.
    public internal(set) var entries: [Entry] = []

    /// The number of packets.
    public var count: Int { entries.reduce(0) { $0 + $1.count } }
    /// The number of packets that cannot be decoded.
    public var faultCount: Int { entries.reduce(0) { $0 + $1.faultCount } }

    /// Decodes and counts the packets of a capture; the record of a fault is a line of its text.
    package init(of capture: Capture) {
        var links: [CaptureName?: Int] = [:]
        for case .packet(let packet) in capture.lines where links[packet.link] == nil {
            links[packet.link] = links.count
        }
        var sink = PacketCountSink(linkCount: links.count)
        for line in capture.timedLines {
            guard let packet = line.line.packet, let link = links[packet.link] else { continue }
            let position = FilePosition(
                number: line.number, offset: 0, microseconds: line.moment.microseconds)
            packet.bytes.withUnsafeBufferPointer {
                sink.receive(
                    .value(packet.direction, packet.channel, packet.action), $0.span, on: link,
                    at: position)
            }
        }
        sink.finish()
        self.init(sink)
    }

    init(_ sink: PacketCountSink) {
        entries = sink.sortedEntries
    }
}

/// Decodes every value of a known channel.
struct PacketCountSink: ConversationSink {
    private var entries: [PacketCounts.Entry] = []
    private var indices: [Key: Int] = [:]
    private var channels: ContiguousArray<HandleChannels?> = []
    private var streams: [StreamKey: BigDataReassembler] = [:]
    /// The indices of frames in the entries, by direction and opcode.
    private var frameIndices = ContiguousArray<Int32>(repeating: -1, count: 512)
    private var lastUUID: BluetoothUUID?
    private var lastForm: ByteForm?
    private var position = FilePosition.start

    /// The maximum number of types; a device has fewer.
    private static let limit = 8192

    private struct StreamKey: Hashable, Sendable {
        var connection: Int
        var direction: Direction
    }

    private struct Key: Hashable, Sendable {
        var channel: CaptureChannel
        var direction: Direction
        var code: UInt8?
        var kind = Kind.packet
    }

    private enum Kind: Hashable, Sendable {
        case packet
        /// Bytes that are not a frame.
        case noFrame
        /// A frame that refuses a command.
        case refusal
        /// A record of another type than that of its id.
        case otherPacket
    }

    init(_ report: TrafficReport, _ device: DeviceSelection) {
        let counted = Set(
            ((try? report.conversations(device)) ?? report.connections).map(\.number))
        for connection in report.connections {
            let isCounted = counted.contains(connection.number)
            channels.append(isCounted ? HandleChannels(connection.attributes) : nil)
        }
    }

    /// Creates a sink for links with named channels.
    init(linkCount: Int) {
        channels = ContiguousArray(repeating: HandleChannels([]), count: linkCount)
    }

    mutating func receive(
        _ event: ConversationEvent, _ value: Span<UInt8>, on connection: Int,
        at position: FilePosition
    ) {
        guard connection >= 0, connection < channels.count else { return }
        self.position = position
        switch event {
        case .transferred(let handle, let action):
            guard let entry = channels[connection]?.entry(of: handle) else { return }
            switch action {
            case .notified, .indicated, .read:
                receive(.fromDevice, entry.fromDevice, value, connection)
            case .write, .command, .signed:
                if entry.switches != nil, HandleTraffic.isConfiguration(value) { return }
                receive(.toDevice, entry.toDevice, value, connection)
            }
        case .value(let direction, let channel, _):
            if channels[connection] != nil { receive(direction, channel, value, connection) }
        case .disconnected:
            abandonStreams(of: connection)
        default:
            break
        }
    }

    /// Counts the long frames that were not completed.
    mutating func finish() {
        for connection in Set(streams.keys.map(\.connection)).sorted() {
            abandonStreams(of: connection)
        }
    }

    private mutating func receive(
        _ direction: Direction, _ channel: CaptureChannel, _ value: Span<UInt8>,
        _ connection: Int
    ) {
        switch channel {
        case .uart:
            receiveFrame(direction, value)
        case .bigData:
            let key = StreamKey(connection: connection, direction: direction)
            streams[key, default: BigDataReassembler()].receive(value)
            drain(key)
        case .family, .characteristic, .descriptor:
            receiveValue(direction, channel, value)
        case .advertisement, .scanResponse:
            break
        }
    }

    // MARK: Frames of 16 bytes

    private mutating func receiveFrame(_ direction: Direction, _ value: Span<UInt8>) {
        do throws(FrameError) {
            receiveFrame(direction, try Frame(decoding: value))
        } catch {
            countFault(
                Key(channel: .uart, direction: direction, kind: .noFrame), error.description)
        }
    }

    private mutating func receiveFrame(_ direction: Direction, _ frame: Frame) {
        if direction == .fromDevice, let refusal = Refusal(frame) {
            let key = Key(
                channel: .uart, direction: direction, code: refusal.opcode, kind: .refusal)
            return count(index(key, PacketName("Refusal")))
        }
        let form = CommandCatalog.entry(opcode: frame.opcode)?.form(direction)
        let slot = Int(frame.opcode) + (direction == .toDevice ? 0 : 256)
        if frameIndices[slot] < 0 {
            let key = Key(channel: .uart, direction: direction, code: frame.opcode)
            frameIndices[slot] = Int32(clamping: index(key, form?.name))
        }
        count(Int(frameIndices[slot])) { () throws(PacketError) in try form?.check(frame) }
    }

    // MARK: Long frames

    private mutating func abandonStreams(of connection: Int) {
        for direction in [Direction.toDevice, .fromDevice] {
            let key = StreamKey(connection: connection, direction: direction)
            guard streams[key] != nil else { continue }
            streams[key]?.abandon()
            drain(key)
            streams[key] = nil
        }
    }

    private mutating func drain(_ key: StreamKey) {
        while let event = streams[key]?.nextEvent() {
            switch event {
            case .frame(let frame): receiveRecord(key.direction, frame)
            case .uart(let frame): receiveFrame(key.direction, frame)
            case .fault(let fault):
                countFault(
                    Key(
                        channel: .bigData, direction: key.direction, code: fault.id,
                        kind: .noFrame),
                    fault.description)
            }
        }
    }

    private mutating func receiveRecord(_ direction: Direction, _ frame: BigDataFrame) {
        let form = BigDataCatalog.form(of: frame, direction)
        let isOwn =
            form?.name == BigDataCatalog.entry(id: frame.id, direction)?.form(direction)?.name
        let key = Key(
            channel: .bigData, direction: direction, code: frame.id,
            kind: isOwn ? .packet : .otherPacket)
        count(index(key, form?.name)) { () throws(PacketError) in
            try form?.check(frame.payload)
        }
    }

    // MARK: Values that are a packet each

    private mutating func receiveValue(
        _ direction: Direction, _ channel: CaptureChannel, _ value: Span<UInt8>
    ) {
        let form: ByteForm?
        var start: UInt8?
        switch channel {
        case .characteristic(let uuid):
            if uuid != lastUUID {
                lastUUID = uuid
                lastForm = CharacteristicCatalog.entry(uuid)?.form
            }
            form = lastForm
        case .descriptor:
            form = nil
        case .family(let family):
            let first = value.byte(at: 0)
            let packet = family.packet(direction, startingWith: first)
            form = packet?.form
            // Unknown packets are told apart by their first byte.
            start = packet == nil ? first : packet?.start
        default:
            form = nil
        }
        let key = Key(channel: channel, direction: direction, code: start)
        let index = index(key, form?.name)
        guard let form else { return count(index) }
        let bytes = value.withUnsafeBufferPointer { Array($0) }
        count(index) { () throws(PacketError) in try form.check(bytes) }
    }

    // MARK: Counting

    /// The index of a type, which is added with its name if it is new. Beyond the limit it is the
    /// number of entries, which is the index of none.
    private mutating func index(_ key: Key, _ name: @autoclosure () -> PacketName?) -> Int {
        if let index = indices[key] { return index }
        guard entries.count < Self.limit else { return entries.count }
        indices[key] = entries.count
        entries.append(
            PacketCounts.Entry(
                channel: key.channel, direction: key.direction, packet: name(), code: key.code))
        return entries.count - 1
    }

    @inline(__always)
    private mutating func count(
        _ index: Int, decoding body: () throws(PacketError) -> Void = {}
    ) {
        guard index < entries.count else { return }
        entries[index].count &+= 1
        do throws(PacketError) {
            try body()
        } catch {
            noteFault(index, error.description)
        }
    }

    private mutating func countFault(_ key: Key, _ reason: @autoclosure () -> String) {
        let index = index(key, nil)
        count(index)
        if index < entries.count { noteFault(index, reason()) }
    }

    private mutating func noteFault(_ index: Int, _ reason: @autoclosure () -> String) {
        entries[index].faultCount += 1
        guard entries[index].firstFault == nil else { return }
        entries[index].firstFault = PacketCounts.Fault(
            record: position.number, offset: position.offset, reason: reason())
    }

    /// All entries, the most frequent first.
    var sortedEntries: [PacketCounts.Entry] {
        entries.enumerated()
            .sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
            .map(\.element)
    }
}
