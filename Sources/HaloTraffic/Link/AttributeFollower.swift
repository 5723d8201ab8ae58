import HaloProtocol

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
