internal import HaloProtocol

struct HistoryReply: Sendable {
    /// The ring's today, if the reply contains it.
    var today: CivilDate?
    let add: @Sendable (HistoryContext, inout RingHistory) -> Void
}
