import HaloProtocol

/// Follows the attribute protocol of one connection: pairs responses with requests, joins long
/// reads and prepared writes, and tells what came of them in whole.
struct ATTFollower: Sendable {
    /// Takes in one packet of the attribute protocol.
    ///
    /// The direction is the packet's: to the device, or from it.
    mutating func take(
        _ packet: Span<UInt8>, _ direction: Direction, on connection: Int, at place: RecordPlace,
        into sink: inout some ConversationSink
    ) {
    }

    /// Tells what is still open when the connection ends: a read that nobody answered.
    mutating func end(
        on connection: Int, at place: RecordPlace, into sink: inout some ConversationSink
    ) {
    }
}
