/// How patient a session is. The defaults are what rings were seen to need.
///
/// Impossible values do no harm: waits last a microsecond at least and a year at most, and of
/// what is counted there is at least one.
public struct SessionRules: Hashable, Sendable {
    /// How long a request waits for its first frame, and then for each next one.
    public var answerWithin: Duration = .seconds(3)
    /// How long a request waits for its whole answer.
    public var wholeAnswerWithin: Duration = .seconds(30)
    /// How long after a record others may follow that belong to the same answer.
    public var moreWithin: Duration = .milliseconds(400)
    /// How often a request that only reads is sent, if no answer comes.
    public var attempts = 3
    /// How long it is from an answer to the next request.
    public var spacing: Duration = .milliseconds(10)
    /// How long it is from a request that nothing answers to the next one.
    public var spacingAfterSilence: Duration = .milliseconds(300)
    /// How long an answer that is owed may still come: the same command is not sent before.
    public var lateAnswersWithin: Duration = .seconds(10)
    /// How many requests may wait.
    public var queueLimit = 64
    /// How many effects may wait to be fetched before events are dropped.
    public var effectLimit = 1024
    /// After how long without a report a running measurement has ended by itself.
    public var streamSilence: Duration = .seconds(4)
    /// How often a running measurement is told to go on.
    public var keepAlive: Duration = .seconds(15)
    /// A deadline that is seen so much too late was missed by an app that slept.
    public var oversleeping: Duration = .seconds(1)
    /// How long an app that has slept has to hand over what came meanwhile.
    public var wakingUp: Duration = .milliseconds(300)

    /// The defaults.
    public init() {}
}

extension Duration {
    /// The duration as a wait: a microsecond at least, a year at most.
    var asWait: Int64 { min(max(wholeMicroseconds, 1), 31_536_000_000_000) }
}
