import HaloProtocol

/// A decoder of the attribute protocol of one bearer: ``ATTDecoder``, or a stub in tests of links.
protocol AttributeDecoder: Sendable {
    init()

    /// Receives one packet of at least one byte.
    mutating func receive(
        _ packet: Span<UInt8>, _ direction: Direction,
        into output: inout ConversationOutput<some ConversationSink>)

    /// Ends pending requests and unfinished values, at the end of the connection or the recording.
    mutating func end(into output: inout ConversationOutput<some ConversationSink>)
}
