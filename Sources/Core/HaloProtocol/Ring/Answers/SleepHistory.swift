/// The stored sleep of a ring: the answer to a request of ``Sleep``.
///
/// Newer firmware also sends naps, before or after the nights. They belong to the answer if they
/// come within ``SessionRules/furtherRecordTimeout``; later ones are an event.
public struct SleepHistory: Hashable, Sendable {
    /// The nights, oldest first.
    public let nights: [SleepPeriod]
    /// The naps, oldest first; empty if the ring sends none.
    public let naps: [SleepPeriod]

    public init(nights: [SleepPeriod], naps: [SleepPeriod]) {
        self.nights = nights
        self.naps = naps
    }

    /// Decodes the records of a reply; a reply without nights and naps is "no data".
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
