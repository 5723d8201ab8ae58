import HaloProtocol

/// Follows what goes over controllers and the air down to the conversations with devices.
struct TrafficFollower<Sink: ConversationSink>: RecordSink {
    /// Who is told.
    var sink: Sink

    init(_ sink: Sink) {
        self.sink = sink
    }

    mutating func take(_ kind: RecordKind, _ bytes: Span<UInt8>, at place: RecordPlace) {
        switch kind {
        case .hci, .monitor, .air:
            break
        case .value(let direction, let channel):
            sink.take(.value(direction, channel), bytes, on: 0, at: place)
        }
    }

    mutating func note(_ oddity: TrafficOddity, at place: RecordPlace) {
        sink.take(.odd(oddity), Span(), on: noConnection, at: place)
    }

    /// Ends what is still open: the recording is over.
    mutating func finish(at place: RecordPlace) {
    }
}
