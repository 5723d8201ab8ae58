internal import HaloProtocol

/// The values of a reply.
struct HistoryReply: Sendable {
    /// The ring's today, if the reply contains it.
    var today: CivilDate?
    /// Adds the values to a history.
    let add: @Sendable (HistoryContext, inout RingHistory) -> Void
}
