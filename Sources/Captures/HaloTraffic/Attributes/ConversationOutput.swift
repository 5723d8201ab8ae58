import HaloCapture

/// A sink together with the connection and the record that are being decoded.
struct ConversationOutput<Sink: ConversationSink>: Sendable {
    /// The receiver of the events.
    var sink: Sink
    /// The record that is being decoded.
    var position = FilePosition.start
    /// The connection whose packet is being decoded.
    var connection = noConnection

    /// Creates an output before the first record.
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

    /// Emits an event without a value on the current connection.
    @inline(__always)
    mutating func emit(_ event: ConversationEvent) { emit(event, on: connection) }

    /// Emits an event without a value on a given connection.
    mutating func emit(_ event: ConversationEvent, on connection: Int) {
        sink.receive(event, Span(), on: connection, at: position)
    }

    /// Emits an irregularity on the current connection.
    mutating func note(_ oddity: TrafficOddity) { emit(.odd(oddity)) }
}
