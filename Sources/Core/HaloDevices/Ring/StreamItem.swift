internal import HaloProtocol

enum StreamItem: Hashable, Sendable {
    case report(StreamReport)
    /// The link was lost; the stream begins again with the next one.
    case interrupted
    /// The number of reports that were dropped because the loop was slow.
    case missed(Int)
}
