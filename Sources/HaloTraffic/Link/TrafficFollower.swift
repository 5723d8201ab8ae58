import HaloProtocol

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
