import HaloCapture

struct ConversationOutput<Sink: ConversationSink>: Sendable {
    var sink: Sink
    var position = FilePosition.start
    var connection = noConnection

    init(_ sink: Sink) {
        self.sink = sink
    }

    /// Emits an event with a value on the current connection. A value that is longer than a capture
    /// can have is left out and noted.
    @inline(__always)
    mutating func emit(_ event: ConversationEvent, _ value: Span<UInt8>) {
        guard value.count <= CapturePacket.maximumLength else { return note(.beyondLimits) }
        sink.receive(event, value, on: connection, at: position)
    }

    @inline(__always)
    mutating func emit(_ event: ConversationEvent) { emit(event, on: connection) }

    mutating func emit(_ event: ConversationEvent, on connection: Int) {
        sink.receive(event, Span(), on: connection, at: position)
    }

    mutating func note(_ oddity: TrafficOddity) { emit(.odd(oddity)) }
}
