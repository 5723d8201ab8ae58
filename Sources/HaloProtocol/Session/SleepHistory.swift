/// What a ring has stored of sleep: its answer to a request of ``Sleep``.
///
/// Newer firmware sends naps beside the nights, before or after them; what comes within
/// ``SessionRules/moreWithin`` is a part of the answer, what comes later an event.
public struct SleepHistory: Hashable, Sendable {
    /// The nights, the oldest first.
    public let nights: [SleepPeriod]
    /// Sleep by day, the oldest first; empty where the ring sends none.
    public let naps: [SleepPeriod]

    /// Nights and naps.
    public init(nights: [SleepPeriod], naps: [SleepPeriod]) {
        self.nights = nights
        self.naps = naps
    }

    /// Reads what came: no data, if neither record has any.
    static func answer(
        _ received: ReceivedAnswer
    ) throws(PacketError) -> Answer<SleepHistory> {
        var nights: [SleepPeriod] = []
        if let record = received.last(Sleep.replyID) {
            nights = try Sleep.Reply.answer(record).value?.nights ?? []
        }
        var naps: [SleepPeriod] = []
        if let record = received.last(Nap.replyID) {
            naps = try Nap.Reply.answer(record).value?.naps ?? []
        }
        return nights.isEmpty && naps.isEmpty
            ? .noData : .value(SleepHistory(nights: nights, naps: naps))
    }
}
