import HaloProtocol

/// Follows packets in the air.
struct AirFollower: Sendable {
    mutating func take(
        _ reception: AirReception, _ bytes: Span<UInt8>, at place: RecordPlace,
        _ links: inout LinkTable, into sink: inout some ConversationSink
    ) {
    }
}
