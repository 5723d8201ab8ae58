import HaloProtocol

/// Follows what goes over controllers and the air down to the conversations with devices.
///
/// ```
/// controller: command, event, ACL ─┐
/// Linux' monitor: the same ────────┼→ connection → L2CAP → attribute protocol → sink
/// air: advertising, data channels ─┘
/// ```
///
/// A connection's number is announced by `connected` before anything else is told of it. Classic
/// links are counted as oddities and left out; they have no numbers.
struct TrafficFollower<Sink: ConversationSink>: RecordSink {
    /// Who is told.
    var sink: Sink

    private var links = LinkTable()
    private var hci = HCIFollower()
    private var air = AirFollower()

    init(_ sink: Sink) {
        self.sink = sink
    }

    mutating func take(_ kind: RecordKind, _ bytes: Span<UInt8>, at place: RecordPlace) {
        switch kind {
        case .hci(let type, let direction, let adapter):
            hci.take(type, direction, adapter, bytes, at: place, &links, into: &sink)
        case .monitor(let opcode, let adapter):
            hci.takeMonitor(opcode, adapter, bytes, at: place, &links, into: &sink)
        case .air(let reception):
            air.take(reception, bytes, at: place, &links, into: &sink)
        case .value(let direction, let channel):
            sink.take(.value(direction, channel), bytes, on: 0, at: place)
        }
    }

    mutating func note(_ oddity: TrafficOddity, at place: RecordPlace) {
        sink.take(.odd(oddity), Span(), on: noConnection, at: place)
    }

    /// Ends what is still open: the recording is over.
    mutating func finish(at place: RecordPlace) {
        hci.finish(at: place, into: &sink)
        links.finish(at: place, into: &sink)
    }
}

extension TrafficFollower: Sendable where Sink: Sendable {}
