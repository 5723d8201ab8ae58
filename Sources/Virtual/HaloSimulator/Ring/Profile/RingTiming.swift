/// The delays of a ring, by default those observed on R10 and R12.
package struct RingTiming: Hashable, Sendable {
    /// The milliseconds from a request's arrival to the first frame of the reply.
    ///
    /// Apps saw replies after 80 to 96 ms, two connection events: the request travels in one and
    /// the reply in the next. So the ring itself takes less than the 48 ms between the two.
    package var answerMilliseconds: ClosedRange<Int64> = 8...36
    /// The milliseconds from a request to the first piece of a record: apps saw replies after 90 to
    /// 300 ms.
    package var recordMilliseconds: ClosedRange<Int64> = 20...190
    /// The time from one frame of a reply to the next: a day of heart rates took 0.35 to 0.6 s.
    package var frameSpacing: Duration = .milliseconds(20)
    /// The frame spacing on a slow connection: a day of heart rates took 1.8 to 2.6 s.
    package var slowFrameSpacing: Duration = .milliseconds(80)
    /// The time from one piece of a record to the next: 48 ms were seen.
    package var pieceSpacing: Duration = .milliseconds(48)
    package var slowPieceSpacing: Duration = .milliseconds(122)
    /// The time from connecting to the request for a slow connection.
    package var slowsDownAfter: Duration = .milliseconds(2600)
}
