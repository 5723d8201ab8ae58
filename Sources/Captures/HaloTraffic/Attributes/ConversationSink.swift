/// A receiver of the events between apps and devices.
///
/// Connections are numbered from 0 in the order of their first records, and numbers are not reused.
/// An event that belongs to no connection has the number `noConnection`.
protocol ConversationSink: Sendable {
    /// Receives one event; the value is empty for an event without a value.
    mutating func receive(
        _ event: ConversationEvent, _ value: Span<UInt8>, on connection: Int,
        at position: FilePosition)

    /// Ends the recording; called once, also after an error. By default, it does nothing.
    mutating func finish()
}

extension ConversationSink {
    mutating func finish() {}
}
