import HaloProtocol

/// Follows what goes over controllers and the air down to the attribute protocol.
///
/// ```
/// controller: command, event, ACL ─┐
/// Linux' monitor: the same ────────┼→ connection → L2CAP → attribute protocol → sink
/// air: advertising, data channels ─┘
/// ```
///
/// A connection's number is announced by `connected` before anything else is told of it. Classic
/// links are counted as oddities and left out; they have no numbers.
struct LinkFollower<Attributes: AttributeFollower>: Sendable {
    private var links = LinkTable<Attributes>()
    private var hci = HCIFollower()
    private var air = AirFollower()

    /// Takes in one record.
    @inline(__always) mutating func take(
        _ kind: RecordKind, _ bytes: Span<UInt8>, at place: RecordPlace,
        into sink: inout some ConversationSink
    ) {
        switch kind {
        case .hci(let type, let direction, let adapter):
            hci.take(type, direction, adapter, bytes, at: place, &links, into: &sink)
        case .monitor(let opcode, let adapter):
            hci.takeMonitor(opcode, adapter, bytes, at: place, &links, into: &sink)
        case .air(let reception):
            air.take(reception, bytes, at: place, &links, into: &sink)
        case .value(let direction, let channel, let action):
            sink.take(.value(direction, channel, action), bytes, on: 0, at: place)
        }
    }

    /// Ends what is still open: the recording is over.
    mutating func finish(at place: RecordPlace, into sink: inout some ConversationSink) {
        hci.finish(at: place, into: &sink)
        links.finish(at: place, into: &sink)
    }
}

/// Who follows the attribute protocol of one connection: ``ATTFollower``, except in tests of the
/// links alone.
protocol AttributeFollower: Sendable {
    init()

    /// Takes in one packet of the attribute protocol, of at least one byte.
    mutating func take(
        _ packet: Span<UInt8>, _ direction: Direction, on connection: Int, at place: RecordPlace,
        into sink: inout some ConversationSink
    )

    /// Tells what is still open when the connection or the recording ends.
    mutating func end(
        on connection: Int, at place: RecordPlace, into sink: inout some ConversationSink
    )
}

extension ATTFollower: AttributeFollower {}

/// Follows records of every kind down to the conversations with devices.
struct TrafficFollower<Sink: ConversationSink>: RecordSink {
    /// Who is told.
    var sink: Sink

    private var links = LinkFollower<ATTFollower>()

    init(_ sink: Sink) {
        self.sink = sink
    }

    mutating func take(_ kind: RecordKind, _ bytes: Span<UInt8>, at place: RecordPlace) {
        links.take(kind, bytes, at: place, into: &sink)
    }

    mutating func note(_ oddity: TrafficOddity, at place: RecordPlace) {
        sink.take(.odd(oddity), Span(), on: noConnection, at: place)
    }

    /// Ends what is still open: the recording is over.
    mutating func finish(at place: RecordPlace) {
        links.finish(at: place, into: &sink)
    }
}

extension TrafficFollower: Sendable where Sink: Sendable {}
