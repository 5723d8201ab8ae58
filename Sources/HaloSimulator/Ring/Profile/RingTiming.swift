/// How long a ring takes for things.
public struct RingTiming: Hashable, Sendable {
    /// From a request's arrival to the first frame of its answer, in milliseconds.
    ///
    /// Apps saw answers 80 to 96 ms after they had asked, which is two meetings of the radios:
    /// the request travels at one and the answer at the next. So the ring itself takes less than
    /// the 48 ms between them.
    public var answerMilliseconds: ClosedRange<Int64> = 8...36
    /// The same for records: apps saw answers after 90 to 300 ms.
    public var recordMilliseconds: ClosedRange<Int64> = 20...190
    /// From one frame of an answer to the next: a day of heart rates took 0.35 to 0.6 s.
    public var frameSpacing: Duration = .milliseconds(20)
    /// The same when the link has become slow: a day of heart rates took 1.8 to 2.6 s.
    public var slowFrameSpacing: Duration = .milliseconds(80)
    /// From one piece of a record to the next: 48 ms were seen.
    public var pieceSpacing: Duration = .milliseconds(48)
    /// The same when the link has become slow.
    public var slowPieceSpacing: Duration = .milliseconds(122)
    /// How long after connecting the ring asks for a slower link.
    public var slowsDownAfter: Duration = .milliseconds(2600)
    /// From the push of the packet size to the answer about the clock: 0.3 to 100 ms were seen.
    public var clockAnswerAfterPush: Duration = .milliseconds(1)

    /// What was observed on R10 and R12.
    public init() {}
}
