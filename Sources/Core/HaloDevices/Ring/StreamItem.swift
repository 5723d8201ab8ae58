internal import HaloProtocol

/// An element of a stream.
enum StreamItem: Hashable, Sendable {
    /// A report of the ring.
    case report(StreamReport)
    /// The link was lost; the stream begins again with the next one.
    case interrupted
    /// The number of reports that were dropped because the loop was slow.
    case missed(Int)
}
