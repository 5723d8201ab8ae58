import HaloCapture
import HaloProtocol

/// Decodes records of every kind down to the attribute protocol.
///
/// ```
/// controller: command, event, ACL ─┐
/// Linux' monitor: the same ────────┼→ connection → L2CAP → attribute protocol → sink
/// air: advertising, data channels ─┘
/// ```
///
/// The event `connected` precedes all other events of a connection. Classic links are counted as
/// oddities and left out; they have no numbers.
struct TrafficDecoder<Attributes: AttributeDecoder, Sink: ConversationSink>: RecordSink, Sendable {
    private var links: ConnectionTable<Attributes, Sink>
    private var hci = HCIDecoder<Attributes, Sink>()
    private var air = AirDecoder<Attributes, Sink>()

    private(set) var last: FilePosition?
    private(set) var firstMicroseconds: Int64?
    /// The latest time of a record; the minimum before the first.
    private(set) var latestMicroseconds: Int64 = .min

    init(_ sink: Sink, _ roles: KnownRoles = KnownRoles()) {
        links = ConnectionTable(sink, roles)
    }

    var sink: Sink {
        _read { yield links.output.sink }
        _modify { yield &links.output.sink }
    }

    @inline(__always)
    mutating func receive(_ kind: RecordKind, _ bytes: Span<UInt8>, at position: FilePosition) {
        enterRecord(position)
        switch kind {
        case .hci(let type, let direction, let adapter):
            hci.receive(type, direction, adapter, bytes, &links)
        case .monitor(let opcode, let adapter):
            hci.receiveMonitor(opcode, adapter, bytes, &links)
        case .air(let reception):
            air.receive(reception, bytes, &links)
        case .attribute(let direction, let handle, let action):
            let action = action ?? (direction == .toDevice ? .command : .notified)
            links.output.connection = 0
            if case .read = action { links.output.emit(.readBegun(handle)) }
            links.output.emit(.transferred(handle, action), bytes)
        case .value(let direction, let channel, let action):
            links.output.connection = 0
            links.output.emit(.value(direction, channel, action), bytes)
        }
    }

    mutating func note(_ oddity: TrafficOddity, at position: FilePosition) {
        enterRecord(position)
        links.note(oddity)
    }

    mutating func finish() {
        hci.finish(&links)
        links.finish()
        links.output.sink.finish()
    }

    @inline(__always)
    private mutating func enterRecord(_ position: FilePosition) {
        if last == nil { firstMicroseconds = position.microseconds }
        latestMicroseconds = max(latestMicroseconds, position.microseconds)
        last = position
        links.output.position = position
    }
}
